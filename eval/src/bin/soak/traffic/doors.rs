//! The paths of other services' APIs.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hyper::Method;
use quartet_eval::files::Files;
use quartet_eval::requests::Request;
use quartet_eval::speech;
use serde_json::json;

use super::images;
use crate::ledger::Group::{Chat, Documents, Speech};
use crate::visitor::Visitor;

/// OpenAI's API.
pub async fn openai(visitor: &mut Visitor) {
    match visitor.rng.usize(..8) {
        0..=2 => spoken(visitor).await,
        3 | 4 => {
            let question = json!([{"role": "user", "content": "What is 12 times 12?"}]);
            let body = json!({"model": "quartet", "messages": question, "stream": visitor.rng.bool()});
            visitor
                .ask(
                    Chat,
                    "v1/chat/completions",
                    &Request::json("/v1/chat/completions", &body),
                )
                .await;
        }
        5 => {
            let body = json!({"model": "quartet", "input": "How many feet are in 3 miles?", "store": false});
            visitor
                .ask(Chat, "v1/responses", &Request::json("/v1/responses", &body))
                .await;
        }
        _ => {
            let language = speech::language(&mut visitor.rng);
            let text = speech::paragraph(language, &mut visitor.rng);
            let body = json!({"model": "text-embedding-3-small", "input": [text, "A short one."]});
            visitor
                .ask(Documents, "v1/embeddings", &Request::json("/v1/embeddings", &body))
                .await;
        }
    }
}

async fn spoken(visitor: &mut Visitor) {
    let (format, name) = *visitor.draw(&[
        ("mp3", "v1/audio/speech, mp3"),
        ("opus", "v1/audio/speech, opus"),
        ("flac", "v1/audio/speech, flac"),
        ("wav", "v1/audio/speech, wav"),
        ("pcm", "v1/audio/speech, pcm"),
    ]);
    let language = speech::language(&mut visitor.rng);
    let body = json!({
        "model": "tts-1",
        "voice": visitor.draw(&["alloy", "nova", "onyx", "fable", "sage"]),
        "input": speech::paragraph(language, &mut visitor.rng),
        "response_format": format,
        "engine": "fast",
    });
    visitor
        .ask(Speech, name, &Request::json("/v1/audio/speech", &body))
        .await;
}

/// Services that read documents.
pub async fn documents(visitor: &mut Visitor) {
    let file = match visitor.rng.usize(..3) {
        0 => images::picture(visitor),
        1 => visitor.file(|files: &Files| &files.others),
        _ => visitor.file(|files: &Files| &files.pdfs),
    };
    let is_pdf = file.name.ends_with(".pdf");
    match visitor.rng.usize(..6) {
        0 => {
            let request = Request::new(Method::PUT, "/tika/text", None, file.bytes.clone());
            visitor
                .ask(Documents, "tika/text", &request.with("accept", "text/plain"))
                .await;
        }
        1 => {
            let request = Request::new(Method::PUT, "/rmeta/text", None, file.bytes.clone());
            visitor.ask(Documents, "rmeta/text", &request).await;
        }
        2 => {
            let request = Request::new(Method::PUT, "/process", None, file.bytes.clone());
            let request = request.with("x-filename", file.name.replace(' ', "_"));
            visitor.ask(Documents, "process", &request).await;
        }
        3 => {
            let request = Request::form("/v1/convert/file", "files", &file, &[("to_formats", "md")]);
            visitor.ask(Documents, "v1/convert/file", &request).await;
        }
        4 if is_pdf => {
            let data = format!("data:application/pdf;base64,{}", BASE64_STANDARD.encode(&file.bytes));
            let body = json!({"document": {"type": "document_url", "document_url": data}});
            visitor.ask(Documents, "v1/ocr", &Request::json("/v1/ocr", &body)).await;
        }
        _ => kept(visitor).await,
    }
}

/// A file that is uploaded, read by its address, and deleted, as LibreChat does.
async fn kept(visitor: &mut Visitor) {
    let file = visitor.file(|files: &Files| &files.pdfs);
    let request = Request::form("/v1/files", "file", &file, &[("purpose", "ocr")]);
    let Some(answer) = visitor.ask(Documents, "v1/files", &request).await else {
        return;
    };
    let answer = answer.json();
    let id = answer["id"].as_str().unwrap_or_default();
    let address = Request::get(&format!("/v1/files/{id}/url"));
    if let Some(address) = visitor.ask(Documents, "v1/files, url", &address).await {
        let body = json!({"document": {"type": "document_url", "document_url": address.json()["url"]}});
        visitor.ask(Documents, "v1/ocr", &Request::json("/v1/ocr", &body)).await;
    }
    let request = Request::new(Method::DELETE, &format!("/v1/files/{id}"), None, "");
    visitor.ask(Documents, "v1/files, delete", &request).await;
}
