//! A component that hands an HTTP request on to the language model, and its answer back as it is written, one JSON document a
//! line. It serves as the image component, whose probe it passes. Not part of the service.

#![cfg(target_arch = "wasm32")]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quartet_api::Code;
use quartet_api::operations::{IMAGE_ANALYZE, IMAGE_CHAT, IMAGE_DETECT_OBJECTS, IMAGE_EXTRACT_TEXT};
use quartet_component_sdk::wasi::bindings::{self, exports};
use quartet_component_sdk::wasi::http_types::{IncomingRequest, ResponseOutparam};
use quartet_component_sdk::{Failure, Request, Response, Route, json};
use serde::Deserialize;
use serde_json::{Value, json};

/// Bindings to the world `language-model-client` in `wit/`.
#[allow(missing_docs, reason = "generated from wit/, where the documentation is")]
mod language {
    wit_bindgen::generate!({ path: "../../../wit", world: "language-model-client", generate_all });
}

use language::quartet::language_model::chat::{self, Error, Finish, Generation, Options, Picture, Role, Turn};

struct Asking;

bindings::export!(Asking with_types_in quartet_component_sdk::wasi::bindings);

impl bindings::Guest for Asking {
    fn init() {}
}

impl exports::wasi::http::incoming_handler::Guest for Asking {
    fn handle(request: IncomingRequest, out: ResponseOutparam) {
        quartet_component_sdk::wasi::serve(ROUTES, request, out);
    }
}

const ROUTES: &[Route] = &[
    Route {
        operation: &IMAGE_CHAT,
        handler: ask,
    },
    Route {
        operation: &IMAGE_ANALYZE,
        handler: no_upload,
    },
    Route {
        operation: &IMAGE_EXTRACT_TEXT,
        handler: no_upload,
    },
    Route {
        operation: &IMAGE_DETECT_OBJECTS,
        handler: no_upload,
    },
];

fn no_upload(_: &mut Request) -> Result<Response, Failure> {
    Err(Failure::new(
        Code::UnsupportedMediaType,
        "this component takes no uploads",
    ))
}

/// A question to the model.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Question {
    /// Only the probe sends one.
    image_id: Option<String>,
    /// Role, text, and for the last turn a PNG file in Base64.
    #[serde(default)]
    turns: Vec<(String, String)>,
    picture: Option<String>,
    /// True to have the turns read ahead instead.
    #[serde(default)]
    prepare: bool,
    max_tokens: Option<u32>,
    max_milliseconds: Option<u32>,
    temperature: Option<f32>,
    top_p: Option<f32>,
    seed: Option<u32>,
    #[serde(default)]
    stop: Vec<String>,
    json_schema: Option<Value>,
    /// True to be told how likely each token was.
    #[serde(default)]
    token_probabilities: bool,
}

fn ask(request: &mut Request) -> Result<Response, Failure> {
    let question: Question = json::read(request)?;
    if question.image_id.is_some() {
        return Err(Failure::new(Code::UnknownUpload, "this component keeps no uploads"));
    }
    let mut turns: Vec<_> = question.turns.into_iter().map(turn).collect();
    if let (Some(picture), Some(last)) = (question.picture, turns.last_mut()) {
        last.pictures.push(Picture {
            media_type: "image/png".to_owned(),
            data: STANDARD.decode(picture).unwrap_or_default(),
        });
    }
    let options = Options {
        max_tokens: question.max_tokens,
        max_milliseconds: question.max_milliseconds,
        temperature: question.temperature,
        top_p: question.top_p,
        seed: question.seed,
        stop: question.stop,
        json_schema: question.json_schema.map(|schema| schema.to_string()),
        token_probabilities: question.token_probabilities,
    };
    let model = match chat::info() {
        Ok(model) => json!({
            "model": model.name, "context": model.context, "sees": model.sees, "remote": model.remote,
            "schemas": model.schemas, "tools": model.tools, "reading_speed": model.reading_speed,
        }),
        Err(error) => told(error),
    };
    let lines: Box<dyn Iterator<Item = Value>> = if question.prepare {
        Box::new(std::iter::once(match chat::prepare(&turns) {
            Ok(size) => json!({"prepared": size.map(|size| json!({
                "tokens": size.tokens,
                "cachedTokens": size.cached_tokens,
            }))}),
            Err(error) => told(error),
        }))
    } else {
        match chat::generate(&turns, &options) {
            Ok(generation) => Box::new(Answer {
                generation,
                over: false,
            }),
            Err(error) => Box::new(std::iter::once(told(error))),
        }
    };
    let lines = std::iter::once(model).chain(lines);
    Ok(Response::json_stream(
        None,
        lines.map(|line| format!("{line}\n").into_bytes()),
    ))
}

struct Answer {
    generation: Generation,
    over: bool,
}

impl Iterator for Answer {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        if self.over {
            return None;
        }
        let next = self.generation.next();
        self.over = !matches!(next, Ok(Some(_)));
        Some(match next {
            Ok(Some(piece)) => json!({"piece": piece}),
            Ok(None) => {
                let outcome = self.generation.outcome();
                let tokens = self.generation.tokens();
                let tokens: Vec<_> = tokens
                    .iter()
                    .map(|token| json!([token.bytes, token.probability]))
                    .collect();
                json!({"tokens": tokens, "outcome": outcome.map(|outcome| json!({
                    "finish": match outcome.finish {
                        Finish::Stop => "stop",
                        Finish::Length => "length",
                        Finish::Time => "time",
                    },
                    "promptTokens": outcome.prompt_tokens,
                    "cachedTokens": outcome.cached_tokens,
                    "answerTokens": outcome.answer_tokens,
                    "probability": outcome.probability,
                }))})
            }
            Err(error) => told(error),
        })
    }
}

fn turn((role, text): (String, String)) -> Turn {
    Turn {
        role: match role.as_str() {
            "system" => Role::System,
            "assistant" => Role::Assistant,
            _ => Role::User,
        },
        text,
        pictures: Vec::new(),
    }
}

fn told(error: Error) -> Value {
    let (word, what) = match error {
        Error::MissingModel(what) => ("missing-model", json!(what)),
        Error::Unavailable(what) => ("unavailable", json!(what)),
        Error::InvalidInput(what) => ("invalid-input", json!(what)),
        Error::TooLong((tokens, most)) => ("too-long", json!([tokens, most])),
        Error::Failed(what) => ("failed", json!(what)),
        Error::Busy(seconds) => ("busy", json!(seconds)),
    };
    json!({"error": word, "what": what})
}

/// The C library's `getenv`, by the linker's `--wrap`: nothing is set, and the environment is no import of a component.
#[unsafe(no_mangle)]
extern "C" fn __wrap_getenv(_: *const std::ffi::c_char) -> *mut std::ffi::c_char {
    std::ptr::null_mut()
}
