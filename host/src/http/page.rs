//! The page for people: its files, which need no key and no sandbox, and their headers.

use std::time::Instant;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full};
use quartet_page::File;

use super::fields;
use super::operate::rate_limited;
use crate::admission::RateLimiter;
use crate::auth::Client;
use crate::body::ResponseBody;
use crate::failure::Failure;

/// Files that one client may ask for in a minute: some ten visits with everything that the viewer of PDFs may load. They are
/// counted apart, so that whoever looks at the page has all requests of the service left.
const FILES_PER_MINUTE: usize = 900;

/// Only the service's own files run and are loaded. pdf.js compiles WebAssembly; pictures are shown from memory (`blob:`).
/// Scripts are named by two policies only: Lit's, and the page's own for its worker.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
     worker-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; \
     font-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html quartet";

/// The viewer of the operations is Swagger UI: it writes its own styles and markup, loads nothing but the service's files, and
/// asks nobody but the service.
const POLICY_OF_VIEWER: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// Of what a browser could give a page, the camera alone is asked for.
const PERMISSIONS: &str = "camera=(self), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()";

/// Answers with the page's files.
pub struct Page {
    rate: RateLimiter,
}

/// Headers of a file, set over those of every answer.
#[derive(Debug, Clone, Copy)]
pub struct PageHeaders {
    keep: &'static str,
    policy: &'static str,
}

impl PageHeaders {
    /// Sets them.
    pub fn set(self, headers: &mut HeaderMap) {
        for (name, value) in [
            ("cache-control", self.keep),
            ("content-security-policy", self.policy),
            ("cross-origin-opener-policy", "same-origin"),
            ("permissions-policy", PERMISSIONS),
        ] {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
    }
}

impl Page {
    /// Counts the files that clients ask for, of so many clients at most.
    pub fn new(tracked_clients: usize) -> Self {
        Self {
            rate: RateLimiter::new(tracked_clients),
        }
    }

    /// Answers a request for a file.
    ///
    /// # Errors
    /// 429 when the client asked for too many.
    pub fn answer<B>(
        &self,
        file: &'static File,
        request: &Request<B>,
        client: Client,
    ) -> Result<Response<ResponseBody>, Failure> {
        let standing = self.rate.count(client, FILES_PER_MINUTE, Instant::now());
        if !standing.admitted {
            return Err(rate_limited(standing));
        }
        Ok(response(file, request.method(), request.headers())
            .map(|body| Full::new(body).map_err(|never| match never {}).boxed_unsync()))
    }
}

/// The response with a file at the admin interface, which has no headers for all answers.
pub fn at_admin(file: &'static File, method: &Method, headers: &HeaderMap) -> Response<Full<Bytes>> {
    let mut response = response(file, method, headers);
    if let Some(own) = response.extensions().get::<PageHeaders>().copied() {
        own.set(response.headers_mut());
    }
    for (name, value) in [
        ("cross-origin-resource-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
    ] {
        let name = HeaderName::from_static(name);
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response.map(Full::new)
}

/// The response with a file, with the headers that are its own.
fn response(file: &'static File, method: &Method, headers: &HeaderMap) -> Response<Bytes> {
    let keep = match file.never_changes() {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    let mut response = Response::new(Bytes::new());
    let policy = match file.is_viewer() {
        true => POLICY_OF_VIEWER,
        false => CONTENT_SECURITY_POLICY,
    };
    response.extensions_mut().insert(PageHeaders { keep, policy });
    let own = response.headers_mut();
    own.insert(header::ETAG, HeaderValue::from_static(file.etag));
    own.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if fields::have_tag(headers, file.etag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return response;
    }
    own.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.media_type));
    let body = if fields::take_gzip(headers) {
        own.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        Bytes::from_static(file.gzip)
    } else {
        file.bytes().into()
    };
    own.insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
    if *method != Method::HEAD {
        *response.body_mut() = body;
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(method: &Method, pairs: &[(&'static str, &str)]) -> Response<Bytes> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        response(&quartet_page::FILES[0], method, &headers)
    }

    #[test]
    fn a_file_comes_compressed_to_those_who_take_it() {
        let file = &quartet_page::FILES[0];
        for (taken, compressed) in [
            ("gzip", true),
            ("br, gzip;q=0.5", true),
            ("*", true),
            ("br", false),
            ("gzip;q=0", false),
        ] {
            let response = asked(&Method::GET, &[("accept-encoding", taken)]);
            assert_eq!(
                response.headers().contains_key("content-encoding"),
                compressed,
                "{taken}"
            );
            assert_eq!(response.body() == file.gzip, compressed, "{taken}");
        }
        assert_eq!(asked(&Method::GET, &[]).body(), &file.bytes());
    }

    #[test]
    fn who_has_it_gets_none_and_head_only_the_head() {
        let etag = quartet_page::FILES[0].etag;
        for tag in [
            etag.to_owned(),
            format!("\"other\", {}", etag.trim_start_matches("W/")),
            "*".to_owned(),
        ] {
            let response = asked(&Method::GET, &[("if-none-match", &tag)]);
            assert_eq!(
                (response.status(), response.body().len()),
                (StatusCode::NOT_MODIFIED, 0)
            );
        }
        assert_eq!(
            asked(&Method::GET, &[("if-none-match", "\"other\"")]).status(),
            StatusCode::OK
        );
        let head = asked(&Method::HEAD, &[]);
        assert_ne!(head.headers()["content-length"], "0");
        assert!(head.body().is_empty());
    }

    #[test]
    fn a_client_gets_many_files_and_not_any_number() {
        let page = Page::new(10);
        let client = Client::Address(std::net::Ipv4Addr::LOCALHOST.into());
        let ask = || page.answer(&quartet_page::FILES[0], &Request::new(()), client).is_ok();
        assert!((0..FILES_PER_MINUTE).all(|_| ask()));
        assert!(!ask());
    }
}
