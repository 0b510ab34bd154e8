//! Failures: the one table of codes and statuses, and the body that carries them.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $word:literal, $status:literal;)*) => {
        /// Reason for a failure, as a stable word that programs can compare.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The word in the failure body's `code`.
            pub const fn word(self) -> &'static str {
                match self { $(Code::$name => $word,)* }
            }

            /// The HTTP status that goes with it: always 4xx or 5xx.
            pub const fn status(self) -> u16 {
                match self { $(Code::$name => $status,)* }
            }
        }
    };
}

codes! {
    /// The request line, the headers or the framing of the body are not HTTP.
    MalformedRequest = "malformed_request", 400;
    /// The body is not JSON, or not UTF-8.
    InvalidJson = "invalid_json", 400;
    /// The body is not well-formed multipart form data.
    InvalidMultipart = "invalid_multipart", 400;
    /// A required field or part is missing.
    MissingField = "missing_field", 400;
    /// A field has the wrong type or a value that is not allowed.
    InvalidField = "invalid_field", 400;
    /// The text has nothing in it that can be spoken.
    NothingToSpeak = "nothing_to_speak", 400;
    /// The file begins as a picture, but is damaged or ends early.
    InvalidPicture = "invalid_picture", 400;
    /// The document is so damaged that nothing of it can be found.
    InvalidDocument = "invalid_document", 400;
    /// The document opens with a password only, or is encrypted in a way that is not known.
    PasswordNeeded = "password_needed", 400;
    /// The question is about an earlier upload, and nothing says which.
    NoUpload = "no_upload", 400;
    /// The request has no key, or one that is not good; `WWW-Authenticate` says how to send one.
    Unauthorized = "unauthorized", 401;
    /// The key is not for this, or pages of this origin may not use the service.
    Forbidden = "forbidden", 403;
    /// No operation has this path.
    NotFound = "not_found", 404;
    /// No upload of this client has this id, or it was forgotten.
    UnknownUpload = "unknown_upload", 404;
    /// No conversation of this client has this id, or it was forgotten.
    UnknownConversation = "unknown_conversation", 404;
    /// The path exists, for another method; `Allow` names it.
    MethodNotAllowed = "method_not_allowed", 405;
    /// The request conflicts with the present state.
    Conflict = "conflict", 409;
    /// The request's body did not arrive in time.
    RequestTimeout = "request_timeout", 408;
    /// The request's body is larger than allowed.
    PayloadTooLarge = "payload_too_large", 413;
    /// The text makes more audio than this operation can answer with.
    TextTooLong = "text_too_long", 413;
    /// The picture has more pixels than allowed.
    PictureTooLarge = "picture_too_large", 413;
    /// The document has more in it than one request may read.
    DocumentTooLarge = "document_too_large", 413;
    /// The path and query are longer than allowed.
    UriTooLong = "uri_too_long", 414;
    /// The body's content type is not the operation's, or the file is of a kind that is not read.
    UnsupportedMediaType = "unsupported_media_type", 415;
    /// A version of a component does not pass; the sentence says at which step and why.
    ComponentRefused = "component_refused", 422;
    /// The request needed more memory than one request may use; the sentence says how much that is, and what to send instead.
    MemoryExhausted = "memory_exhausted", 422;
    /// The headers are larger or more than allowed.
    HeadersTooLarge = "headers_too_large", 431;
    /// This client sent more requests than it may; `Retry-After` says when to go on.
    RateLimited = "rate_limited", 429;
    /// The service is full; `Retry-After` says when to try again.
    Busy = "busy", 429;
    /// Something inside failed; the log has the details under the request id.
    Internal = "internal", 500;
    /// The request nested deeper than one request may.
    StackExhausted = "stack_exhausted", 500;
    /// The answer was larger than a response may be.
    ResponseTooLarge = "response_too_large", 500;
    /// The capability behind this path is not loaded, or the service is shutting down.
    Unavailable = "unavailable", 503;
    /// The answer was not complete within the time to respond.
    DeadlineExceeded = "deadline_exceeded", 504;
    /// The request needed more computation than one request may use.
    ComputeExhausted = "compute_exhausted", 504;
}

impl Code {
    /// The code with this word.
    pub fn from_word(word: &str) -> Option<Code> {
        Self::ALL.iter().copied().find(|code| code.word() == word)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The body of every failed request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FailureBody {
    /// Always false.
    #[cfg_attr(feature = "schema", schemars(extend("const" = false)))]
    pub success: bool,
    /// A sentence for a person: what was wrong, and what is allowed.
    pub error: String,
    /// A [`Code`]'s word.
    pub code: String,
    /// The request's name in the service's log; absent where the host gave none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

impl FailureBody {
    /// The body for a code and a sentence.
    pub fn new(code: Code, error: impl Into<String>, request_id: Option<&str>) -> Self {
        Self {
            success: false,
            error: error.into(),
            code: code.word().to_owned(),
            request_id: request_id.map(str::to_owned),
        }
    }
}

/// Characters that an excerpt has of the beginning, and of the end.
const EXCERPT_CHARACTERS: usize = 150;

/// Words that may repeat what a client sent, at whatever length: their beginning and their end, where parsers say what they
/// expected.
pub fn excerpt(words: &(impl fmt::Display + ?Sized)) -> String {
    let words = words.to_string();
    let begin = words.char_indices().nth(EXCERPT_CHARACTERS).map(|(at, _)| at);
    let end = words.char_indices().rev().nth(EXCERPT_CHARACTERS - 1).map(|(at, _)| at);
    match (begin, end) {
        (Some(begin), Some(end)) if begin < end => format!("{}…{}", &words[..begin], &words[end..]),
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_is_a_failure_and_every_word_is_unique() {
        for (index, code) in Code::ALL.iter().enumerate() {
            assert!((400..600).contains(&code.status()), "{code}");
            assert_eq!(Code::from_word(code.word()), Some(*code));
            assert!(
                !Code::ALL[..index].iter().any(|other| other.word() == code.word()),
                "{code} twice"
            );
        }
    }

    #[test]
    fn body_has_the_documented_shape() {
        let body = FailureBody::new(Code::InvalidField, "no", Some("r1"));
        assert_eq!(
            serde_json::to_string(&body).unwrap(),
            r#"{"success":false,"error":"no","code":"invalid_field","requestId":"r1"}"#
        );
        let without = FailureBody::new(Code::Internal, "no", None);
        assert!(!serde_json::to_string(&without).unwrap().contains("requestId"));
    }

    #[test]
    fn excerpts_keep_both_ends() {
        for length in [0, 1, 150, 300] {
            let text = "é".repeat(length);
            assert_eq!(excerpt(&text), text);
        }
        let short = excerpt(&format!("a{}b", "é".repeat(1_000)));
        assert!(
            short.starts_with('a') && short.ends_with('b') && short.chars().count() == 301,
            "{short}"
        );
    }
}
