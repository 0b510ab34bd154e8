//! The HTTP edge that all components of Quartet share.
//!
//! A component is a table of [`Route`]s. This crate finds the route of a request, reads JSON and multipart bodies
//! with errors that name the field, writes envelopes and failures, and streams bodies, so that no component writes a
//! status code or an envelope by hand. Everything but `wasi` and `keyvalue` is plain Rust and tested without a runtime;
//! `wasi` connects it to `wasi:http`, `keyvalue` to a store.
//!
//! ```
//! use quartet_api::operations::TTS_LANGUAGES;
//! use quartet_component_sdk::{Request, Response, Route, answer};
//!
//! const ROUTES: &[Route] = &[Route {
//!     operation: &TTS_LANGUAGES,
//!     handler: |_request| Ok(Response::success(&["en", "de"])),
//! }];
//!
//! let mut request = Request {
//!     method: "GET".to_owned(),
//!     path: TTS_LANGUAGES.path.to_owned(),
//!     secure: false,
//!     headers: Vec::new(),
//!     body: Box::new(std::io::empty()),
//! };
//! assert_eq!(answer(ROUTES, &mut request).status, 200);
//! ```

mod bounded_body;
pub mod edge;
pub mod failure;
pub mod json;
#[cfg(target_arch = "wasm32")]
pub mod keyvalue;
pub mod multipart;
pub mod request;
pub mod response;
pub mod response_time;
pub mod route;
pub mod session;
#[cfg(target_arch = "wasm32")]
pub mod system;
pub mod uploads;
#[cfg(target_arch = "wasm32")]
pub mod wasi;

pub use failure::Failure;
pub use request::Request;
pub use response::{Body, Response, write_event};
pub use response_time::ResponseTime;
pub use route::{Route, answer};
pub use session::Session;
pub use uploads::{Store, Uploads};
