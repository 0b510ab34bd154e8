//! `/v1/responses`: the same answers as `/v1/chat/completions`, in the other form.

use serde_json::{Value, json};

use crate::start;

#[test]
fn a_response_is_whole_or_in_events() {
    let service = start(&[]);
    let client = service.client();
    let question = json!({"model": "quartet", "input": "What is 12 times 12?"});
    let whole = client.post("/v1/responses", &question).json();
    assert_eq!(
        (&whole["object"], &whole["status"], &whole["store"]),
        (&json!("response"), &json!("completed"), &json!(false))
    );
    let text = whole["output"][0]["content"][0]["text"].as_str().expect("text");
    assert!(text.contains("144"), "{whole}");

    let mut streamed = question;
    streamed["stream"] = json!(true);
    let reply = client.post("/v1/responses", &streamed);
    assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    let body = String::from_utf8(reply.body).expect("text");
    let events: Vec<Value> = body
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).expect("JSON"))
        .collect();
    let pieces: String = events.iter().filter_map(|event| event["delta"].as_str()).collect();
    assert_eq!(pieces, text);
    let last = events.last().expect("events");
    assert_eq!(last["type"], "response.completed");
    assert_eq!(last["response"]["output"][0]["content"], whole["output"][0]["content"]);
}

#[test]
fn what_would_have_to_be_kept_is_refused_and_failures_end_a_stream() {
    let service = start(&[]);
    let client = service.client();
    for field in ["previous_response_id", "conversation", "store"] {
        let mut body = json!({"model": "quartet", "input": "Hello"});
        body[field] = if field == "store" { json!(true) } else { json!("x") };
        let reply = client.post("/v1/responses", &body);
        assert_eq!(reply.status, 400);
        assert_eq!(reply.openai_failure()[2], field);
    }
    // There is no model here, and this cannot be computed.
    let body = json!({"model": "quartet", "input": "Who was Goethe?", "stream": true});
    let text = String::from_utf8(client.post("/v1/responses", &body).body).expect("text");
    assert!(
        text.contains("event: response.failed\n") && text.contains("\"code\":\"unavailable\""),
        "{text}"
    );
}
