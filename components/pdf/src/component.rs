//! The component: its exports, its routes, and what it imports as the means of the operations.

use std::time::{Duration, Instant};

use quartet_api::{limits, operations as paths};
use quartet_component_sdk::keyvalue::KeyValue;
use quartet_component_sdk::wasi::bindings;
use quartet_component_sdk::wasi::http_types::{IncomingRequest, ResponseOutparam};
use quartet_component_sdk::{Failure, Request, Response, Route};
use quartet_embeddings::Embedder;
use quartet_grounding::Writer;
use quartet_inference::import::Imported;
use quartet_llm_client::import::Imported as Model;
use quartet_text_analysis::Embed;

use crate::operations::{self, Context, Operation};
use crate::scans::Scans;

/// Bindings to the world `pdf-imports` in `wit/`.
pub(crate) mod imports {
    wit_bindgen::generate!({ path: "../../wit", world: "pdf-imports", generate_all });
}

use imports::wasi::random::random;

/// How long a document is read, so that the answer is there within the time to respond, which is 30 seconds.
const READING: Duration = Duration::from_secs(18);
/// When a page that is being recognised is left as it is: a run of lines takes up to two seconds, and what is made of the
/// text little.
const RECOGNISING: Duration = Duration::from_secs(22);

/// How long the meanings of passages are found out while somebody waits for an answer. What is not known then becomes
/// known with the next questions.
const LEARNING: Duration = Duration::from_secs(8);

/// When the answer must be on its way.
const ANSWERING: Duration = Duration::from_secs(limits::CHAT_ANSWER_SECONDS);

struct Component;

impl bindings::Guest for Component {
    fn init() {
        quartet_ocr::init();
    }
}

impl bindings::exports::wasi::http::incoming_handler::Guest for Component {
    fn handle(request: IncomingRequest, response: ResponseOutparam) {
        quartet_component_sdk::wasi::serve(ROUTES, request, response);
    }
}

bindings::export!(Component with_types_in quartet_component_sdk::wasi::bindings);

const ROUTES: &[Route] = &[
    Route {
        operation: &paths::PDF_EXTRACT_TEXT,
        handler: |request| answer(operations::extract_text, request),
    },
    Route {
        operation: &paths::PDF_SUMMARIZE,
        handler: |request| answer(operations::summarize, request),
    },
    Route {
        operation: &paths::PDF_CHAT,
        handler: |request| answer(operations::chat, request),
    },
    Route {
        operation: &paths::PDF_FORGET,
        handler: |request| answer(operations::forget, request),
    },
];

fn answer(operation: Operation, request: &mut Request) -> Result<Response, Failure> {
    let begun = Instant::now();
    let time_left = || begun.elapsed() < READING;
    let time_is_up = || begun.elapsed() >= RECOGNISING;
    let time_to_learn = || begun.elapsed() < LEARNING;
    let milliseconds_left = || u32::try_from(ANSWERING.saturating_sub(begun.elapsed()).as_millis()).unwrap_or(u32::MAX);
    let wanted = quartet_grounding::wanted(|name| std::env::var(name).ok());
    let embedder = Embedder::new(&Imported).ok();
    let scans = Scans {
        graphs: &Imported,
        time_is_up: &time_is_up,
    };
    let context = Context {
        store: &KeyValue,
        random: || {
            let bytes = random::get_random_bytes(16);
            std::array::from_fn(|index| bytes.get(index).copied().unwrap_or_default())
        },
        time_left: &time_left,
        ocr: Some(&scans),
        embed: embedder.as_ref().map(|embedder| embedder as &dyn Embed),
        time_to_learn: &time_to_learn,
        writer: wanted.then_some(Writer {
            model: &Model,
            milliseconds_left: &milliseconds_left,
        }),
    };
    operation(request, &context)
}
