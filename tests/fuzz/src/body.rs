//! Stands in for the bodies of responses, whose errors are wasmtime's.

use std::convert::Infallible;

use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;

/// The body of a response.
pub type ResponseBody = UnsyncBoxBody<Bytes, Infallible>;
