//! A capability of one's own: how many words a text has. `docs/write-a-component.md` builds it and has it served.

#[cfg(target_arch = "wasm32")]
mod component {
    use quartet_api::Code;
    use quartet_api::operations::{Answer, Method, Operation};
    use quartet_component_sdk::wasi::bindings::{self, exports};
    use quartet_component_sdk::wasi::http_types::{IncomingRequest, ResponseOutparam};
    use quartet_component_sdk::{Failure, Request, Response, Route, json};
    use serde::{Deserialize, Serialize};

    const ROUTES: &[Route] = &[
        Route {
            operation: &Operation {
                method: Method::Post,
                path: "/api/v1/words/count",
                answer: Answer::Whole,
                summary: "How many words and characters a text has",
            },
            handler: count,
        },
        Route {
            operation: &Operation {
                method: Method::Get,
                path: "/api/v1/words/info",
                answer: Answer::Whole,
                summary: "What counts as a word",
            },
            handler: info,
        },
    ];

    #[derive(Deserialize)]
    struct Question {
        text: String,
    }

    #[derive(Serialize)]
    struct Count {
        words: usize,
        characters: usize,
    }

    fn count(request: &mut Request) -> Result<Response, Failure> {
        let Question { text } = json::read(request)?;
        if text.trim().is_empty() {
            return Err(Failure::new(Code::InvalidField, "`text` is empty; it takes a text"));
        }
        Ok(Response::success(&Count {
            words: text.split_whitespace().count(),
            characters: text.chars().count(),
        }))
    }

    #[derive(Serialize)]
    struct Info {
        word: &'static str,
    }

    fn info(_: &mut Request) -> Result<Response, Failure> {
        Ok(Response::success(&Info {
            word: "what stands between white space",
        }))
    }

    struct Component;

    impl bindings::Guest for Component {
        /// Runs once, when the component is finished: what it leaves in memory is in every instance.
        fn init() {}
    }

    impl exports::wasi::http::incoming_handler::Guest for Component {
        fn handle(request: IncomingRequest, response: ResponseOutparam) {
            quartet_component_sdk::wasi::serve(ROUTES, request, response);
        }
    }

    bindings::export!(Component with_types_in quartet_component_sdk::wasi::bindings);
}
