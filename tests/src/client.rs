//! A client that checks what holds for every answer, whatever the test is about.

use std::io::Read;

use quartet_api::{BASE_PATH, Code, FailureBody};
use serde_json::Value;
use ureq::Agent;
use ureq::http::{HeaderMap, Response};

use crate::wait::PATIENCE;

/// Headers that an answer may have. Anything else got there by accident.
const HEADERS: &[&str] = &[
    "access-control-allow-headers",
    "access-control-allow-methods",
    "access-control-allow-origin",
    "access-control-expose-headers",
    "access-control-max-age",
    "allow",
    "cache-control",
    "connection",
    "content-disposition",
    "content-language",
    "content-length",
    "content-security-policy",
    "content-type",
    "cross-origin-resource-policy",
    "date",
    "location",
    "preference-applied",
    "ratelimit",
    "ratelimit-policy",
    "referrer-policy",
    "retry-after",
    "set-cookie",
    "server-timing",
    "trailer",
    "transfer-encoding",
    "vary",
    "www-authenticate",
    "x-accel-buffering",
    "x-content-type-options",
    "x-quartet-component",
    "x-request-id",
    "x-speech-engine",
    "x-speech-warnings",
];

/// Headers that only files of the page have besides.
const PAGE_HEADERS: &[&str] = &[
    "content-encoding",
    "cross-origin-opener-policy",
    "etag",
    "permissions-policy",
];

/// A client of one service.
#[derive(Clone)]
pub struct Client {
    agent: Agent,
    base: String,
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Vec<u8>,
}

impl Client {
    /// A client for `http://host:port`.
    pub fn new(base: &str) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(3 * PATIENCE))
            .max_idle_connections(0)
            .build();
        Self {
            agent: config.into(),
            base: base.trim_end_matches('/').to_owned(),
        }
    }

    /// Host and port.
    ///
    /// # Panics
    /// When the service is not one of plain HTTP.
    pub fn socket(&self) -> &str {
        self.base.strip_prefix("http://").expect("an http address")
    }

    /// The whole address of an operation such as `/tts/voices`; other paths start at the root.
    fn url(&self, path: &str) -> String {
        if ["/tts/", "/image/", "/pdf/", "/chat", "/words/"]
            .iter()
            .any(|group| path.starts_with(group))
        {
            format!("{}{BASE_PATH}{path}", self.base)
        } else {
            format!("{}{path}", self.base)
        }
    }

    /// GET.
    pub fn get(&self, path: &str) -> Reply {
        self.get_with(path, &[])
    }

    /// GET with headers.
    pub fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        let request = headers
            .iter()
            .fold(self.agent.get(self.url(path)), |request, (name, value)| {
                request.header(*name, *value)
            });
        read(path, request.call().expect("an answer"))
    }

    /// POST of a JSON document.
    pub fn post(&self, path: &str, json: &Value) -> Reply {
        self.post_bytes(path, Some("application/json"), json.to_string().as_bytes())
    }

    /// POST of anything.
    pub fn post_bytes(&self, path: &str, content_type: Option<&str>, body: &[u8]) -> Reply {
        let mut request = self.agent.post(self.url(path));
        if let Some(content_type) = content_type {
            request = request.header("content-type", content_type);
        }
        read(path, request.send(body).expect("an answer"))
    }

    /// POST of anything with any headers.
    pub fn post_with(&self, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let request = headers
            .iter()
            .fold(self.agent.post(self.url(path)), |request, (name, value)| {
                request.header(*name, *value)
            });
        read(path, request.send(body).expect("an answer"))
    }

    /// DELETE with headers.
    pub fn delete_with(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        let request = headers
            .iter()
            .fold(self.agent.delete(self.url(path)), |request, (name, value)| {
                request.header(*name, *value)
            });
        read(path, request.call().expect("an answer"))
    }

    /// PUT of anything with any headers.
    pub fn put_with(&self, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let request = headers
            .iter()
            .fold(self.agent.put(self.url(path)), |request, (name, value)| {
                request.header(*name, *value)
            });
        read(path, request.send(body).expect("an answer"))
    }

    /// A request with another method, without a body.
    pub fn method(&self, method: &str, path: &str) -> Reply {
        self.method_with(method, path, &[])
    }

    /// A request with another method and headers, without a body.
    pub fn method_with(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
        let request = headers
            .iter()
            .fold(ureq::http::Request::builder(), |request, (name, value)| {
                request.header(*name, *value)
            })
            .method(method)
            .uri(self.url(path))
            .body(())
            .expect("a valid request");
        read(path, self.agent.run(request).expect("an answer"))
    }
}

