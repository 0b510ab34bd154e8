//! The component: a gate over what its host has.

/// Bindings to the world `edge` in `wit/`.
mod bindings {
    wit_bindgen::generate!({ path: "../../wit", world: "edge", generate_all });
}

use bindings::exports::quartet::edge::gate::{Entry, Guest, Refusal, Standing};
use bindings::wasi::cli::environment;
use bindings::wasi::clocks::wall_clock;
use bindings::wasi::http::types::IncomingRequest;
use bindings::wasi::keyvalue::store;
use bindings::wasi::random::random;
use quartet_api::{Code, REQUEST_ID_HEADER};

use crate::id;
use crate::settings::Settings;
use crate::window::{self, WINDOW, Window};

struct Component;

bindings::export!(Component with_types_in bindings);

impl Guest for Component {
    fn enter(request: &IncomingRequest) -> Option<Entry> {
        let settings = Settings::read(&environment::get_environment());
        let headers = request.headers();
        let given = headers.get(REQUEST_ID_HEADER);
        let request_id =
            id::given(given.first().map(Vec::as_slice)).unwrap_or_else(|| id::made(&random::get_random_bytes(16)));
        let quota = settings.requests_per_minute;
        let standing = (quota > 0).then(|| count(&settings.client(|name| headers.get(name)), quota));
        let (standing, refusal) = match standing {
            None => (None, None),
            Some(Ok(window::Standing {
                remaining,
                reset,
                admitted,
            })) => {
                let refusal = (!admitted).then(|| Refusal {
                    code: Code::RateLimited.word().to_owned(),
                    message: format!(
                        "more than {quota} requests within {} seconds; try again in {reset} seconds",
                        WINDOW / 1000
                    ),
                });
                let standing = Standing {
                    quota,
                    remaining,
                    reset,
                };
                (Some(standing), refusal)
            }
            // Who cannot be counted is not let in: a limit that fails open is none.
            Some(Err(reason)) => {
                eprintln!("request {request_id}: it could not be counted: {reason}");
                let refusal = Refusal {
                    code: Code::Internal.word().to_owned(),
                    message: "the service cannot count requests".to_owned(),
                };
                (None, Some(refusal))
            }
        };
        Some(Entry {
            request_id,
            body_bytes: settings.body_bytes,
            standing,
            refusal,
        })
    }
}

fn count(client: &str, quota: u32) -> Result<window::Standing, String> {
    let words = |error| match error {
        store::Error::NoSuchStore => "there is no store called default".to_owned(),
        store::Error::AccessDenied => "access to the store is denied".to_owned(),
        store::Error::Other(reason) => reason,
    };
    let now = wall_clock::now();
    let now = now.seconds * 1000 + u64::from(now.nanoseconds / 1_000_000);
    let key = format!("rate/{client}");
    let bucket = store::open("default").map_err(words)?;
    let mut window = Window::read(&bucket.get(&key).map_err(words)?.unwrap_or_default());
    let standing = window.count(quota, now);
    if standing.admitted {
        bucket.set(&key, &window.bytes()).map_err(words)?;
    }
    Ok(standing)
}
