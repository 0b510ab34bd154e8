//! Entry point of the component: its exports, its routes, and the host's imports as the context of the operations.

use std::time::Duration;

use quartet_api::{limits, operations as paths};
use quartet_component_sdk::keyvalue::KeyValue;
use quartet_component_sdk::system::{Stopwatch, random_bytes};
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

/// Time after which reading of a document stops, so that the answer is there within the time to respond, 30 seconds.
const READING_TIME: Duration = Duration::from_secs(18);
/// Time after which a page that is being recognised is left as it is: a batch of lines takes up to two seconds, and
/// what is made of the text little.
const RECOGNITION_TIME: Duration = Duration::from_secs(22);
/// Time after which no more embeddings of passages are computed while somebody waits for an answer. The rest follows
/// with the next questions.
const EMBEDDING_TIME: Duration = Duration::from_secs(8);
/// Time until which a language model may write.
const ANSWERING_TIME: Duration = Duration::from_secs(limits::CHAT_ANSWER_SECONDS);

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
    Route {
        operation: &paths::PDF_EMBEDDINGS,
        handler: embeddings,
    },
];

fn embeddings(request: &mut Request) -> Result<Response, Failure> {
    let stopwatch = Stopwatch::start();
    let embedder = Embedder::new(&Imported).ok();
    operations::embeddings(request, embedder.as_ref(), &|| stopwatch.elapsed() < RECOGNITION_TIME)
}

fn answer(operation: Operation, request: &mut Request) -> Result<Response, Failure> {
    let stopwatch = Stopwatch::start();
    let time_left = || stopwatch.elapsed() < READING_TIME;
    let time_is_up = || stopwatch.elapsed() >= RECOGNITION_TIME;
    let time_to_learn = || stopwatch.elapsed() < EMBEDDING_TIME;
    let milliseconds_left = || stopwatch.milliseconds_left(ANSWERING_TIME);
    let wanted = quartet_grounding::is_enabled(|name| std::env::var(name).ok());
    let embedder = Embedder::new(&Imported).ok();
    let scans = Scans {
        graphs: &Imported,
        time_is_up: &time_is_up,
    };
    let context = Context {
        store: &KeyValue,
        random: random_bytes,
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
