//! Pictures: described, read, looked for things, asked about, forgotten.

use quartet_eval::files::{File, Files};
use quartet_eval::requests::Request;
use serde_json::json;

use crate::ledger::Group::Images;
use crate::visitor::Visitor;

const QUESTIONS: [&str; 5] = [
    "What is in the picture?",
    "How many people are there?",
    "What does the text say?",
    "Is it bright or dark?",
    "Which colours are there?",
];

/// Most pictures that are sent are photographs.
pub fn picture(visitor: &mut Visitor) -> File {
    match visitor.rng.usize(..4) {
        0 => visitor.file(|files: &Files| &files.pages),
        _ => visitor.file(|files: &Files| &files.photographs),
    }
}

/// One picture, one thing done with it; where it was described or read, a question or two about it.
pub async fn visit(visitor: &mut Visitor) {
    let file = picture(visitor);
    let (name, path) = *visitor.draw(&[
        ("image/analyze", "/image/analyze"),
        ("image/extract-text", "/image/extract-text"),
        ("image/detect-objects", "/image/detect-objects"),
    ]);
    let request = Request::form(path, "image", &file, &[]).with("x-session-id", &visitor.session);
    let Some(answer) = visitor.ask(Images, name, &request).await else {
        return;
    };
    let id = answer.json()["data"]["imageId"].clone();
    for _ in 0..visitor.rng.usize(..3) {
        visitor.think().await;
        let message = *visitor.draw(&QUESTIONS);
        // By its id, or as the session's last one.
        let body = match visitor.rng.bool() {
            true => json!({"message": message, "imageId": id}),
            false => json!({"message": message}),
        };
        let request = Request::json("/image/chat", &body).with("x-session-id", &visitor.session);
        visitor.ask(Images, "image/chat", &request).await;
    }
    if visitor.rng.usize(..4) == 0 {
        let request = Request::json("/image/forget", &json!({"imageId": id})).with("x-session-id", &visitor.session);
        visitor.ask(Images, "image/forget", &request).await;
    }
}
