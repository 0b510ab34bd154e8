//! Messages of JSON-RPC 2.0 as the Model Context Protocol has them: one request or one notification in a POST.

use http::{Response, StatusCode};
use serde_json::{Map, Value, json};

use crate::body::ResponseBody;
use crate::http::doors::reply as doors_reply;

/// The body is no JSON.
const PARSE_ERROR: i64 = -32700;
/// The body is no request.
const INVALID_REQUEST: i64 = -32600;
/// No method has this name.
const METHOD_NOT_FOUND: i64 = -32601;
/// The parameters are not the method's.
const INVALID_PARAMS: i64 = -32602;
/// A header does not say what the body says.
const HEADER_MISMATCH: i64 = -32020;
/// The revision of the protocol is not spoken here.
const UNSUPPORTED_REVISION: i64 = -32022;

/// Name of the server in answers.
const SERVER: &str = "quartet";

/// The two ways to speak the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revision {
    /// Each request stands for itself.
    Stateless,
    /// The client began with a handshake, of which nothing is kept here.
    Handshake,
}

/// A message.
#[derive(Debug, PartialEq)]
pub enum Message {
    /// A request, which gets an answer.
    Request(Request),
    /// A notification, which gets none.
    Notification,
}

/// A request.
#[derive(Debug, PartialEq)]
pub struct Request {
    /// Its id, a string or a whole number.
    pub id: Value,
    /// The method.
    pub method: String,
    /// The parameters.
    pub params: Map<String, Value>,
}

/// An error of the protocol, as opposed to a tool that fails.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    code: i64,
    message: String,
    data: Option<Value>,
}

impl Problem {
    fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// The body is no request of the protocol.
    pub fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(INVALID_REQUEST, message)
    }

    /// No method has this name.
    pub fn method_not_found(method: &str) -> Self {
        let shown: String = method.chars().take(80).collect();
        Self::new(METHOD_NOT_FOUND, format!("there is no method {shown:?} here"))
    }

    /// The parameters are not the method's.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(INVALID_PARAMS, message)
    }

    /// A header is missing, or does not say what the body says.
    pub fn header_mismatch(message: impl Into<String>) -> Self {
        Self::new(HEADER_MISMATCH, message)
    }

    /// The revision of the protocol is not spoken here; these are.
    pub fn unsupported_revision(requested: &str, supported: &[&str]) -> Self {
        let shown: String = requested.chars().take(80).collect();
        Self {
            data: Some(json!({ "supported": supported, "requested": shown })),
            ..Self::new(UNSUPPORTED_REVISION, "unsupported protocol version")
        }
    }

    /// The status of the response. Before the revision without a handshake, errors of methods were no errors of HTTP, and
    /// clients take 404 for the end of a session.
    fn status(&self, revision: Revision) -> StatusCode {
        match (self.code, revision) {
            (METHOD_NOT_FOUND, Revision::Stateless) => StatusCode::NOT_FOUND,
            (METHOD_NOT_FOUND | INVALID_PARAMS, Revision::Handshake) => StatusCode::OK,
            _ => StatusCode::BAD_REQUEST,
        }
    }

    /// The response with the error, to the request with this id; null where it could not be read.
    pub fn respond(&self, id: &Value, revision: Revision) -> Response<ResponseBody> {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        let mut response = doors_reply::json(&json!({ "jsonrpc": "2.0", "id": id, "error": error }));
        *response.status_mut() = self.status(revision);
        response
    }
}

