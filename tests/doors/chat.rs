//! Chat: what is computed, so that no model is needed to know the answer, and what is asked about pictures and documents.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use quartet_tests::files::{bitmap_file, pdf};
use quartet_tests::{Reply, Service};
use serde_json::{Value, json};

use crate::start;

fn ask(service: &Service, more: &Value) -> Reply {
    let mut body = json!({
        "model": "quartet",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "What is 12 times 12?"}]},
        ],
    });
    for (name, value) in more.as_object().expect("an object") {
        body[name] = value.clone();
    }
    let headers = [("content-type", "application/json"), ("x-request-id", "asked")];
    service
        .client()
        .post_with("/v1/chat/completions", &headers, body.to_string().as_bytes())
}

/// The body with the time taken out, which nobody knows before.
fn timeless(reply: &Reply) -> String {
    assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
    let text = String::from_utf8(reply.body.clone()).expect("text");
    let begin = text.find("\"created\":").expect("a time") + 10;
    let length = text[begin..].find(',').expect("more");
    let created = &text[begin..begin + length];
    assert!(created.parse::<u64>().expect("seconds") > 1_700_000_000);
    text.replace(&format!("\"created\":{created}"), "\"created\":0")
}

fn content(reply: &Reply) -> String {
    assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
    let content = reply.json()["choices"][0]["message"]["content"].take();
    content.as_str().expect("text").to_owned()
}

const USAGE: &str = concat!(
    r#"{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0,"#,
    r#""prompt_tokens_details":{"cached_tokens":0}}"#
);

#[test]
fn an_answer_to_the_byte() {
    let service = start(&[]);
    let reply = ask(
        &service,
        &json!({"temperature": 0.3, "max_completion_tokens": 50, "user": "u", "n": 1, "tools": []}),
    );
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert!(
        reply
            .header("x-quartet-component")
            .expect("a version")
            .starts_with("chat@")
    );
    let expected = concat!(
        r#"{"id":"chatcmpl-asked","object":"chat.completion","created":0,"model":"quartet","choices":[{"index":0,"#,
        r#""message":{"role":"assistant","content":"12 × 12 = 144","refusal":null,"annotations":[]},"logprobs":null,"#,
        r#""finish_reason":"stop"}],"usage":"#
    );
    assert_eq!(timeless(&reply), format!("{expected}{USAGE}}}"));
}

