//! Cross-origin resource sharing (CORS): pages of other origins that may use the service from a browser. By default
//! none.
//!
//! Written here and not taken from `tower-http`: that one is a layer around a tower service, and the host has none; its
//! answers do not have the shape of ours; and what is left of it, with fixed methods and headers and never a cookie, is
//! this file.

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use http::{HeaderMap, HeaderValue, Method};
use quartet_api::Code;

use crate::failure::Failure;

/// Methods of all operations, and of jobs.
const ALLOWED_METHODS: &str = "GET, POST, DELETE";

/// Headers that a page may send besides those that any page may: ours, those of the package `openai`, which describes
/// the machine that it runs on with every request and cannot be told not to, and those of the Model Context Protocol.
const ALLOWED_HEADERS: &str = "authorization, content-type, x-api-key, x-request-id, openai-organization, \
                               openai-project, user-agent, x-stainless-arch, x-stainless-custom-poll-interval, \
                               x-stainless-helper-method, x-stainless-lang, x-stainless-os, \
                               x-stainless-package-version, x-stainless-poll-helper, x-stainless-retry-count, \
                               x-stainless-runtime, x-stainless-runtime-version, x-stainless-timeout, \
                               mcp-method, mcp-name, mcp-protocol-version, prefer";

/// Headers that a page may read besides those that any page may.
const EXPOSED_HEADERS: &str = "content-disposition, location, preference-applied, ratelimit, ratelimit-policy, retry-after, server-timing, \
                                x-quartet-component, x-request-id, x-speech-engine, x-speech-warnings";

/// Seconds for which a browser may keep the answer to a preflight request: Chromium's maximum.
const MAX_AGE_SECONDS: &str = "7200";

/// The origin in the settings that stands for all.
pub const ANY_ORIGIN: &str = "*";

/// The origins whose pages may use the service.
#[derive(Debug, Clone, Default)]
pub enum Origins {
    /// No other origin: browsers keep their pages away.
    #[default]
    None,
    /// These origins.
    Listed(Vec<HeaderValue>),
    /// Any origin.
    All,
}

impl From<&[HeaderValue]> for Origins {
    fn from(origins: &[HeaderValue]) -> Self {
        match origins {
            [] => Self::None,
            [any] if any == ANY_ORIGIN => Self::All,
            listed => Self::Listed(listed.to_vec()),
        }
    }
}

/// The CORS decision for a request's origin.
#[derive(Debug, Clone)]
pub enum Answer {
    /// No header: no page of another origin may read the response.
    Silent,
    /// No header for this origin, but another one's answer would differ.
    Refused,
    /// This origin may read the response.
    Allowed(HeaderValue),
    /// Any origin may read the response.
    All,
}

impl Origins {
    /// Decides about a request's origin.
    pub fn answer(&self, headers: &HeaderMap) -> Answer {
        match self {
            Origins::None => Answer::Silent,
            Origins::All => Answer::All,
            Origins::Listed(listed) => match headers.get(ORIGIN) {
                Some(origin) if listed.contains(origin) => Answer::Allowed(origin.clone()),
                _ => Answer::Refused,
            },
        }
    }

    /// Answers a preflight request, in which a browser asks whether a page may send another one. `None` when
    /// it is no such question, or no origin is allowed at all and the request is treated like any other.
    pub fn preflight(&self, method: &Method, headers: &HeaderMap) -> Option<Result<(), Failure>> {
        let asks = method == Method::OPTIONS
            && !matches!(self, Origins::None)
            && headers.contains_key(ORIGIN)
            && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        asks.then(|| match self.answer(headers) {
            Answer::Allowed(_) | Answer::All => Ok(()),
            Answer::Silent | Answer::Refused => Err(Failure::new(
                Code::Forbidden,
                "pages of this origin may not use the service",
            )),
        })
    }
}

impl Answer {
    /// Sets the headers that every response has.
    pub fn set(self, headers: &mut HeaderMap) {
        let origin = match self {
            Answer::Silent => return,
            Answer::Refused => {
                headers.append(VARY, HeaderValue::from_static("origin"));
                return;
            }
            Answer::Allowed(origin) => {
                headers.append(VARY, HeaderValue::from_static("origin"));
                origin
            }
            Answer::All => HeaderValue::from_static("*"),
        };
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED_HEADERS));
    }
}

/// Sets the headers of the response to an allowed preflight request.
pub fn allow(headers: &mut HeaderMap) {
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(ALLOWED_METHODS));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(ALLOWED_HEADERS));
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE_SECONDS));
    headers.append(
        VARY,
        HeaderValue::from_static("access-control-request-method, access-control-request-headers"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartet_api::operations::OPERATIONS;

    fn headers(origin: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(ORIGIN, HeaderValue::from_static(origin));
        headers.insert(ACCESS_CONTROL_REQUEST_METHOD, HeaderValue::from_static("POST"));
        headers
    }

    fn answered(origins: &Origins, origin: &'static str) -> HeaderMap {
        let mut response = HeaderMap::new();
        origins.answer(&headers(origin)).set(&mut response);
        response
    }

    fn listed() -> Origins {
        Origins::Listed(vec![HeaderValue::from_static("https://a.example")])
    }

    #[test]
    fn by_default_nothing_is_said() {
        assert!(answered(&Origins::None, "https://a.example").is_empty());
        assert!(
            Origins::None
                .preflight(&Method::OPTIONS, &headers("https://a.example"))
                .is_none()
        );
    }

    #[test]
    fn listed_origins_are_named_and_others_are_not() {
        let allowed = answered(&listed(), "https://a.example");
        assert_eq!(allowed[ACCESS_CONTROL_ALLOW_ORIGIN], "https://a.example");
        assert_eq!(allowed[VARY], "origin");
        let refused = answered(&listed(), "https://b.example");
        assert!(!refused.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN));
        assert_eq!(
            refused[VARY], "origin",
            "a cache must not give this answer to the other origin"
        );
        assert_eq!(
            answered(&Origins::All, "https://b.example")[ACCESS_CONTROL_ALLOW_ORIGIN],
            "*"
        );
    }

    #[test]
    fn only_a_browsers_question_is_a_preflight() {
        assert!(matches!(
            listed().preflight(&Method::OPTIONS, &headers("https://a.example")),
            Some(Ok(()))
        ));
        assert!(matches!(
            listed().preflight(&Method::OPTIONS, &headers("https://b.example")),
            Some(Err(failure)) if failure.code == Code::Forbidden
        ));
        assert!(
            listed()
                .preflight(&Method::POST, &headers("https://a.example"))
                .is_none()
        );
        assert!(listed().preflight(&Method::OPTIONS, &HeaderMap::new()).is_none());
    }

    #[test]
    fn all_methods_of_operations_are_allowed() {
        for operation in OPERATIONS {
            assert!(
                ALLOWED_METHODS
                    .split(", ")
                    .any(|method| method == operation.method.name())
            );
        }
    }
}
