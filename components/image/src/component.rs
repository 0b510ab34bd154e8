//! Entry point of the component: its exports, its routes, and the host's imports as the context of the operations.

use std::time::Duration;

use quartet_api::{limits, operations as paths};
use quartet_component_sdk::keyvalue::KeyValue;
use quartet_component_sdk::system::{Stopwatch, random_bytes};
use quartet_component_sdk::wasi::bindings;
use quartet_component_sdk::wasi::http_types::{IncomingRequest, ResponseOutparam};
use quartet_component_sdk::{Failure, Request, Response, Route};
use quartet_grounding::Writer;
use quartet_image_analysis::chat::understand::Understanding;
use quartet_inference::import::Imported;
use quartet_llm_client::import::Imported as Model;

use crate::operations::{self, Context, Operation};

/// Time after which reading of text stops: the host waits 30 seconds for an answer, and a batch of lines takes up to
/// two.
const READING_TIME: Duration = Duration::from_secs(22);
/// Time until which a language model may write.
const ANSWERING_TIME: Duration = Duration::from_secs(limits::CHAT_ANSWER_SECONDS);

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
    let stopwatch = Stopwatch::start();
    let milliseconds_left = || stopwatch.milliseconds_left(ANSWERING_TIME);
    let wanted = quartet_grounding::is_enabled(|name| std::env::var(name).ok());
    let context = Context {
        graphs: &Imported,
        store: &KeyValue,
        random: random_bytes,
        time_is_up: &|| stopwatch.elapsed() >= READING_TIME,
        writer: wanted.then_some(Writer {
            model: &Model,
            milliseconds_left: &milliseconds_left,
        }),
        understanding: Some(Understanding {
            model: &Model,
            milliseconds_left: &milliseconds_left,
        }),
    };
    operation(request, &context)
}
