//! Progress of a call, for clients that ask to be told of it: notifications before the result, as events of one response.

use http::{HeaderName, HeaderValue, Response};
use serde_json::{Value, json};

use super::message::Reply;
use super::result::ToolResult;
use crate::body::ResponseBody;
use crate::http::doors::reply::{EVENT_STREAM, event, streamed};

/// The form in which a result is sent: alone, or after notifications.
#[derive(Debug, Clone)]
pub struct Telling {
    reply: Reply,
    /// The token by which the client knows the call that progresses; none where it wants the result alone.
    token: Option<Value>,
    /// The last progress that was told: it must grow.
    told: f64,
}

impl Telling {
    /// The result alone, or with a token after notifications.
    pub fn new(reply: Reply, token: Option<Value>) -> Self {
        Self {
            reply,
            token,
            told: 0.0,
        }
    }

    /// True if there are notifications, so that the response is a stream of events.
    pub fn streams(&self) -> bool {
        self.token.is_some()
    }

    /// Tells of progress where the client asked for it, and where it is at least `step` beyond what was told last.
    pub fn progress(&mut self, progress: f64, step: f64, total: Option<f64>, message: &str, out: &mut Vec<u8>) {
        let Some(token) = &self.token else { return };
        if progress < self.told + step {
            return;
        }
        self.told = progress;
        let mut params = json!({ "progressToken": token, "progress": progress, "message": message });
        if let Some(total) = total {
            params["total"] = total.into();
        }
        let notification = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params });
        event(out, &notification);
    }

    /// Ends with the result.
    pub fn end(&self, result: ToolResult, out: &mut Vec<u8>) {
        let message = self.reply.message(result.into_value());
        match self.token {
            Some(_) => event(out, &message),
            None => out.extend(serde_json::to_vec(&message).unwrap_or_default()),
        }
    }
}

/// The response with a result that is still being made; after notifications, where `events` is true.
pub fn response(events: bool, body: ResponseBody) -> Response<ResponseBody> {
    if !events {
        return streamed("application/json", body);
    }
    let mut response = streamed(EVENT_STREAM, body);
    // Proxies such as nginx would keep the notifications back.
    let name = HeaderName::from_static("x-accel-buffering");
    response.headers_mut().insert(name, HeaderValue::from_static("no"));
    response
}

#[cfg(test)]
mod tests {
    use super::super::message::Revision;
    use super::*;

    #[test]
    fn progress_is_told_to_those_who_ask_and_grows() {
        let told = |token: Option<Value>| {
            let mut telling = Telling::new(Reply::new(json!(1), Revision::Handshake), token);
            let mut out = Vec::new();
            telling.progress(0.4, 0.5, Some(2.0), "a", &mut out);
            telling.progress(1.0, 0.5, Some(2.0), "b", &mut out);
            telling.progress(1.0, 0.5, Some(2.0), "c", &mut out);
            telling.end(ToolResult::new("x", json!({})), &mut out);
            String::from_utf8(out).unwrap()
        };
        let events = told(Some(json!("t")));
        assert_eq!(events.matches("data: ").count(), 2, "{events}");
        assert!(
            events.contains(r#""progressToken":"t""#) && events.contains(r#""message":"b""#),
            "{events}"
        );
        assert!(told(None).starts_with("{\"id\":1") || told(None).starts_with("{\"jsonrpc\""));
    }
}
