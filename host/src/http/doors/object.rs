//! Bodies of requests: a JSON object of which doors take what they know.

use quartet_api::Code;
use quartet_api::failure::excerpt;
use quartet_api::mismatch::mismatch;
use serde_json::{Map, Value};

use crate::failure::Failure;

/// Reads a body.
///
/// # Errors
/// When it is no JSON object.
pub fn read(body: &[u8]) -> Result<Map<String, Value>, Failure> {
    serde_json::from_slice(body).map_err(|error| {
        let problem = match mismatch(&error.to_string()) {
            Some(problem) => format!("the body {problem}"),
            None => format!("the body is no JSON object: {}", excerpt(&error)),
        };
        Failure::new(Code::InvalidJson, problem)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_does_not_repeat_the_body() {
        let body = format!("\"{}\"", "x".repeat(100_000));
        let failure = read(body.as_bytes()).unwrap_err();
        assert_eq!(failure.code, Code::InvalidJson);
        assert_eq!(failure.message, "the body must be an object, not a string");
    }
}
