//! The tools of the Model Context Protocol, asked by hand in both of its ways. Its own packages ask in [`crate::packages`].

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use quartet_tests::client::{Client, Reply};
use quartet_tests::files::pdf;
use serde_json::{Value, json};

use crate::keys::with_keys;
use crate::start;

/// The revision without a handshake.
const STATELESS: &str = "2026-07-28";

const BOTH: (&str, &str) = ("accept", "application/json, text/event-stream");

fn post(client: &Client, body: &Value, headers: &[(&str, &str)]) -> Reply {
    client.post_with("/mcp", headers, body.to_string().as_bytes())
}

/// A request as clients with a handshake send it.
fn old(client: &Client, method: &str, params: Value) -> Reply {
    let headers = [BOTH, ("mcp-protocol-version", "2025-11-25")];
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    post(client, &body, &headers)
}

/// A request as clients without one send it.
fn stateless(client: &Client, method: &str, mut params: Value) -> Reply {
    let meta = &mut params["_meta"];
    meta["io.modelcontextprotocol/protocolVersion"] = STATELESS.into();
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
    let name = params["name"].as_str().map(str::to_owned);
    let mut headers = vec![BOTH, ("mcp-protocol-version", STATELESS), ("mcp-method", method)];
    headers.extend(name.as_deref().map(|name| ("mcp-name", name)));
    let body = json!({"jsonrpc": "2.0", "id": "a", "method": method, "params": params});
    post(client, &body, &headers)
}

fn called(client: &Client, name: &str, arguments: Value) -> Value {
    let reply = old(client, "tools/call", json!({"name": name, "arguments": arguments}));
    assert_eq!(reply.status, 200);
    reply.json()["result"].take()
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().expect("text")
}

#[test]
fn both_ways_to_begin_lead_to_the_same_tools() {
    let service = start(&["--language-model", "off"]);
    let client = service.client();
    let begun = old(
        &client,
        "initialize",
        json!({"protocolVersion": "2025-06-18", "capabilities": {}}),
    );
    assert_eq!(begun.header("mcp-session-id"), None);
    let begun = begun.json()["result"].take();
    assert_eq!(
        (&begun["protocolVersion"], &begun["serverInfo"]["name"]),
        (&json!("2025-06-18"), &json!("quartet"))
    );
    let told = post(
        &client,
        &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        &[BOTH],
    );
    assert_eq!((told.status, told.body.len()), (202, 0));
    assert_eq!(old(&client, "ping", json!({})).json()["result"], json!({}));
    let found = stateless(&client, "server/discover", json!({})).json()["result"].take();
    assert_eq!(found["supportedVersions"][0], STATELESS);
    assert_eq!(
        (&found["resultType"], &found["cacheScope"]),
        (&json!("complete"), &json!("private"))
    );
    let [one, other] = [
        old(&client, "tools/list", json!({})),
        stateless(&client, "tools/list", json!({})),
    ]
    .map(|reply| reply.json()["result"]["tools"].take());
    assert_eq!(one, other);
    assert_eq!(one.as_array().expect("a list").len(), 10);
    for tool in one.as_array().expect("a list") {
        let only_search = tool["name"] == "search";
        assert_eq!(tool["annotations"]["openWorldHint"], only_search, "{tool}");
        assert!(tool["annotations"]["readOnlyHint"] == true && tool["outputSchema"]["type"] == "object");
    }
}

