//! A request that cannot be answered, and the one place that writes failure bodies in components.

use std::fmt;

use quartet_api::{Code, FailureBody};

use crate::response::Response;

/// Failure of a request. The message is for the client: it names the field and what is allowed, and nothing internal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Decides the status.
    pub code: Code,
    /// A sentence for a person.
    pub message: String,
    /// The methods that the path has, for `Allow`.
    pub allow: Option<&'static str>,
    /// Seconds until it is worth asking again, for `Retry-After`.
    pub retry_after: Option<u32>,
}

impl Failure {
    /// A failure with a code and a sentence.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            allow: None,
            retry_after: None,
        }
    }

    /// A field with a value that is not allowed. `reason` follows the field's name: "must be …".
    pub fn field(field: &str, reason: impl fmt::Display) -> Self {
        Self::new(Code::InvalidField, format!("field `{field}` {reason}"))
    }

    /// The response that carries it.
    pub fn into_response(self, request_id: Option<&str>) -> Response {
        let body = FailureBody::new(self.code, self.message, request_id);
        let mut response = Response::json(self.code.status(), &body);
        if let Some(allow) = self.allow {
            response.headers.push(("allow", allow.to_owned()));
        }
        if let Some(seconds) = self.retry_after {
            response.headers.push(("retry-after", seconds.to_string()));
        }
        response
    }
}

/// A value from a request as it may be quoted in a message: short, and on one line.
pub fn quoted(value: &str) -> String {
    const MAX_QUOTED_CHARACTERS: usize = 40;
    let mut text: String = value
        .chars()
        .take(MAX_QUOTED_CHARACTERS)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if value.chars().nth(MAX_QUOTED_CHARACTERS).is_some() {
        text.push('…');
    }
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_briefly_and_on_one_line() {
        assert_eq!(quoted("en\nx"), "\"en x\"");
        assert_eq!(quoted(&"a".repeat(41)), format!("\"{}…\"", "a".repeat(40)));
    }

    #[test]
    fn response_has_status_body_and_the_headers_of_its_failure() {
        let mut busy = Failure::new(Code::Busy, "later");
        busy.retry_after = Some(4);
        let response = busy.into_response(None);
        assert_eq!(response.status, 429);
        assert!(response.headers.contains(&("retry-after", "4".to_owned())));
        let mut failure = Failure::new(Code::MethodNotAllowed, "no");
        failure.allow = Some("POST");
        let response = failure.into_response(Some("r"));
        assert_eq!(response.status, 405);
        assert!(response.headers.contains(&("allow", "POST".to_owned())));
        assert!(
            response
                .headers
                .contains(&("content-type", "application/json".to_owned()))
        );
    }
}
