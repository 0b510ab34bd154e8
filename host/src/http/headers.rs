//! Headers of every response, and limits of a request's headers.

use http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use quartet_api::{Code, REQUEST_ID_HEADER};

use crate::admission::{RATE_WINDOW, RateLimitStatus};
use crate::config::Limits;
use crate::failure::Failure;
use crate::policy::cors;

/// Answers are data: a browser that is led to show one as a page runs nothing in it and loads nothing for it.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// Bytes by which HTTP/2 and common practice count each field, beside its name and value.
const FIELD_OVERHEAD_BYTES: usize = 32;

/// Limits of the head of a request.
#[derive(Debug, Clone, Copy)]
pub struct HeadLimits {
    url: usize,
    fields: usize,
    bytes: usize,
}

impl HeadLimits {
    /// The configured limits.
    pub fn new(limits: &Limits) -> Self {
        Self {
            url: limits.url_bytes,
            fields: limits.header_fields,
            bytes: limits.header_bytes,
        }
    }

    /// Checks a request's head.
    ///
    /// # Errors
    /// 414 or 431 with the limit that it goes over.
    pub fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Failure> {
        let url = uri.path_and_query().map_or(0, |path| path.as_str().len());
        if url > self.url {
            return Err(Failure::new(
                Code::UriTooLong,
                format!("the path and query are {url} bytes long; {} are allowed", self.url),
            ));
        }
        if headers.len() > self.fields {
            return Err(Failure::new(
                Code::HeadersTooLarge,
                format!(
                    "the request has {} header fields; {} are allowed",
                    headers.len(),
                    self.fields
                ),
            ));
        }
        let bytes: usize = headers
            .iter()
            .map(|(name, value)| name.as_str().len() + value.len() + FIELD_OVERHEAD_BYTES)
            .sum();
        if bytes > self.bytes {
            return Err(Failure::new(
                Code::HeadersTooLarge,
                format!(
                    "the request's headers are {bytes} bytes large; {} are allowed",
                    self.bytes
                ),
            ));
        }
        Ok(())
    }
}

/// The configured headers of responses.
#[derive(Debug, Clone, Default)]
pub struct ResponseHeaders {
    /// Origins that may use the service from a browser.
    pub origins: cors::Origins,
    /// `Strict-Transport-Security`, where the service speaks TLS.
    pub hsts: Option<HeaderValue>,
}

impl ResponseHeaders {
    /// Sets the headers of every response.
    pub fn set(&self, headers: &mut HeaderMap, id: &str, rate_limit: Option<RateLimitStatus>, origin: cors::Answer) {
        let mut set = |name: &'static str, value: HeaderValue| {
            headers.insert(HeaderName::from_static(name), value);
        };
        let text = HeaderValue::from_static;
        if let Ok(id) = HeaderValue::from_str(id) {
            set(REQUEST_ID_HEADER, id);
        }
        set("x-content-type-options", text("nosniff"));
        set("cache-control", text("no-store"));
        set("referrer-policy", text("no-referrer"));
        set("content-security-policy", text(CONTENT_SECURITY_POLICY));
        // Whether pages of other origins may embed an answer goes with whether they may read it.
        let resource_policy = match origin {
            cors::Answer::Silent => "same-origin",
            _ => "cross-origin",
        };
        set("cross-origin-resource-policy", text(resource_policy));
        if let Some(hsts) = &self.hsts {
            headers.insert(header::STRICT_TRANSPORT_SECURITY, hsts.clone());
        }
        if let Some(rate_limit) = rate_limit {
            rate(headers, rate_limit);
        }
        origin.set(headers);
    }
}

/// Sets the headers of draft-ietf-httpapi-ratelimit-headers.
fn rate(headers: &mut HeaderMap, rate_limit: RateLimitStatus) {
    let RateLimitStatus {
        quota,
        remaining,
        reset,
        ..
    } = rate_limit;
    for (name, value) in [
        (
            "ratelimit-policy",
            format!("\"default\";q={quota};w={}", RATE_WINDOW.as_secs()),
        ),
        ("ratelimit", format!("\"default\";r={remaining};t={reset}")),
    ] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, fields: &[(&'static str, usize)]) -> Option<Code> {
        let limits = HeadLimits {
            url: 20,
            fields: 3,
            bytes: 200,
        };
        let mut headers = HeaderMap::new();
        for (name, length) in fields {
            headers.append(*name, HeaderValue::try_from("v".repeat(*length)).unwrap());
        }
        limits
            .check(&url.parse().unwrap(), &headers)
            .err()
            .map(|failure| failure.code)
    }

    #[test]
    fn heads_are_bounded() {
        assert_eq!(check("/twenty-bytes-are-ok", &[("a", 10), ("a", 10), ("b", 10)]), None);
        assert_eq!(check("/twenty-one-bytes-no?", &[]), Some(Code::UriTooLong));
        assert_eq!(check("/path?and=query-count", &[]), Some(Code::UriTooLong));
        assert_eq!(
            check("/", &[("a", 1), ("a", 1), ("a", 1), ("b", 1)]),
            Some(Code::HeadersTooLarge)
        );
        assert_eq!(check("/", &[("a", 167)]), None);
        assert_eq!(check("/", &[("a", 168)]), Some(Code::HeadersTooLarge));
    }
}