#[test]
fn errors_of_the_protocol_are_no_results() {
    let service = start(&["--language-model", "off"]);
    let client = service.client();
    let error = |reply: Reply| (reply.status, reply.json()["error"]["code"].as_i64().expect("a code"));
    assert_eq!(error(post(&client, &json!([]), &[BOTH])), (400, -32600));
    assert_eq!(error(old(&client, "resources/list", json!({}))), (200, -32601));
    assert_eq!(error(stateless(&client, "resources/list", json!({}))), (404, -32601));
    assert_eq!(
        error(old(&client, "tools/call", json!({"name": "sing"}))),
        (200, -32602)
    );
    assert_eq!(
        error(stateless(&client, "tools/call", json!({"name": "sing"}))),
        (400, -32602)
    );
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let other = post(&client, &body, &[BOTH, ("mcp-protocol-version", "1999-01-01")]);
    assert_eq!(other.json()["error"]["data"]["supported"][0], STATELESS);
    assert_eq!(error(other), (400, -32022));
    for reply in [
        client.get_with("/mcp", &[("accept", "text/event-stream")]),
        client.get("/mcp/sse"),
    ] {
        assert_eq!(reply.json()["jsonrpc"], "2.0");
        assert!([404, 405].contains(&reply.status));
    }
    assert_eq!(client.get("/mcp").header("allow"), Some("POST"));
    let foreign = post(&client, &body, &[BOTH, ("origin", "https://evil.example")]);
    assert_eq!(error(foreign), (403, -32600));
}