#[test]
fn a_stream_to_the_byte() {
    let service = start(&[]);
    let chunk = |choices: &str, usage: &str| {
        format!(
            "data: {{\"id\":\"chatcmpl-asked\",\"object\":\"chat.completion.chunk\",\"created\":0,\"model\":\"quartet\",\
             \"choices\":[{choices}]{usage}}}\n\n"
        )
    };
    let piece = |delta: &str, finish: &str| {
        format!("{{\"index\":0,\"delta\":{{{delta}}},\"logprobs\":null,\"finish_reason\":{finish}}}")
    };
    let expected = |usage: &str| {
        chunk(&piece(r#""role":"assistant","content":"""#, "null"), usage)
            + &chunk(&piece(r#""content":"12 × 12 = 144""#, "null"), usage)
            + &chunk(&piece("", "\"stop\""), usage)
    };
    let reply = ask(&service, &json!({"stream": true}));
    assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    assert_eq!(timeless(&reply), expected("") + "data: [DONE]\n\n");
    let reply = ask(
        &service,
        &json!({"stream": true, "stream_options": {"include_usage": true}}),
    );
    let last = chunk("", &format!(",\"usage\":{USAGE}"));
    assert_eq!(
        timeless(&reply),
        expected(",\"usage\":null") + &last + "data: [DONE]\n\n"
    );
}

#[test]
fn an_answer_ends_before_a_text_that_stops_it() {
    let service = start(&[]);
    for stop in [json!("= 1"), json!(["nothing", "= 1"])] {
        let reply = ask(&service, &json!({"stop": stop}));
        assert_eq!(content(&reply), "12 × 12 ");
        assert_eq!(reply.json()["choices"][0]["finish_reason"], "stop");
        let reply = ask(&service, &json!({"stop": stop, "stream": true}));
        let text = String::from_utf8(reply.body).expect("text");
        assert!(
            text.contains("\"content\":\"12 × 12 \"") && !text.contains("= 144"),
            "{text}"
        );
    }
}

#[test]
fn what_cannot_be_answered_is_refused_by_name() {
    let service = start(&[]);
    let picture = |url: &str| json!({"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}]});
    for (more, status, field, code) in [
        (json!({"model": "gpt-4o"}), 404, "model", "model_not_found"),
        (
            json!({"tools": [{"type": "function"}]}),
            400,
            "tools[0].function.name",
            "invalid_field",
        ),
        (json!({"functions": [{"name": "f"}]}), 400, "functions", "invalid_field"),
        // The component says these two.
        (
            json!({"tools": [{"type": "function", "function": {"name": "a b"}}]}),
            400,
            "tools[0].function.name",
            "invalid_field",
        ),
        (
            json!({"tools": [{"type": "function", "function": {"name": "f"}}], "tool_choice": {"type": "function", "function": {"name": "g"}}}),
            400,
            "tool_choice",
            "invalid_field",
        ),
        (json!({"n": 2}), 400, "n", "invalid_field"),
        (
            json!({"response_format": {"type": "xml"}}),
            400,
            "response_format",
            "invalid_field",
        ),
        (json!({"messages": []}), 400, "messages", "invalid_field"),
        (json!({"stop": [1]}), 400, "stop", "invalid_field"),
        (json!({"temperature": "hot"}), 400, "temperature", "invalid_field"),
        (json!({"top_p": 1.5}), 400, "top_p", "invalid_field"),
        (
            picture("https://example.org/a.png"),
            400,
            "messages[0].content[0].image_url.url",
            "invalid_field",
        ),
        // The component says this one.
        (
            picture("data:image/png;base64,iVBORw0KGgoAAAA="),
            400,
            "",
            "invalid_picture",
        ),
    ] {
        for stream in [false, true] {
            let mut more = more.clone();
            more["stream"] = json!(stream);
            let reply = ask(&service, &more);
            assert_eq!(reply.status, status, "{more}: {}", String::from_utf8_lossy(&reply.body));
            let [_, _, named, word] = reply.openai_failure();
            assert_eq!((named.as_str(), word.as_str()), (field, code), "{more}");
        }
    }
    // Without a language model there is nobody to ask, nor anybody who calls functions.
    let calls = json!({"tools": [{"type": "function", "function": {"name": "f"}}]});
    let reply = ask(&service, &calls);
    assert_eq!((reply.status, reply.openai_failure()[3].as_str()), (503, "unavailable"));
    let question = json!({"messages": [{"role": "user", "content": "Who was Goethe?"}]});
    let reply = ask(&service, &question);
    assert_eq!((reply.status, reply.openai_failure()[3].as_str()), (503, "unavailable"));
    let mut question = question;
    question["stream"] = json!(true);
    let reply = ask(&service, &question);
    let text = String::from_utf8_lossy(&reply.body);
    assert!(
        text.contains("{\"error\":{\"message\":") && !text.contains("[DONE]"),
        "{text}"
    );
}

#[test]
fn a_picture_is_described_and_asked_about() {
    let service = start(&[]);
    let file = bitmap_file(120, 90, &vec![[220, 20, 30]; 120 * 90]);
    let url = format!("data:image/bmp;base64,{}", BASE64_STANDARD.encode(file));
    let part = json!({"type": "image_url", "image_url": {"url": url}});
    let described = ask(&service, &json!({"messages": [{"role": "user", "content": [part]}]}));
    assert!(content(&described).contains("red"), "{}", content(&described));
    let text = json!({"type": "text", "text": "What colours are in the picture?"});
    let first = json!({"role": "user", "content": [text, part]});
    let answer = content(&ask(&service, &json!({"messages": [first]})));
    assert!(answer.contains("red"), "{answer}");
    // It is asked about again, because the client sends the whole conversation; and a question that it does not answer goes
    // where questions go.
    let conversation = |question: &str| {
        let answer = json!({"role": "assistant", "content": answer});
        json!({"messages": [first, answer, {"role": "user", "content": question}]})
    };
    let again = content(&ask(&service, &conversation("How large is the picture?")));
    assert!(again.contains("120") && again.contains("90"), "{again}");
    let streamed = json!({"messages": conversation("How large is the picture?")["messages"], "stream": true});
    let streamed = ask(&service, &streamed);
    let text = String::from_utf8(streamed.body).expect("text");
    assert!(text.contains("120") && text.ends_with("data: [DONE]\n\n"), "{text}");
    service.wait_for_log(&["image/forget", "\"status\":200"]);
}

#[test]
fn a_document_is_asked_about() {
    let service = start(&[]);
    let file = pdf(&[&[
        "The mill of Aldebourne was built in 1742 by Thomas Reed.",
        "It grinds the wheat of the whole valley every autumn.",
    ]]);
    let data = format!("data:application/pdf;base64,{}", BASE64_STANDARD.encode(file));
    let part = json!({"type": "file", "file": {"filename": "mill.pdf", "file_data": data}});
    let text = json!({"type": "text", "text": "Who built the mill?"});
    let answer = content(&ask(
        &service,
        &json!({"messages": [{"role": "user", "content": [part, text]}]}),
    ));
    assert!(answer.contains("Thomas Reed"), "{answer}");
    service.wait_for_log(&["pdf/forget", "\"status\":200"]);
}
