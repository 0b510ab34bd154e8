//! Documents: read, summarised, asked about, forgotten; and vectors of texts.

use quartet_eval::files::{File, Files};
use quartet_eval::requests::Request;
use quartet_eval::speech;
use serde_json::json;

use crate::ledger::Group::Documents;
use crate::visitor::Visitor;

const QUESTIONS: [&str; 5] = [
    "What is this document about?",
    "Who wrote it?",
    "How many pages does it have?",
    "When was it made?",
    "What is the most important point?",
];

/// A PDF.
pub async fn of_pdfs(visitor: &mut Visitor) {
    let file = visitor.file(|files: &Files| &files.pdfs);
    match visitor.rng.usize(..6) {
        0 => embeddings(visitor).await,
        _ => visit(visitor, &file).await,
    }
}

/// A document of another kind.
pub async fn of_other_kinds(visitor: &mut Visitor) {
    let file = visitor.file(|files: &Files| &files.others);
    visit(visitor, &file).await;
}

async fn visit(visitor: &mut Visitor, file: &File) {
    let (name, path, fields): (_, _, &[(&str, &str)]) = match visitor.rng.usize(..10) {
        0..=2 => ("pdf/extract-text", "/pdf/extract-text", &[]),
        3..=5 => ("pdf/extract-text", "/pdf/extract-text", &[("format", "markdown")]),
        6 | 7 => ("pdf/summarize", "/pdf/summarize", &[]),
        8 => ("pdf/summarize", "/pdf/summarize", &[("language", "es")]),
        _ => ("pdf/extract-text, events", "/pdf/extract-text", &[]),
    };
    let mut request = Request::form(path, "document", file, fields).with("x-session-id", &visitor.session);
    if name.ends_with("events") {
        request = request.with("accept", "text/event-stream");
    }
    let Some(answer) = visitor.ask(Documents, name, &request).await else {
        return;
    };
    for _ in 0..visitor.rng.usize(..3) {
        visitor.think().await;
        let body = json!({"message": visitor.draw(&QUESTIONS)});
        let request = Request::json("/pdf/chat", &body).with("x-session-id", &visitor.session);
        visitor.ask(Documents, "pdf/chat", &request).await;
    }
    let id = answer.json()["data"]["documentId"].clone();
    if id.is_string() && visitor.rng.usize(..4) == 0 {
        let body = json!({"documentId": id});
        let request = Request::json("/pdf/forget", &body).with("x-session-id", &visitor.session);
        visitor.ask(Documents, "pdf/forget", &request).await;
    }
}

async fn embeddings(visitor: &mut Visitor) {
    let texts: Vec<&str> = (0..visitor.rng.usize(1..6))
        .map(|_| {
            let language = speech::language(&mut visitor.rng);
            speech::paragraph(language, &mut visitor.rng)
        })
        .collect();
    let request = Request::json("/pdf/embeddings", &json!({"texts": texts, "purpose": "passage"}));
    visitor.ask(Documents, "pdf/embeddings", &request).await;
}