#[test]
fn a_tool_that_fails_says_why_and_is_counted_as_a_failure() {
    let service = start(&["--language-model", "off"]);
    let client = service.client();
    for (name, arguments, part) in [
        ("speak", json!({}), "`text`"),
        ("speak", json!({"text": "a", "voice": "Puck"}), "Kore"),
        ("speak", json!({"text": "a word ".repeat(1_000)}), "in parts"),
        ("speak", json!({"text": "a", "format": "ogg"}), "mp3 or wav"),
        ("compute", json!({"question": "Who was Goethe?"}), "computed"),
        (
            "read_document",
            json!({"document": "https://a.example/a.pdf"}),
            "not fetched",
        ),
        (
            "read_document",
            json!({"document": BASE64_STANDARD.encode(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0")}),
            "PDF",
        ),
        ("ask_document", json!({"question": "Who?"}), "`documentId`"),
        (
            "ask_document",
            json!({"question": "Who?", "documentId": "0".repeat(32)}),
            "document",
        ),
        ("ask_image", json!({"question": "Who?", "imageId": 5}), "`imageId`"),
    ] {
        let result = called(&client, name, arguments);
        assert_eq!(result["isError"], true, "{name}: {result}");
        assert!(text(&result).contains(part), "{name}: {result}");
    }
    let page = String::from_utf8(client.get("/metrics").body).expect("text");
    assert!(page.contains("operation=\"mcp\",status=\"400\""), "{page}");
}

#[test]
fn documents_and_images_are_read_once_and_asked_about_later() {
    let service = start(&["--language-model", "off"]);
    let client = service.client();
    let document = BASE64_STANDARD.encode(pdf(&[
        &["The mill of Aldebourne was built in 1742 by Thomas Reed."],
        &["The river that drives the wheel is called the Lenn."],
    ]));
    let read = called(&client, "read_document", json!({"document": document}));
    let data = &read["structuredContent"];
    assert!(
        text(&read).contains("1742") && text(&read).contains("<!-- page 2 -->"),
        "{read}"
    );
    assert_eq!(data["pages"].as_array().expect("pages").len(), 2);
    let second = called(&client, "read_document", json!({"document": document, "firstPage": 2}));
    assert!(
        !text(&second).contains("1742") && text(&second).contains("Lenn"),
        "{second}"
    );
    let question = json!({"question": "Who built the mill of Aldebourne?", "documentId": data["documentId"]});
    let answer = called(&client, "ask_document", question);
    assert!(
        text(&answer).contains("Thomas Reed") && text(&answer).contains("Page 1:"),
        "{answer}"
    );
    let at_once = json!({"question": "Which river drives the wheel?", "document": document});
    let answer = stateless(
        &client,
        "tools/call",
        json!({"name": "ask_document", "arguments": at_once}),
    )
    .json();
    assert_eq!(
        answer["result"]["structuredContent"]["citations"][0]["page"], 2,
        "{answer}"
    );
    let summary = called(
        &client,
        "summarize_document",
        json!({"document": format!("data:application/pdf;base64,{document}")}),
    );
    assert_eq!(summary["isError"], false, "{summary}");
}

/// The messages of a stream of events.
fn events(reply: &Reply) -> Vec<Value> {
    assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    assert_eq!(reply.header("x-accel-buffering"), Some("no"));
    let text = String::from_utf8_lossy(&reply.body);
    let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| serde_json::from_str(data).expect("JSON")).collect()
}

#[test]
fn speech_is_audio_and_tells_its_progress() {
    let service = start(&["--language-model", "off"]);
    let client = service.client();
    let arguments = json!({"text": "Good morning. ".repeat(8), "engine": "fast", "language": "en"});
    let plain = called(&client, "speak", arguments.clone());
    let params = json!({"name": "speak", "arguments": arguments, "_meta": {"progressToken": 7}});
    for reply in [
        old(&client, "tools/call", params.clone()),
        stateless(&client, "tools/call", params),
    ] {
        let events = events(&reply);
        let (result, told) = events.split_last().expect("events");
        assert!(told.len() > 2, "{told:?}");
        let progress: Vec<_> = told
            .iter()
            .map(|told| told["params"]["progress"].as_f64().expect("a number"))
            .collect();
        assert!(progress.windows(2).all(|pair| pair[0] < pair[1]), "{progress:?}");
        assert!(
            told.iter()
                .all(|told| told["params"]["progressToken"] == 7 && told["params"]["total"].is_f64())
        );
        assert_eq!(
            result["result"]["content"], plain["content"],
            "the same request gives the same bytes"
        );
    }
    let audio = plain["content"][0]["data"].as_str().expect("Base64");
    let audio = BASE64_STANDARD.decode(audio).expect("Base64");
    assert_eq!(
        (audio[0], &plain["structuredContent"]["mimeType"]),
        (0xff, &json!("audio/mpeg"))
    );
    let wav = called(&client, "speak", json!({"text": "Yes.", "format": "wav"}));
    let wav = BASE64_STANDARD
        .decode(wav["content"][0]["data"].as_str().expect("Base64"))
        .expect("Base64");
    assert!(hound::WavReader::new(&wav[..]).expect("a WAV file").duration() > 4_800);
}

#[test]
fn a_key_has_the_tools_of_its_capabilities() {
    let (service, _folder, [all, speech]) = with_keys(&[]);
    let client = service.client();
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let stranger = post(&client, &body, &[BOTH]);
    assert_eq!(
        (stranger.status, stranger.json()["error"]["data"]["code"].as_str()),
        (401, Some("unauthorized"))
    );
    let names = |key: &str| -> Vec<String> {
        let bearer = format!("Bearer {key}");
        let reply = post(&client, &body, &[BOTH, ("authorization", &bearer)]).json();
        let tools = reply["result"]["tools"].as_array().expect("a list").clone();
        tools
            .iter()
            .map(|tool| tool["name"].as_str().expect("a name").to_owned())
            .collect()
    };
    assert_eq!(names(&all).len(), 10);
    assert_eq!(names(&speech), ["speak"]);
    let bearer = format!("Bearer {speech}");
    let call =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "compute", "arguments": {}}});
    let reply = post(&client, &call, &[BOTH, ("authorization", &bearer)]).json();
    assert!(
        reply["error"]["message"]
            .as_str()
            .expect("a sentence")
            .contains("there are speak"),
        "{reply}"
    );
}

#[test]
fn it_is_off_where_the_setting_says_so() {
    let service = start(&["--mcp", "false"]);
    let client = service.client();
    assert_eq!(client.get("/mcp").status, 404);
    assert_eq!(client.get("/v1/models").status, 200);
    let service = start(&["--openai-api", "false"]);
    let client = service.client();
    assert_eq!(client.get("/v1/models").status, 404);
    assert_eq!(old(&client, "ping", json!({})).status, 200);
}
