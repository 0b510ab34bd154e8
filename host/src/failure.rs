//! The only place in the host that turns an error into a response.
//!
//! A failure has two messages: one for the client, with nothing internal in it, and one for the log.

use std::fmt;

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Response, header};
use http_body_util::Full;
use quartet_api::{Code, FailureBody};
use serde::Serialize;
use serde_json::json;

/// The service whose form a failure is told in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// OpenAI's.
    OpenAi,
    /// Mistral's.
    Mistral,
    /// docling-serve's.
    Docling,
    /// Tika's.
    Tika,
    /// An error of JSON-RPC, as the Model Context Protocol has it.
    Mcp,
    /// Our own: Open WebUI asks for none.
    Own,
}

/// JSON-RPC's code for a request that is not as it should be.
const INVALID_REQUEST: i32 = -32600;

/// JSON-RPC's code for a failure inside.
const INTERNAL_ERROR: i32 = -32603;

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
    /// Detail for clients of OpenAI's API. In a box, because few failures have it and results carry all.
    openai: Option<Box<OpenAiDetail>>,
}

/// The fields of a failure that only OpenAI's API has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct OpenAiDetail {
    /// The field that is wrong.
    field: Option<String>,
    /// A code that clients look for, where ours has another name.
    code: Option<&'static str>,
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
            openai: None,
        }
    }

    /// A field with a value that is not allowed; the problem goes on after the field's name.
    pub fn field(field: impl Into<String>, problem: impl fmt::Display) -> Self {
        let field = field.into();
        Self::new(Code::InvalidField, format!("field `{field}` {problem}")).of_field(field)
    }

    /// A field that is required and not there.
    pub fn missing_field(field: &str, takes: impl fmt::Display) -> Self {
        let message = format!("field `{field}` is missing; it takes {takes}");
        Self::new(Code::MissingField, message).of_field(field)
    }

    /// Names the field that is wrong.
    #[must_use]
    pub fn of_field(mut self, field: impl Into<String>) -> Self {
        self.openai.get_or_insert_default().field = Some(field.into());
        self
    }

    /// Sets the code that clients of OpenAI's API look for.
    #[must_use]
    pub fn openai_code(mut self, code: &'static str) -> Self {
        self.openai.get_or_insert_default().code = Some(code);
        self
    }

    /// The field that is wrong, where it is named.
    pub fn wrong_field(&self) -> Option<&str> {
        self.openai.as_ref()?.field.as_deref()
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
        self.respond(serde_json::to_vec(&body).unwrap_or_default())
    }

    /// Writes the response for a client of another service.
    pub fn to_response_in(&self, form: Form, request_id: &str) -> Response<Full<Bytes>> {
        let message = &self.message;
        let document = match form {
            Form::Own => return self.to_response(request_id),
            Form::OpenAi => return self.respond(serde_json::to_vec(&self.to_openai()).unwrap_or_default()),
            Form::Docling => json!({ "detail": message }),
            Form::Mistral => json!({
                "object": "error",
                "message": message,
                "type": OpenAiFailure::kind(self.code.status()),
                "param": self.wrong_field(),
                "code": self.code.word(),
            }),
            Form::Mcp => json!({
                "jsonrpc": "2.0",
                // Of which request of JSON-RPC it is was not looked at.
                "id": null,
                "error": {
                    "code": if self.code.status() < 500 { INVALID_REQUEST } else { INTERNAL_ERROR },
                    "message": message,
                    "data": { "code": self.code.word(), "requestId": request_id },
                },
            }),
            Form::Tika => {
                let mut response = self.respond(format!("{message}\n").into_bytes());
                let text = HeaderValue::from_static("text/plain; charset=utf-8");
                response.headers_mut().insert(header::CONTENT_TYPE, text);
                return response;
            }
        };
        self.respond(document.to_string().into_bytes())
    }

    /// The body of the failure for a client of OpenAI's API.
    pub fn to_openai(&self) -> OpenAiFailure {
        let own = self.openai.as_ref().and_then(|detail| detail.code);
        let code = own.unwrap_or(match self.code {
            Code::Unauthorized => "invalid_api_key",
            Code::RateLimited => "rate_limit_exceeded",
            code => code.word(),
        });
        let field = self.wrong_field().map(str::to_owned);
        OpenAiFailure::new(self.code.status(), &self.message, field, code)
    }

    fn respond(&self, bytes: Vec<u8>) -> Response<Full<Bytes>> {
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

/// The body of a failure as OpenAI's API has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenAiFailure {
    error: OpenAiError,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct OpenAiError {
    message: String,
    r#type: &'static str,
    param: Option<String>,
    code: String,
}

impl OpenAiFailure {
    /// A failure with this status.
    pub fn new(status: u16, message: &str, field: Option<String>, code: &str) -> Self {
        Self {
            error: OpenAiError {
                message: message.to_owned(),
                r#type: Self::kind(status),
                param: field,
                code: code.to_owned(),
            },
        }
    }

    /// The kind of failures with a status.
    const fn kind(status: u16) -> &'static str {
        match status {
            429 => "rate_limit_error",
            500.. => "server_error",
            _ => "invalid_request_error",
        }
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

    #[tokio::test]
    async fn clients_of_other_services_get_their_shapes() {
        let failure = Failure::field("pages", "is wrong");
        for (form, media_type, expected) in [
            (Form::Tika, "text/plain; charset=utf-8", "field `pages` is wrong\n"),
            (
                Form::Docling,
                "application/json",
                r#"{"detail":"field `pages` is wrong"}"#,
            ),
            (
                Form::Mcp,
                "application/json",
                r#"{"error":{"code":-32600,"data":{"code":"invalid_field","requestId":"r1"},"message":"field `pages` is wrong"},"id":null,"jsonrpc":"2.0"}"#,
            ),
            (
                Form::Mistral,
                "application/json",
                r#"{"code":"invalid_field","message":"field `pages` is wrong","object":"error","param":"pages","type":"invalid_request_error"}"#,
            ),
        ] {
            let response = failure.to_response_in(form, "r1");
            assert_eq!(
                (response.status().as_u16(), &response.headers()["content-type"]),
                (400, &HeaderValue::from_static(media_type))
            );
            let body = response.into_body().collect().await.unwrap().to_bytes();
            assert_eq!(body, expected.as_bytes());
        }
    }

    #[test]
    fn clients_of_openai_get_its_shape() {
        let body = |failure: &Failure| serde_json::to_string(&failure.to_openai()).unwrap();
        assert_eq!(
            body(&Failure::field("n", "is 2; it takes 1")),
            r#"{"error":{"message":"field `n` is 2; it takes 1","type":"invalid_request_error","param":"n","code":"invalid_field"}}"#
        );
        assert!(
            body(&Failure::new(Code::Busy, "full")).contains(r#""type":"rate_limit_error","param":null,"code":"busy""#)
        );
        assert!(body(&Failure::unauthorised("no", "Bearer")).contains(r#""code":"invalid_api_key""#));
        assert!(body(&Failure::internal("secret")).contains(r#""type":"server_error""#));
    }
}
