//! Functions of clients, called by a server's model: what it is asked, and what clients of OpenAI's API get.

use quartet_tests::model_server::{Answer, Server, end, piece};
use quartet_tests::{Client, Reply, Service};
use serde_json::{Value, json};

use super::BOUNDS;

const QUESTION: &str = "How is the weather in Paris and in Rome?";

fn says(text: &str) -> Answer {
    Answer::Stream(piece(text) + &end("stop"))
}

fn start(server: &Server) -> Service {
    let remote = ["--language-remote", &server.address, "--language-remote-model", "m"];
    let flags: Vec<_> = BOUNDS.iter().chain(&remote).copied().collect();
    Service::start(&flags)
}

fn tool() -> Value {
    // A model fills the fields in as they stand here, and not by the alphabet.
    serde_json::from_str(
        r##"{"type": "object", "properties": {"unit": {"$ref": "#/$defs/unit"}, "city": {"type": "string"}},
            "required": ["city"], "$defs": {"unit": {"enum": ["C", "F"]}}}"##,
    )
    .expect("JSON")
}

fn ask(client: &Client, more: &Value) -> Reply {
    let function = json!({"name": "weather", "description": "Says it.", "parameters": tool(), "strict": true});
    let mut body = json!({
        "model": "quartet",
        "messages": [{"role": "user", "content": QUESTION}],
        "tools": [{"type": "function", "function": function}],
    });
    for (name, value) in more.as_object().expect("an object") {
        body[name] = value.clone();
    }
    client.post("/v1/chat/completions", &body)
}

const CHOICE: &str = r#"{"functions": ["weather", "weather"]}"#;
const PARIS: &str = r#"{"city": "Paris"}"#;
const ROME: &str = r#"{"unit": "C", "city": "Rome"}"#;

