//! Requests of the operations.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::Full;
use hyper::Method;
use quartet_api::BASE_PATH;
use serde_json::Value;

use crate::files::File;

/// The line between the parts of a form. No file has it inside.
const BOUNDARY: &str = "quartet-eval-boundary-2f6a1c";

/// A request that can be sent again and again.
#[derive(Debug, Clone)]
pub struct Request {
    /// Its method.
    pub method: Method,
    /// Path and query.
    pub path: String,
    /// Its headers, but for those that every request has.
    pub headers: Vec<(&'static str, String)>,
    /// Its body.
    pub body: Bytes,
}

impl Request {
    /// A request with any method and body.
    pub fn new(method: Method, path: &str, content_type: Option<&str>, body: impl Into<Bytes>) -> Self {
        let headers = content_type.map(|kind| ("content-type", kind.to_owned()));
        Self {
            method,
            path: absolute(path),
            headers: headers.into_iter().collect(),
            body: body.into(),
        }
    }

    /// A GET.
    pub fn get(path: &str) -> Self {
        Self::new(Method::GET, path, None, Bytes::new())
    }

    /// A POST of JSON.
    pub fn json(path: &str, body: &Value) -> Self {
        Self::new(Method::POST, path, Some("application/json"), body.to_string())
    }

    /// A POST of a form with a file and other fields.
    pub fn form(path: &str, field: &str, file: &File, fields: &[(&str, &str)]) -> Self {
        let mut body = Vec::with_capacity(file.bytes.len() + 512);
        for (name, value) in fields {
            body.extend_from_slice(
                format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
                    .as_bytes(),
            );
        }
        body.extend_from_slice(
            format!(
                "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"{}\"\r\n\
                 content-type: application/octet-stream\r\n\r\n",
                file.name
            )
            .as_bytes(),
        );
        body.extend_from_slice(&file.bytes);
        body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        Self::new(Method::POST, path, Some(&kind), body)
    }

    /// The same with a header more.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The request for hyper, which knows the length of the body by itself.
    pub(crate) fn build(&self, to: SocketAddr) -> Result<hyper::Request<Full<Bytes>>, String> {
        let mut builder = hyper::Request::builder()
            .method(self.method.clone())
            .uri(&self.path)
            .header("host", to.to_string());
        for (name, value) in &self.headers {
            builder = builder.header(*name, value);
        }
        builder
            .body(Full::new(self.body.clone()))
            .map_err(|error| format!("the request cannot be made: {error}"))
    }

    /// The head as it goes over the wire.
    pub(crate) fn head(&self, to: SocketAddr) -> String {
        let headers: String = self
            .headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        format!(
            "{} {} HTTP/1.1\r\nhost: {to}\r\n{headers}content-length: {}\r\n\r\n",
            self.method,
            self.path,
            self.body.len()
        )
    }
}

/// The whole path of an operation such as `/tts/voices`; other paths start at the root.
fn absolute(path: &str) -> String {
    let operation = ["/tts/", "/image/", "/pdf/", "/chat", "/jobs/"]
        .iter()
        .any(|group| path.starts_with(group));
    if operation {
        format!("{BASE_PATH}{path}")
    } else {
        path.to_owned()
    }
}
