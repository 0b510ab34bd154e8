//! The component: its exports, its routes, and its imports as the context of the operations.

mod clock;
mod imports;
mod network;

use std::rc::Rc;

use jiff::civil::DateTime;
use quartet_api::operations as paths;
use quartet_component_sdk::keyvalue::KeyValue;
use quartet_component_sdk::wasi::bindings;
use quartet_component_sdk::wasi::http_types::{IncomingRequest, ResponseOutparam};
use quartet_component_sdk::{Failure, Request, Response, ResponseTime, Route};
use quartet_llm_client::import::Imported;

use crate::context::Context;
use crate::operations::{self, Operation};
use crate::search::Settings;
use clock::RequestClock;
use imports::wasi::clocks::wall_clock;
use imports::wasi::random::random;

struct Component;

impl bindings::Guest for Component {
    fn init() {
        crate::calculate::init();
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
        operation: &paths::CHAT,
        handler: |request| answer(operations::chat, request),
    },
    Route {
        operation: &paths::CHAT_FORGET,
        handler: |request| answer(operations::forget, request),
    },
    Route {
        operation: &paths::CHAT_INFO,
        handler: |request| answer(operations::info, request),
    },
];

fn answer(operation: Operation, request: &mut Request) -> Result<Response, Failure> {
    let clock = Rc::new(RequestClock::start());
    let context = Context {
        model: Rc::new(Imported),
        store: Rc::new(KeyValue),
        web: Rc::new(network::Network(Rc::clone(&clock))),
        clock,
        now: now(),
        random: || {
            let bytes = random::get_random_bytes(16);
            std::array::from_fn(|index| bytes.get(index).copied().unwrap_or_default())
        },
        search: Settings::of(variable),
        response_time: ResponseTime::of(variable),
    };
    operation(request, &context)
}

/// A variable of the environment.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The date and time in UTC.
fn now() -> Option<DateTime> {
    let seconds = i64::try_from(wall_clock::now().seconds).ok()?;
    let time = jiff::Timestamp::from_second(seconds).ok()?;
    Some(jiff::tz::Offset::UTC.to_datetime(time))
}