/// Reads a message.
///
/// # Errors
/// With the id, null where there is none, when it is no message that a client sends.
pub fn read(body: &[u8]) -> Result<Message, (Value, Problem)> {
    let value: Value = serde_json::from_slice(body).map_err(|error| {
        let problem = Problem::new(PARSE_ERROR, format!("the body is no JSON: {error}"));
        (Value::Null, problem)
    })?;
    let Value::Object(mut fields) = value else {
        let problem = "the body is no object: one request or notification is sent at a time";
        return Err((Value::Null, Problem::invalid_request(problem)));
    };
    let id = fields.remove("id");
    let known = match &id {
        Some(id) if id.is_string() || id.is_i64() || id.is_u64() => id.clone(),
        _ => Value::Null,
    };
    let wrong = |problem: &str| Err((known.clone(), Problem::invalid_request(problem)));
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return wrong("field `jsonrpc` takes \"2.0\"");
    }
    let method = match fields.remove("method") {
        Some(Value::String(method)) => method,
        _ => return wrong("field `method` takes a string; nothing is asked of clients, so no answers are taken"),
    };
    if id.is_none() {
        return Ok(Message::Notification);
    }
    if known.is_null() {
        return wrong("field `id` takes a string or a whole number");
    }
    let params = match fields.remove("params") {
        None => Map::new(),
        Some(Value::Object(params)) => params,
        Some(_) => return wrong("field `params` takes an object"),
    };
    Ok(Message::Request(Request {
        id: known,
        method,
        params,
    }))
}

/// The answer to a request.
#[derive(Debug, Clone)]
pub struct Reply {
    id: Value,
    revision: Revision,
}

impl Reply {
    /// The answer to the request with this id, in a revision of the protocol.
    pub fn new(id: Value, revision: Revision) -> Self {
        Self { id, revision }
    }

    /// The message with a result, which is an object.
    pub fn message(&self, mut result: Value) -> Value {
        if self.revision == Revision::Stateless {
            result["resultType"] = "complete".into();
            result["_meta"] = json!({ "io.modelcontextprotocol/serverInfo": server() });
        }
        json!({ "jsonrpc": "2.0", "id": self.id, "result": result })
    }

    /// The response with a result.
    pub fn respond(&self, result: Value) -> Response<ResponseBody> {
        doors_reply::json(&self.message(result))
    }
}

/// Name and version of the server.
pub fn server() -> Value {
    json!({ "name": SERVER, "title": "Quartet", "version": env!("CARGO_PKG_VERSION") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_notifications_are_told_apart() {
        let read = |text: &str| read(text.as_bytes());
        let Ok(Message::Request(request)) = read(r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#) else {
            panic!("no request")
        };
        assert_eq!((request.id, request.method.as_str()), (json!(7), "ping"));
        assert_eq!(
            read(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
            Ok(Message::Notification)
        );
        for (text, id, code) in [
            ("{", Value::Null, PARSE_ERROR),
            (
                r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
                Value::Null,
                INVALID_REQUEST,
            ),
            (r#"{"id":"a","method":"ping"}"#, json!("a"), INVALID_REQUEST),
            (
                r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
                Value::Null,
                INVALID_REQUEST,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
                Value::Null,
                INVALID_REQUEST,
            ),
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, json!(1), INVALID_REQUEST),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
                json!(1),
                INVALID_REQUEST,
            ),
        ] {
            let (found, problem) = read(text).unwrap_err();
            assert_eq!((found, problem.code), (id, code), "{text}");
        }
    }

    #[test]
    fn errors_have_the_status_of_their_revision() {
        let status = |problem: Problem, revision| problem.respond(&json!(1), revision).status().as_u16();
        assert_eq!(status(Problem::method_not_found("x"), Revision::Stateless), 404);
        assert_eq!(status(Problem::method_not_found("x"), Revision::Handshake), 200);
        assert_eq!(status(Problem::invalid_params("x"), Revision::Stateless), 400);
        assert_eq!(status(Problem::invalid_params("x"), Revision::Handshake), 200);
        assert_eq!(status(Problem::header_mismatch("x"), Revision::Stateless), 400);
        assert_eq!(
            status(Problem::unsupported_revision("x", &[]), Revision::Handshake),
            400
        );
    }

    #[test]
    fn results_name_their_kind_and_their_server_where_the_revision_asks_for_it() {
        let old = Reply::new(json!(1), Revision::Handshake).message(json!({}));
        assert_eq!(old, json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
        let new = Reply::new(json!("a"), Revision::Stateless).message(json!({"tools": []}));
        assert_eq!(new["result"]["resultType"], "complete");
        assert_eq!(
            new["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
            "quartet"
        );
    }
}
