//! Chat: what is computed, conversations, and what the language model writes, whole and streamed.

use quartet_eval::requests::Request;
use serde_json::{Value, json};

use crate::ledger::Group::Chat;
use crate::visitor::Visitor;

const COMPUTED: [&str; 7] = [
    "What is 12 times 12?",
    "How many feet are in 3 miles?",
    "What day of the week was July 20, 1969?",
    "Wie viel ist 15 % von 240?",
    "¿Cuántos litros son 3 galones?",
    "Combien font 128 divisé par 4 ?",
    "What is the square root of 1764?",
];

const WRITTEN: [&str; 4] = [
    "Name three colours.",
    "Say in one sentence why the sky is blue.",
    "Nenne ein Tier, das schwimmt.",
    "Write one line about the sea.",
];

/// One question that is computed.
pub async fn computed(visitor: &mut Visitor) {
    let request = Request::json("/chat", &json!({"message": visitor.draw(&COMPUTED)}));
    visitor.ask(Chat, "chat, computed", &request).await;
}

/// Several questions of one conversation, which is then forgotten or not.
pub async fn conversation(visitor: &mut Visitor) {
    let mut id = Value::Null;
    for _ in 0..visitor.rng.usize(2..6) {
        let mut body = json!({"message": visitor.draw(&COMPUTED)});
        if id.is_string() {
            body["conversationId"] = id.clone();
        }
        let request = Request::json("/chat", &body).with("x-session-id", &visitor.session);
        let Some(answer) = visitor.ask(Chat, "chat, conversation", &request).await else {
            return;
        };
        id = answer.json()["data"]["conversationId"].clone();
        visitor.think().await;
    }
    if visitor.rng.bool() {
        let request =
            Request::json("/chat/forget", &json!({"conversationId": id})).with("x-session-id", &visitor.session);
        visitor.ask(Chat, "chat/forget", &request).await;
    }
}

/// A question for the language model, with a short answer.
pub fn written_request(visitor: &mut Visitor) -> Request {
    let body = json!({"message": visitor.draw(&WRITTEN), "mode": "concise", "maxTokens": 32});
    Request::json("/chat", &body)
}

/// One question that the language model answers.
pub async fn written(visitor: &mut Visitor) {
    let request = written_request(visitor);
    let (name, request) = match visitor.rng.bool() {
        true => ("chat, written", request),
        false => (
            "chat, written and streamed",
            request.with("accept", "text/event-stream"),
        ),
    };
    // Without a language model, a question for it fails with 503.
    visitor.expect(Chat, name, &[200, 503], &request).await;
}
