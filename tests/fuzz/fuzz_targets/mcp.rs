//! Fuzz target: any body at the door of the Model Context Protocol is a message or is refused, in a revision that its head and
//! its body agree on, and what a tool is called with are its arguments or are not.
//!
//! The first lines are the head, as far as an empty one; the rest is the body.

#![no_main]

use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use http::HeaderMap;
use http_body_util::BodyExt;
use libfuzzer_sys::fuzz_target;
use quartet_api::tools::{
    AskDocumentArguments, AskImageArguments, ChatArguments, ComputeArguments, DescribeArguments, ImageArguments,
    ReadDocumentArguments, SearchArguments, SpeakArguments, SummarizeArguments,
};
use quartet_fuzz::body::ResponseBody;
use quartet_fuzz::http::doors::data_url;
use quartet_fuzz::http::doors::events::Events;
use quartet_fuzz::http::doors::mcp::arguments::{read, token};
use quartet_fuzz::http::doors::mcp::message::{self, Message, Problem, Reply, Request, Revision};
use quartet_fuzz::http::doors::mcp::progress::Telling;
use quartet_fuzz::http::doors::mcp::result::ToolResult;
use quartet_fuzz::http::doors::mcp::revision;
use quartet_fuzz::input::{self, MAX_SENTENCE_BYTES};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

/// The document that a response has.
fn document(runtime: &Runtime, response: http::Response<ResponseBody>) -> Value {
    let body = runtime.block_on(response.into_body().collect()).expect("a body");
    serde_json::from_slice(&body.to_bytes()).expect("an answer is JSON")
}

/// Checks that a problem is told as the protocol has it, to the request that it is of, and in a few words.
fn told(runtime: &Runtime, id: &Value, problem: &Problem, revision: Revision) {
    let response = problem.respond(id, revision);
    let status = response.status();
    assert!(status.is_client_error() || revision == Revision::Handshake, "{status}");
    let answer = document(runtime, response);
    assert_eq!(&answer["id"], id, "a problem is told of another request");
    assert!(answer["error"]["code"].is_i64(), "a problem has no code");
    let sentence = answer["error"]["message"].as_str().expect("a problem has a sentence");
    assert!(sentence.len() <= MAX_SENTENCE_BYTES, "a client is told at length");
}

/// Reads arguments of a tool; the files in them are the bytes that were sent.
fn tool<T: DeserializeOwned>(arguments: &Value, files: impl Fn(T) -> Vec<String>) {
    let read: T = match read(arguments.clone()) {
        Ok(read) => read,
        Err(failure) => {
            assert!(
                failure.message.len() <= MAX_SENTENCE_BYTES,
                "a client is told at length"
            );
            assert!(
                failure
                    .wrong_field()
                    .is_none_or(|field| field.len() <= MAX_SENTENCE_BYTES)
            );
            return;
        }
    };
    for file in files(read) {
        let Ok(bytes) = data_url::read("file".to_owned(), &file, true) else {
            continue;
        };
        assert!(!bytes.is_empty(), "a file of nothing was taken");
        let encoded = BASE64_STANDARD_NO_PAD.encode(&bytes);
        let sent = file.trim_ascii().trim_end_matches('=');
        assert!(sent.ends_with(&encoded), "a file is not what was sent");
    }
}

fn call(runtime: &Runtime, request: &Request, revision: Revision) {
    let params = &request.params;
    let arguments = params
        .get("arguments")
        .cloned()
        .unwrap_or_else(|| Value::Object(Map::new()));
    if arguments.is_object() {
        tool(&arguments, |_: SpeakArguments| Vec::new());
        tool(&arguments, |asked: ImageArguments| vec![asked.image]);
        tool(&arguments, |asked: DescribeArguments| vec![asked.image]);
        tool(&arguments, |asked: AskImageArguments| asked.image.into_iter().collect());
        tool(&arguments, |asked: ReadDocumentArguments| vec![asked.document]);
        tool(&arguments, |asked: SummarizeArguments| vec![asked.document]);
        tool(&arguments, |asked: AskDocumentArguments| {
            asked.document.into_iter().collect()
        });
        tool(&arguments, |_: ComputeArguments| Vec::new());
        tool(&arguments, |_: ChatArguments| Vec::new());
        tool(&arguments, |_: SearchArguments| Vec::new());
    }
    let token = match token(params) {
        Ok(token) => token,
        Err(problem) => return told(runtime, &request.id, &problem, revision),
    };
    // Whatever the token is, each notification is one event.
    let reply = Reply::new(request.id.clone(), revision);
    let mut telling = Telling::new(reply, token.clone());
    let mut out = Vec::new();
    telling.progress(1.0, 0.5, None, &request.method, &mut out);
    telling.progress(1.2, 0.5, None, &request.method, &mut out);
    telling.end(ToolResult::new(request.method.clone(), json!({})), &mut out);
    let Some(token) = token else {
        let answer: Value = serde_json::from_slice(&out).expect("a result is JSON");
        assert_eq!(answer["id"], request.id);
        return;
    };
    assert!(
        token.is_string() || token.is_i64() || token.is_u64(),
        "a token of another kind was taken"
    );
    let events = Events::default().push(&out).expect("they are short");
    let events: Vec<Value> = events
        .iter()
        .map(|event| serde_json::from_str(&event.data).expect("an event is JSON"))
        .collect();
    let [progress, answer] = events.as_slice() else {
        panic!("{} events", events.len())
    };
    assert_eq!(progress["params"]["progressToken"], token);
    assert_eq!(answer["id"], request.id);
}

/// Checks what a revision was found by.
fn agreed(request: &Request, headers: &HeaderMap, revision: Revision) {
    let version = headers
        .get("mcp-protocol-version")
        .map(|value| value.to_str().unwrap_or_default());
    if revision == Revision::Stateless {
        assert_eq!(version, Some(revision::ALL[0]), "no header names the revision");
        let method = headers.get("mcp-method").map(|value| value.as_bytes());
        assert_eq!(
            method,
            Some(request.method.as_bytes()),
            "head and body name other methods"
        );
    } else {
        let named = request
            .params
            .get("_meta")
            .and_then(|meta| meta.get("io.modelcontextprotocol/protocolVersion"));
        assert!(named.is_none(), "a revision that is named is not gone by");
    }
}

fuzz_target!(|bytes: &[u8]| {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let (headers, body) = input::head(bytes);
    let request = match message::read(body) {
        Ok(Message::Request(request)) => request,
        Ok(Message::Notification) => return,
        Err((id, problem)) => return told(&runtime, &id, &problem, Revision::Stateless),
    };
    let id = &request.id;
    assert!(
        id.is_string() || id.is_i64() || id.is_u64(),
        "an id of another kind was taken"
    );
    let written = json!({"jsonrpc": "2.0", "id": id, "method": request.method, "params": request.params});
    let Ok(Message::Request(again)) = message::read(written.to_string().as_bytes()) else {
        panic!("what was read is no request when it is written")
    };
    assert_eq!(
        (&again.id, &again.method),
        (id, &request.method),
        "it is read in another way"
    );
    assert!(again.params.keys().eq(request.params.keys()), "it has other parameters");
    let revision = match revision::of(&request, |name| headers.get(name)?.to_str().ok()) {
        Ok(revision) => revision,
        Err(problem) => return told(&runtime, id, &problem, Revision::Stateless),
    };
    agreed(&request, &headers, revision);
    call(&runtime, &request, revision);
    told(&runtime, id, &Problem::method_not_found(&request.method), revision);
});
