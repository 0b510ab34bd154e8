//! Entry point of the component: its exports, its routes, and the host's imports as the context of the operations.

use quartet_api::{limits, operations as paths};
use quartet_component_sdk::keyvalue::KeyValue;
use quartet_component_sdk::system::{Stopwatch, random_bytes};
use quartet_component_sdk::wasi::bindings;
use quartet_component_sdk::wasi::http_types::{IncomingRequest, ResponseOutparam};
use quartet_component_sdk::{Failure, Request, Response, ResponseTime, Route};
use quartet_grounding::Writer;
use quartet_image_analysis::chat::understand::Understanding;
use quartet_inference::import::Imported;
use quartet_llm_client::import::Imported as Model;

use crate::operations::{self, Context, Operation};

/// Second after which reading of text stops, with the usual time to respond: a batch of lines takes up to two.
const READING_SECONDS: u64 = 22;

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
    let variable = |name: &str| std::env::var(name).ok();
    let response = ResponseTime::of(variable);
    let reading = response.end_of_part(READING_SECONDS);
    let answering = response.end_of_part(limits::CHAT_ANSWER_SECONDS);
    let milliseconds_left = || stopwatch.milliseconds_left(answering);
    let wanted = quartet_grounding::is_enabled(variable);
    let context = Context {
        graphs: &Imported,
        store: &KeyValue,
        random: random_bytes,
        time_is_up: &|| stopwatch.elapsed() >= reading,
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