#[test]
fn calls_come_with_their_ids_and_their_results_are_answered() {
    let server = Server::start(vec![
        says(CHOICE),
        says(PARIS),
        says(ROME),
        says(r#"{"functions": []}"#),
        says("Rain, then sun."),
    ]);
    let service = start(&server);
    let reply = ask(&service.client(), &json!({}));
    assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
    let first = reply.json();
    let choice = &first["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls");
    assert_eq!(choice["message"]["content"], Value::Null);
    let calls = choice["message"]["tool_calls"].as_array().expect("calls");
    let arguments: Vec<_> = calls
        .iter()
        .map(|call| call["function"]["arguments"].as_str())
        .collect();
    assert_eq!(arguments, [Some(PARIS), Some(ROME)]);
    assert_ne!(calls[0]["id"], calls[1]["id"]);
    assert_eq!(first["usage"]["completion_tokens"], 15);
    let result =
        |place: usize, text: &str| json!({"role": "tool", "tool_call_id": calls[place]["id"], "content": text});
    let messages = json!([
        {"role": "user", "content": QUESTION}, choice["message"], result(0, "rain"), result(1, "sun")
    ]);
    let second = ask(&service.client(), &json!({"messages": messages})).json();
    let choice = &second["choices"][0];
    assert_eq!(
        (&choice["message"]["content"], &choice["finish_reason"]),
        (&json!("Rain, then sun."), &json!("stop"))
    );
    let asked: Vec<_> = server.asked.try_iter().map(|asked| asked.body).collect();
    let system = asked[0]["messages"][0]["content"].as_str().expect("text");
    let shown = r#"{"name":"weather","description":"Says it.","parameters":{"#;
    assert!(system.contains(shown), "{system}");
    let schema = |number: usize| asked[number]["response_format"]["json_schema"]["schema"].clone();
    assert_eq!(
        schema(0)["properties"]["functions"]["items"],
        json!({"enum": ["weather"]})
    );
    let mut held = tool();
    held["additionalProperties"] = json!(false);
    assert_eq!((schema(1), schema(4)), (held, Value::Null));
    // Every step goes on from the one before.
    for number in 1..asked.len() {
        let (before, now) = (
            asked[number - 1]["messages"].as_array(),
            asked[number]["messages"].as_array(),
        );
        let (before, now) = (before.expect("turns"), now.expect("turns"));
        assert_eq!(now[..before.len()], before[..], "{number}");
    }
}

#[test]
fn calls_and_words_are_streamed() {
    let server = Server::start(vec![
        says(CHOICE),
        says(PARIS),
        says(ROME),
        says(r#"{"functions": []}"#),
        Answer::Stream(piece("I do ") + &piece("not know.") + &end("stop")),
    ]);
    let service = start(&server);
    let streamed = |reply: Reply| {
        let text = String::from_utf8(reply.body).expect("text");
        let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
        let all: Vec<_> = data.map(str::to_owned).collect();
        assert_eq!(all.last().map(String::as_str), Some("[DONE]"), "{text}");
        let chunks = all[..all.len() - 1]
            .iter()
            .map(|data| serde_json::from_str::<Value>(data).expect("JSON"));
        chunks.map(|chunk| chunk["choices"][0].clone()).collect::<Vec<_>>()
    };
    let chunks = streamed(ask(&service.client(), &json!({"stream": true})));
    assert_eq!(chunks.len(), 4, "{chunks:?}");
    let call = &chunks[2]["delta"]["tool_calls"][0];
    assert_eq!(
        (&call["index"], &call["type"], &call["function"]),
        (
            &json!(1),
            &json!("function"),
            &json!({"name": "weather", "arguments": ROME})
        )
    );
    assert!(call["id"].as_str().is_some_and(|id| id.starts_with("call_")));
    assert_eq!(chunks[3]["finish_reason"], "tool_calls");
    let chunks = streamed(ask(&service.client(), &json!({"stream": true})));
    let pieces: Vec<_> = chunks
        .iter()
        .filter_map(|chunk| chunk["delta"]["content"].as_str())
        .collect();
    assert_eq!(pieces, ["", "I do ", "not know."]);
    assert_eq!(chunks.last().expect("chunks")["finish_reason"], "stop");
}

#[test]
fn one_call_at_a_time_one_by_name_and_at_least_one() {
    let server = Server::start(vec![
        says(r#"{"functions": ["weather"]}"#),
        says(PARIS),
        says(ROME),
        says(r#"{"functions": ["weather"]}"#),
        says(PARIS),
    ]);
    let service = start(&server);
    let named = json!({"tool_choice": {"type": "function", "function": {"name": "weather"}}});
    for more in [
        json!({"parallel_tool_calls": false}),
        named,
        json!({"tool_choice": "required"}),
    ] {
        let calls = ask(&service.client(), &more).json()["choices"][0]["message"]["tool_calls"].take();
        assert_eq!(calls.as_array().map(Vec::len), Some(1), "{more}");
    }
    let asked: Vec<_> = server.asked.try_iter().map(|asked| asked.body).collect();
    let list =
        |number: usize| asked[number]["response_format"]["json_schema"]["schema"]["properties"]["functions"].clone();
    assert_eq!((&list(0)["minItems"], &list(0)["maxItems"]), (&json!(0), &json!(1)));
    // Nobody asks which one, where it was named.
    assert_eq!(list(2), Value::Null);
    assert_eq!(list(3)["minItems"], 1);
}

#[test]
fn a_response_has_calls_as_items() {
    let server = Server::start(vec![
        says(r#"{"functions": ["weather"]}"#),
        says(PARIS),
        says(r#"{"functions": []}"#),
        says("It rains."),
    ]);
    let service = start(&server);
    let client = service.client();
    let tool =
        json!({"type": "function", "name": "weather", "description": null, "parameters": tool(), "strict": true});
    let mut body = json!({"model": "quartet", "input": QUESTION, "tools": [tool]});
    let first = client.post("/v1/responses", &body).json();
    let call = &first["output"][0];
    assert_eq!(
        (&call["type"], &call["name"], &call["arguments"]),
        (&json!("function_call"), &json!("weather"), &json!(PARIS))
    );
    assert_eq!(
        (&first["tools"], &first["status"]),
        (&json!([tool]), &json!("completed"))
    );
    body["input"] = json!([
        {"role": "user", "content": QUESTION},
        call,
        {"type": "function_call_output", "call_id": call["call_id"], "output": "rain"},
    ]);
    body["stream"] = json!(true);
    let reply = client.post("/v1/responses", &body);
    let text = String::from_utf8(reply.body).expect("text");
    assert!(
        text.contains("It rains.") && text.contains("event: response.completed"),
        "{text}"
    );
}

#[test]
fn parameters_that_cannot_be_kept_to_are_refused_by_name() {
    let refused = Answer::Whole(400, &[], "{\"error\": \"unsupported keyword: not\"}".to_owned());
    let server = Server::start(vec![says(r#"{"functions": ["weather"]}"#), refused]);
    let service = start(&server);
    let reply = ask(&service.client(), &json!({}));
    assert_eq!(reply.status, 400);
    assert_eq!(reply.openai_failure()[2], "tools[0].function.parameters");
}
