//! The tools of the Model Context Protocol.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use quartet_eval::files::Files;
use quartet_eval::requests::Request;
use quartet_eval::speech;
use serde_json::{Value, json};

use crate::ledger::Group::Chat;
use crate::visitor::Visitor;

fn message(method: &str, params: &Value) -> Request {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    Request::json("/mcp", &body)
        .with("accept", "application/json, text/event-stream")
        .with("mcp-protocol-version", "2025-11-25")
}

/// Lists the tools, or calls one.
pub async fn call(visitor: &mut Visitor) {
    let (name, request) = match visitor.rng.usize(..6) {
        0 => ("mcp, tools/list", message("tools/list", &json!({}))),
        1 | 2 => {
            let arguments = json!({"question": "What is 17 % of 340?"});
            ("mcp, compute", tool("compute", &arguments))
        }
        3 => {
            let language = speech::language(&mut visitor.rng);
            let text = speech::paragraph(language, &mut visitor.rng);
            let arguments = json!({"text": text, "engine": "fast"});
            ("mcp, speak", tool("speak", &arguments))
        }
        4 => {
            let file = visitor.file(|files: &Files| &files.photographs);
            let arguments = json!({"image": BASE64_STANDARD.encode(&file.bytes)});
            ("mcp, describe_image", tool("describe_image", &arguments))
        }
        _ => {
            let file = visitor.file(|files: &Files| &files.pdfs);
            let arguments = json!({"document": BASE64_STANDARD.encode(&file.bytes)});
            ("mcp, read_document", tool("read_document", &arguments))
        }
    };
    let Some(answer) = visitor.ask(Chat, name, &request).await else {
        return;
    };
    // A failure of a tool is a result in HTTP. That there is no room is said in words only.
    let result = answer.json()["result"].take();
    let words = result["content"][0]["text"].as_str().unwrap_or_default();
    if !result.is_object() || (result["isError"] == true && !words.contains("try again")) {
        visitor.unexpected(name, format!("no result: {}", String::from_utf8_lossy(&answer.body)));
    }
}

fn tool(name: &str, arguments: &Value) -> Request {
    message("tools/call", &json!({"name": name, "arguments": arguments}))
}
