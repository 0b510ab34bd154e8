//! The edge of a host, for hosts that have none: request ids, body limits, rate limits and the headers of every response.
//!
//! A gate (`quartet:edge/gate`) says for each request whether anything is to be done. Quartet's own host says no.

use std::io;

use quartet_api::session::CLIENT_HEADER;
use quartet_api::{Code, REQUEST_ID_HEADER};

use crate::bounded_body::BoundedBody;
use crate::failure::Failure;
use crate::request::{Request, too_large};
use crate::response::Response;
use crate::route::{Route, answer};

/// The window of the rate limit, in seconds.
pub const WINDOW_SECONDS: u64 = 60;

/// Headers of every response; the host sets the same.
const HEADERS: [(&str, &str); 5] = [
    ("x-content-type-options", "nosniff"),
    ("cache-control", "no-store"),
    ("referrer-policy", "no-referrer"),
    ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// The gate's decision on a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Request id, for the response and the logs.
    pub request_id: String,
    /// The size of the largest body that it may have, in bytes.
    pub body_bytes: u64,
    /// Rate-limit state of its client, where requests are counted.
    pub standing: Option<Standing>,
    /// Failure for a request that is refused.
    pub refusal: Option<Failure>,
}

/// Rate-limit state of a client after a request was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Requests allowed in any 60 seconds.
    pub quota: u32,
    /// Requests that the client may still send now.
    pub remaining: u32,
    /// Seconds until it may send more than that.
    pub reset: u32,
}

/// Answers a request that came through the gate.
pub fn admit(routes: &[Route], request: &mut Request, entry: Entry) -> Response {
    // Neither is the client's to say: the id goes through the gate, and who the client is only a host can tell.
    request
        .headers
        .retain(|(name, _)| name != REQUEST_ID_HEADER && name != CLIENT_HEADER);
    let id = entry.request_id.clone();
    request
        .headers
        .push((REQUEST_ID_HEADER.to_owned(), id.clone().into_bytes()));
    let mut response = match entry.refusal.or_else(|| declared_too_large(request, entry.body_bytes)) {
        Some(failure) => failure.into_response(Some(&id)),
        None => {
            let body = std::mem::replace(&mut request.body, Box::new(io::empty()));
            request.body = Box::new(BoundedBody::new(body, entry.body_bytes));
            answer(routes, request)
        }
    };
    for (name, value) in HEADERS {
        response.headers.push((name, value.to_owned()));
    }
    response.headers.push((REQUEST_ID_HEADER, id));
    if let Some(Standing {
        quota,
        remaining,
        reset,
    }) = entry.standing
    {
        response.headers.extend([
            ("ratelimit-policy", format!("\"default\";q={quota};w={WINDOW_SECONDS}")),
            ("ratelimit", format!("\"default\";r={remaining};t={reset}")),
        ]);
        if response.status == Code::RateLimited.status() {
            response.headers.push(("retry-after", reset.to_string()));
        }
    }
    response
}

fn declared_too_large(request: &Request, limit: u64) -> Option<Failure> {
    let length: u64 = request.header("content-length")?.parse().ok()?;
    (length > limit).then(|| too_large(limit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::response::Body;
    use quartet_api::FailureBody;
    use quartet_api::operations::{IMAGE_CHAT, TTS_LANGUAGES};

    const ROUTES: &[Route] = &[
        Route {
            operation: &TTS_LANGUAGES,
            handler: |request| Ok(Response::success(&request.header(CLIENT_HEADER))),
        },
        Route {
            operation: &IMAGE_CHAT,
            handler: |request| Ok(Response::success(&request.read_body()?.len())),
        },
    ];

    fn entry() -> Entry {
        Entry {
            request_id: "made".to_owned(),
            body_bytes: 10,
            standing: None,
            refusal: None,
        }
    }

    fn ask(route: &Route, headers: &[(&str, &str)], body: &[u8], entry: Entry) -> (Response, String) {
        let mut request = Request {
            method: route.operation.method.name().to_owned(),
            path: route.operation.path.to_owned(),
            secure: false,
            headers: headers
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()))
                .collect(),
            body: Box::new(io::Cursor::new(body.to_vec())),
        };
        let response = admit(ROUTES, &mut request, entry);
        let Body::Whole(bytes) = &response.body else {
            panic!("streamed")
        };
        let text = String::from_utf8(bytes.clone()).unwrap();
        (response, text)
    }

    fn header<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
        let mut values = response.headers.iter().filter(|(key, _)| *key == name);
        let value = values.next().map(|(_, value)| value.as_str());
        assert!(values.next().is_none(), "{name} twice");
        value
    }

    #[test]
    fn every_answer_has_the_id_and_the_headers_and_no_client_says_who_it_is() {
        let forged = [(CLIENT_HEADER, "key/1f"), (REQUEST_ID_HEADER, "theirs")];
        let (response, text) = ask(&ROUTES[0], &forged, b"", entry());
        assert_eq!(text, r#"{"success":true,"data":null}"#);
        assert_eq!(header(&response, REQUEST_ID_HEADER), Some("made"));
        for (name, value) in HEADERS {
            assert_eq!(header(&response, name), Some(value));
        }
        assert_eq!(header(&response, "ratelimit"), None);
    }

    #[test]
    fn a_body_over_the_limit_is_refused_with_and_without_a_length() {
        let code = |headers: &[(&str, &str)], body: &[u8]| {
            let (response, text) = ask(&ROUTES[1], headers, body, entry());
            (response.status == 413).then(|| {
                let failure: FailureBody = serde_json::from_str(&text).unwrap();
                assert!(failure.error.contains("10 bytes"), "{}", failure.error);
                assert_eq!(failure.request_id.as_deref(), Some("made"));
                failure.code
            })
        };
        assert_eq!(code(&[], b"ten bytes."), None);
        assert_eq!(code(&[("content-length", "10")], b"ten bytes."), None);
        assert_eq!(code(&[], b"eleven byte").as_deref(), Some("payload_too_large"));
        assert_eq!(
            code(&[("content-length", "11")], b"").as_deref(),
            Some("payload_too_large")
        );
    }

    #[test]
    fn who_is_refused_learns_when_to_come_again() {
        let standing = Standing {
            quota: 100,
            remaining: 0,
            reset: 7,
        };
        let refused = Entry {
            standing: Some(standing),
            refusal: Some(Failure::new(Code::RateLimited, "more than 100 requests")),
            ..entry()
        };
        let (response, text) = ask(&ROUTES[0], &[], b"", refused);
        assert_eq!(response.status, 429);
        assert!(text.contains("rate_limited") && text.contains("made"), "{text}");
        assert_eq!(header(&response, "retry-after"), Some("7"));
        assert_eq!(header(&response, "ratelimit"), Some("\"default\";r=0;t=7"));
        assert_eq!(header(&response, "ratelimit-policy"), Some("\"default\";q=100;w=60"));
    }
}
