//! The only place in the host that turns an error into a response.
//!
//! A failure has two messages: one for the client, with nothing internal in it, and one for the log.

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Response, header};
use http_body_util::Full;
use quartet_api::{Code, FailureBody};

/// A request that fails in the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Code that decides the status.
    pub code: Code,
    /// Message for the client.
    pub message: String,
    /// Detail for the log.
    pub internal: Option<String>,
    /// `Retry-After` in seconds.
    pub retry_after: Option<u64>,
    /// `Allow`.
    pub allow: Option<&'static str>,
    /// `WWW-Authenticate`.
    pub challenge: Option<&'static str>,
}

impl Failure {
    /// A failure with a message for the client.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            internal: None,
            retry_after: None,
            allow: None,
            challenge: None,
        }
    }

    /// An internal failure: the client learns only that there was one.
    pub fn internal(detail: impl Into<String>) -> Self {
        Self::new(
            Code::Internal,
            "an internal failure; the service's log has the details under this request's id",
        )
        .with_internal(detail)
    }

    /// A request without a good key: 401, with the scheme that the client is to use.
    pub fn unauthorised(message: impl Into<String>, challenge: &'static str) -> Self {
        Self {
            challenge: Some(challenge),
            ..Self::new(Code::Unauthorized, message)
        }
    }

    /// Adds detail for the log.
    #[must_use]
    pub fn with_internal(mut self, detail: impl Into<String>) -> Self {
        self.internal = Some(detail.into());
        self
    }

    /// Sets `Retry-After`.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// Writes the response.
    pub fn to_response(&self, request_id: &str) -> Response<Full<Bytes>> {
        let body = FailureBody::new(self.code, self.message.as_str(), Some(request_id));
        let bytes = serde_json::to_vec(&body).unwrap_or_default();
        let mut response = Response::new(Full::new(Bytes::from(bytes)));
        *response.status_mut() =
            http::StatusCode::from_u16(self.code.status()).unwrap_or(http::StatusCode::INTERNAL_SERVER_ERROR);
        let mut set = |name: HeaderName, value: HeaderValue| {
            response.headers_mut().insert(name, value);
        };
        set(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(seconds) = self.retry_after {
            set(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(allow) = self.allow {
            set(header::ALLOW, HeaderValue::from_static(allow));
        }
        if let Some(challenge) = self.challenge {
            set(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;

    #[tokio::test]
    async fn response_carries_everything_but_the_internal_words() {
        let failure = Failure::internal("secret").retry_after(3);
        let response = failure.to_response("r1");
        assert_eq!(response.status(), 500);
        assert_eq!(response.headers()["retry-after"], "3");
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let body = std::str::from_utf8(&body).unwrap();
        assert!(body.contains(r#""code":"internal","requestId":"r1""#), "{body}");
        assert!(!body.contains("secret"));
    }
}
