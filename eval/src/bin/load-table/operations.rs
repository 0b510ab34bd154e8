//! The operations that are measured, each with requests that take turns.

use std::net::SocketAddr;

use anyhow::{Result, bail};
use quartet_api::Language;
use quartet_eval::client::{Client, Ending, Manner};
use quartet_eval::files::{File, Files};
use quartet_eval::requests::Request;
use quartet_eval::speech;
use serde_json::{Value, json};

/// Number of the client whose uploads are asked about. It holds little, and so it is not the one that gives way.
const UPLOADER: u16 = 40_000;

/// An operation.
pub struct Operation {
    /// Its name in the table.
    pub name: &'static str,
    /// Its requests.
    pub requests: Vec<Request>,
    /// True where it is asked for more often than can be carried.
    pub overloads: bool,
}

fn operation(name: &'static str, requests: Vec<Request>) -> Operation {
    Operation {
        name,
        requests,
        overloads: false,
    }
}

fn forms(path: &str, field: &str, files: &[File]) -> Vec<Request> {
    files.iter().map(|file| Request::form(path, field, file, &[])).collect()
}

fn each(path: &str, bodies: &[Value]) -> Vec<Request> {
    bodies.iter().map(|body| Request::json(path, body)).collect()
}

/// All operations, from light to heavy. For questions about files, some are uploaded first.
///
/// # Errors
/// When an upload is not answered.
pub async fn all(files: &Files, address: SocketAddr) -> Result<Vec<Operation>> {
    let mut uploader = Client::new(address, UPLOADER);
    let image = upload(
        &mut uploader,
        "/image/analyze",
        "image",
        &files.photographs[0],
        "imageId",
    )
    .await?;
    let document = upload(&mut uploader, "/pdf/extract-text", "pdf", &files.pdfs[0], "documentId").await?;
    let paragraph = |language: Language| speech::paragraphs(language, 4);
    let sentence = "Good morning. The library opens at nine.";
    let languages = [
        Language::English,
        Language::Spanish,
        Language::Japanese,
        Language::Arabic,
    ];
    let spoken = |engine: &str, text: &dyn Fn(Language) -> String| -> Vec<Value> {
        languages
            .iter()
            .map(|language| json!({"text": text(*language), "language": language.code(), "engine": engine}))
            .collect()
    };
    let natural = json!({"text": sentence, "language": "en", "engine": "natural"});
    let streamed = spoken("fast", &|language| speech::paragraphs(language, 20));
    let audio = json!({"model": "tts-1", "voice": "alloy", "input": paragraph(Language::English), "engine": "fast"});
    let computed = [
        "What is 12 times 12?",
        "How many feet are in 3 miles?",
        "Wie viel ist 15 % von 240?",
    ];
    let written = json!({"message": "Say in one sentence why the sky is blue.", "mode": "concise", "maxTokens": 32});
    let passages: Vec<_> = languages.iter().map(|language| paragraph(*language)).collect();
    Ok(vec![
        operation("tts/voices", vec![Request::get("/tts/voices")]),
        operation(
            "chat, computed",
            each("/chat", &computed.map(|message| json!({"message": message}))),
        ),
        operation(
            "tts/generate, four paragraphs",
            each("/tts/generate", &spoken("fast", &paragraph)),
        ),
        operation("tts/stream, twenty paragraphs", each("/tts/stream", &streamed)),
        operation("v1/audio/speech, mp3", each("/v1/audio/speech", &[audio])),
        operation(
            "image/chat",
            each(
                "/image/chat",
                &[json!({"message": "What is in the picture?", "imageId": image})],
            ),
        ),
        operation(
            "pdf/chat",
            each(
                "/pdf/chat",
                &[json!({"message": "What is this about?", "documentId": document})],
            ),
        ),
        operation(
            "pdf/embeddings, four passages",
            each("/pdf/embeddings", &[json!({"texts": passages, "purpose": "passage"})]),
        ),
        operation("pdf/extract-text, PDFs", forms("/pdf/extract-text", "pdf", &files.pdfs)),
        operation(
            "pdf/extract-text, other kinds",
            forms("/pdf/extract-text", "document", &files.others),
        ),
        operation("pdf/summarize, PDFs", forms("/pdf/summarize", "pdf", &files.pdfs)),
        operation(
            "image/detect-objects, photographs",
            forms("/image/detect-objects", "image", &files.photographs),
        ),
        Operation {
            overloads: true,
            ..operation(
                "image/analyze, photographs",
                forms("/image/analyze", "image", &files.photographs),
            )
        },
        Operation {
            overloads: true,
            ..operation(
                "image/extract-text, pages of text",
                forms("/image/extract-text", "image", &files.pages),
            )
        },
        operation("tts/generate, natural, a sentence", each("/tts/generate", &[natural])),
        operation("chat, written by the model", each("/chat", &[written])),
    ])
}

/// Uploads a file and returns its id.
async fn upload(client: &mut Client, path: &str, field: &str, file: &File, id: &str) -> Result<Value> {
    let request = Request::form(path, field, file, &[]);
    match client.send(&request, Manner::Whole).await {
        Ending::Answered(answer) if answer.status == 200 => Ok(answer.json()["data"][id].clone()),
        other => bail!("the upload of {} fails: {other:?}", file.name),
    }
}
