//! Failures: the statuses of an operation, the words that tell them apart, and the headers that come with them.

use std::collections::{BTreeMap, BTreeSet};

use schemars::Schema;
use serde_json::{Map, Value, json};

use super::headers;
use crate::Code;

/// Failures of everything that has a path.
pub const HOST: &[Code] = &[
    Code::MalformedRequest,
    Code::Unauthorized,
    Code::Forbidden,
    Code::NotFound,
    Code::MethodNotAllowed,
    Code::UriTooLong,
    Code::RateLimited,
    Code::Busy,
    Code::HeadersTooLarge,
    Code::Internal,
    Code::Unavailable,
];

/// Failures of every operation, besides.
pub const OPERATION: &[Code] = &[
    Code::MemoryExhausted,
    Code::StackExhausted,
    Code::ResponseTooLarge,
    Code::DeadlineExceeded,
    Code::ComputeExhausted,
];

/// Failures of every operation with a body, besides.
pub const WITH_BODY: &[Code] = &[
    Code::MissingField,
    Code::InvalidField,
    Code::RequestTimeout,
    Code::PayloadTooLarge,
    Code::UnsupportedMediaType,
];

/// Failures that none of the service's clients meet, but those of its admin interface.
const ADMIN: &[Code] = &[Code::ComponentRefused];

/// All that a client can meet.
pub fn all() -> impl Iterator<Item = &'static Code> {
    Code::ALL.iter().filter(|code| !ADMIN.contains(code))
}

/// Adds the answers of these failures, by their statuses.
pub fn add<'a>(answers: &mut Map<String, Value>, codes: impl IntoIterator<Item = &'a Code>, failure: &Schema) {
    let mut words: BTreeMap<u16, BTreeSet<&'static str>> = BTreeMap::new();
    for code in codes {
        words.entry(code.status()).or_default().insert(code.word());
    }
    for (status, words) in words {
        let words: Vec<_> = words.into_iter().map(|word| format!("`{word}`")).collect();
        let own = match status {
            401 => Some("WWW-Authenticate"),
            405 => Some("Allow"),
            429 => Some("Retry-After"),
            _ => None,
        };
        let answer = json!({
            "description": words.join(", "),
            "headers": headers::of(headers::ALWAYS.iter().chain(&own)),
            "content": {"application/json": {"schema": failure}},
        });
        answers.insert(status.to_string(), answer);
    }
}
