//! Text to speech in twelve languages and five voices, as a WebAssembly component.
//!
//! [`operations`] answers requests; [`text`] turns what people write into clauses that can be said; [`japanese`] reads
//! kanji; [`speech`] makes samples of clauses; [`wav`] and [`encode`] wrap samples. Only this file knows that there is a component:
//! everything else is plain Rust, without files, clock, randomness or network, and is tested natively.

pub mod encode;
pub mod japanese;
pub mod operations;
pub mod speech;
pub mod text;
pub mod wav;

#[cfg(target_arch = "wasm32")]
mod component {
    use quartet_guest::wasi::bindings;
    use quartet_guest::wasi::http_types::{IncomingRequest, ResponseOutparam};

    struct Component;

    impl bindings::Guest for Component {
        fn init() {
            crate::japanese::init();
            crate::speech::init();
        }
    }

    impl bindings::exports::wasi::http::incoming_handler::Guest for Component {
        fn handle(request: IncomingRequest, response: ResponseOutparam) {
            quartet_guest::wasi::serve(crate::operations::ROUTES, request, response);
        }
    }

    bindings::export!(Component with_types_in quartet_guest::wasi::bindings);
}
