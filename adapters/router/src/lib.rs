//! All capabilities behind one handler: for hosts that serve one component at a port, and do not choose by path themselves.

#[cfg(target_arch = "wasm32")]
mod component {
    use quartet_api::{BASE_PATH, Capability};
    use quartet_component_sdk::wasi::bindings;
    use quartet_component_sdk::wasi::http_types::{IncomingRequest, ResponseOutparam};

    /// Bindings to the world `router-imports` in `wit/`.
    mod imports {
        wit_bindgen::generate!({
            path: "../../wit",
            world: "router-imports",
            with: {
                "wasi:http/types@0.2.12": quartet_component_sdk::wasi::bindings::wasi::http::types,
                "wasi:io/error@0.2.12": quartet_component_sdk::wasi::bindings::wasi::io::error,
                "wasi:io/poll@0.2.12": quartet_component_sdk::wasi::bindings::wasi::io::poll,
                "wasi:io/streams@0.2.12": quartet_component_sdk::wasi::bindings::wasi::io::streams,
                "wasi:clocks/monotonic-clock@0.2.12": quartet_component_sdk::wasi::bindings::wasi::clocks::monotonic_clock,
            },
            generate_all,
        });
    }

    use imports::quartet::router;

    struct Component;

    impl bindings::Guest for Component {
        fn init() {}
    }

    impl bindings::exports::wasi::http::incoming_handler::Guest for Component {
        fn handle(request: IncomingRequest, response: ResponseOutparam) {
            match capability(&request) {
                Some(Capability::Tts) => router::tts::handle(request, response),
                Some(Capability::Image) => router::image::handle(request, response),
                Some(Capability::Pdf) => router::pdf::handle(request, response),
                Some(Capability::Chat) => router::chat::handle(request, response),
                // It says that there is no such operation, in the service's words.
                None => quartet_component_sdk::wasi::serve(&[], request, response),
            }
        }
    }

    bindings::export!(Component with_types_in quartet_component_sdk::wasi::bindings);

    /// Whose path it is. What that has not, it says itself.
    fn capability(request: &IncomingRequest) -> Option<Capability> {
        let target = request.path_with_query()?;
        let path = target.split('?').next()?;
        let group = path.strip_prefix(BASE_PATH)?.strip_prefix('/')?.split('/').next()?;
        Capability::from_name(group)
    }
}
