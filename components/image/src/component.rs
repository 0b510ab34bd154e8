//! The component: its exports, its routes, and what it imports as the means of the operations.

use quartet_api::{limits, operations as paths};
use quartet_component_sdk::keyvalue::KeyValue;
use quartet_component_sdk::wasi::bindings;
use quartet_component_sdk::wasi::http_types::{IncomingRequest, ResponseOutparam};
use quartet_component_sdk::{Failure, Request, Response, Route};
use quartet_grounding::Writer;
use quartet_inference::import::Imported;
use quartet_llm_client::import::Imported as Model;

use crate::operations::{self, Context, Operation};

/// Bindings to the world `image-imports` in `wit/`.
mod imports {
    wit_bindgen::generate!({ path: "../../wit", world: "image-imports", generate_all });
}

use imports::wasi::clocks::monotonic_clock;
use imports::wasi::random::random;

/// So long text is read, in nanoseconds; the host waits 30 seconds for an answer, and a run of lines takes up to two.
const READING: u64 = 22_000_000_000;

struct Component;

impl bindings::Guest for Component {
    fn init() {
        quartet_ocr::init();
        quartet_image_analysis::objects::init();
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
        operation: &paths::IMAGE_ANALYZE,
        handler: |request| answer(operations::analyze, request),
    },
    Route {
        operation: &paths::IMAGE_EXTRACT_TEXT,
        handler: |request| answer(operations::extract_text, request),
    },
    Route {
        operation: &paths::IMAGE_DETECT_OBJECTS,
        handler: |request| answer(operations::detect_objects, request),
    },
    Route {
        operation: &paths::IMAGE_CHAT,
        handler: |request| answer(operations::chat, request),
    },
    Route {
        operation: &paths::IMAGE_FORGET,
        handler: |request| answer(operations::forget, request),
    },
];

fn answer(operation: Operation, request: &mut Request) -> Result<Response, Failure> {
    let began = monotonic_clock::now();
    let milliseconds_left = || {
        let gone = monotonic_clock::now().saturating_sub(began) / 1_000_000;
        u32::try_from((limits::CHAT_ANSWER_SECONDS * 1_000).saturating_sub(gone)).unwrap_or(u32::MAX)
    };
    let wanted = quartet_grounding::wanted(|name| std::env::var(name).ok());
    let context = Context {
        graphs: &Imported,
        store: &KeyValue,
        random: || {
            let bytes = random::get_random_bytes(16);
            std::array::from_fn(|index| bytes.get(index).copied().unwrap_or_default())
        },
        time_is_up: &|| monotonic_clock::now().saturating_sub(began) >= READING,
        writer: wanted.then_some(Writer {
            model: &Model,
            milliseconds_left: &milliseconds_left,
        }),
    };
    operation(request, &context)
}