/// Returns true for paths of services whose failures are neither ours nor OpenAI's.
fn has_its_own_failures(path: &str) -> bool {
    let services = [
        "/v1/ocr",
        "/v1/files",
        "/v1/convert",
        "/v1/status",
        "/v1/result",
        "/tika",
        "/version",
        "/rmeta",
        "/meta",
        "/detect",
        "/mcp",
    ];
    services.iter().any(|service| path.starts_with(service)) && path != "/metrics"
}

fn read(path: &str, response: Response<ureq::Body>) -> Reply {
    let (parts, body) = response.into_parts();
    let mut bytes = Vec::new();
    body.into_reader().read_to_end(&mut bytes).expect("a whole body");
    let reply = Reply {
        status: parts.status.as_u16(),
        headers: parts.headers,
        body: bytes,
    };
    reply.check(path);
    reply
}

impl Reply {
    /// Checks the rules that hold for every answer.
    fn check(&self, path: &str) {
        let page = (matches!(path, "/" | "/docs" | "/worker.js") || path.starts_with("/page/")) && self.status < 400;
        for name in self.headers.keys() {
            let known = HEADERS.contains(&name.as_str()) || (page && PAGE_HEADERS.contains(&name.as_str()));
            assert!(known, "unexpected header {name}");
        }
        let id = self.header("x-request-id").expect("every answer has a request id");
        assert_eq!(self.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(self.header("referrer-policy"), Some("no-referrer"));
        let policy = self.header("content-security-policy").expect("a policy");
        if page {
            assert!(policy.starts_with("default-src 'none'; "), "{policy}");
        } else {
            assert_eq!(policy, "default-src 'none'; frame-ancestors 'none'");
        }
        assert!(self.header("cross-origin-resource-policy").is_some());
        if self.status >= 400 && path.starts_with("/v1/") && self.json().get("error").is_some_and(Value::is_object) {
            self.openai_failure();
        } else if self.status >= 400 && !has_its_own_failures(path) {
            let body: FailureBody = serde_json::from_slice(&self.body)
                .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)));
            assert!(!body.success);
            assert!(body.error.len() > 10, "{body:?} says too little");
            let code = Code::from_word(&body.code).unwrap_or_else(|| panic!("{body:?} has an unknown code"));
            assert_eq!(code.status(), self.status, "{body:?}");
            assert_eq!(body.request_id.as_deref(), Some(id));
            assert_eq!(self.header("content-type"), Some("application/json"));
        }
    }

    /// Checks that it is a failure as OpenAI's API has it, and returns message, type, field and code.
    pub fn openai_failure(&self) -> [String; 4] {
        assert!(self.status >= 400, "{}", String::from_utf8_lossy(&self.body));
        assert_eq!(self.header("content-type"), Some("application/json"));
        let json = self.json();
        assert_eq!(json.as_object().map(serde_json::Map::len), Some(1), "{json}");
        let error = json["error"].as_object().expect("an object");
        let names: Vec<_> = error.keys().map(String::as_str).collect();
        assert_eq!(names, ["code", "message", "param", "type"], "{json}");
        let [code, message, kind] = ["code", "message", "type"].map(|name| error[name].as_str().expect("a string"));
        assert!(message.len() > 10, "{json} says too little");
        let expected = match self.status {
            429 => "rate_limit_error",
            500.. => "server_error",
            _ => "invalid_request_error",
        };
        assert_eq!(kind, expected, "{json}");
        let field = error["param"].as_str().unwrap_or_default();
        [message, kind, field, code].map(str::to_owned)
    }

    /// A header as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    /// Names and data of server-sent events; comments are passed over.
    pub fn events(&self) -> Vec<(String, Value)> {
        assert_eq!(self.header("content-type"), Some("text/event-stream"));
        let text = std::str::from_utf8(&self.body).expect("text");
        let events = text.split_terminator("\n\n").filter(|event| !event.starts_with(':'));
        let each = |event: &str| {
            let (name, data) = event.split_once('\n').expect("two lines");
            let data = data.strip_prefix("data: ").expect("data");
            let name = name.strip_prefix("event: ").expect("a name");
            (name.to_owned(), serde_json::from_str(data).expect("JSON"))
        };
        events.map(each).collect()
    }

    /// The result in the success envelope.
    pub fn data(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        assert_eq!(self.header("content-type"), Some("application/json"));
        let mut json = self.json();
        assert_eq!(json["success"], Value::Bool(true));
        assert_eq!(
            json.as_object().map(serde_json::Map::len),
            Some(2),
            "an envelope has two fields"
        );
        json["data"].take()
    }

    /// Checks that it failed with this code, and returns the sentence for a person.
    pub fn failed(&self, code: Code) -> String {
        let json = self.json();
        assert_eq!(json["code"], code.word(), "{json}");
        json["error"].as_str().expect("a sentence").to_owned()
    }
}
