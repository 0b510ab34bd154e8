//! Conversations in Home Assistant's protocol: each goes on by its name, and the words come as the model writes them.

use quartet_tests::Service;
use quartet_tests::model_server::{Answer, Server, end, piece};
use quartet_tests::wyoming::{Event, Wyoming};
use serde_json::{Value, json};

use super::BOUNDS;

fn says(words: &[&str]) -> Answer {
    Answer::Stream(words.iter().map(|word| piece(word)).collect::<String>() + &end("stop"))
}

/// Says something in a conversation, on a connection of its own as Home Assistant does, and returns all that is answered.
fn said(address: &str, text: &str, conversation: &str) -> Vec<Event> {
    let mut client = Wyoming::to(address);
    client.send(
        "transcript",
        &json!({"text": text, "context": {"conversation_id": conversation}}),
    );
    let mut events = Vec::new();
    loop {
        let event = client.receive().expect("an answer");
        let last = event.kind == "handled-stop" || (event.kind == "not-handled" && events.is_empty());
        events.push(event);
        if last {
            return events;
        }
    }
}

#[test]
fn a_conversation_goes_on_by_its_name() {
    let server = Server::start(vec![
        says(&["Ada Lovelace ", "was a ", "mathematician."]),
        says(&["She was born in London."]),
        says(&["I do not know who you mean."]),
        Answer::Whole(500, &[], "{}".to_owned()),
    ]);
    let remote = ["--language-remote", &server.address, "--language-remote-model", "m"];
    let flags: Vec<_> = BOUNDS
        .iter()
        .chain(&remote)
        .chain(&["--wyoming-listen", "127.0.0.1:0"])
        .copied()
        .collect();
    let service = Service::start(&flags);
    let address = Wyoming::address(&service);
    // What the model was sent for the last answer.
    let asked = || -> Value { server.asked.try_iter().last().expect("a question").body };

    let first = said(&address, "Who was Ada Lovelace?", "kitchen");
    let chunks = first.iter().filter(|event| event.kind == "handled-chunk");
    let text: String = chunks.map(|event| event.data["text"].as_str().expect("text")).collect();
    assert_eq!(text, "Ada Lovelace was a mathematician.");
    let kinds: Vec<_> = first.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(
        (kinds[0], &kinds[kinds.len() - 2..]),
        ("handled-start", &["handled", "handled-stop"][..])
    );
    let whole = &first[first.len() - 2].data;
    assert_eq!(
        (&whole["text"], &whole["context"]),
        (&json!(text), &json!({"conversation_id": "kitchen"}))
    );
    assert!(!asked().to_string().contains("mathematician"));

    said(&address, "Where was she born?", "kitchen");
    let body = asked().to_string();
    assert!(
        body.contains("Who was Ada Lovelace?") && body.contains("mathematician"),
        "{body}"
    );

    said(&address, "Where was she born?", "attic");
    let body = asked().to_string();
    assert!(!body.contains("Lovelace") && !body.contains("mathematician"), "{body}");

    let failed = said(&address, "Who was he?", "attic");
    assert_eq!(failed[0].kind, "not-handled", "{failed:?}");
    assert!(!failed[0].data["text"].as_str().expect("a text").is_empty());
}
