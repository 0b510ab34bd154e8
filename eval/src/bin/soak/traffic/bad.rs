//! What is wrong: damaged files, wrong fields, methods, paths and types, bodies and heads that are too large, and bytes that
//! are no request at all.

use bytes::Bytes;
use hyper::Method;
use quartet_eval::files::{File, Files};
use quartet_eval::requests::Request;
use serde_json::{Value, json};

use crate::ledger::Group::Bad;
use crate::visitor::Visitor;

/// Answers that a damaged file may have: much of it may still be read.
const DAMAGED: [u16; 5] = [200, 400, 413, 415, 422];

/// More than a body may have.
const TOO_LARGE: usize = 12 * 1024 * 1024;

/// One of them.
pub async fn one(visitor: &mut Visitor) {
    match visitor.rng.usize(..10) {
        0..=3 => damaged(visitor).await,
        4 | 5 => wrong_field(visitor).await,
        6 | 7 => wrong_request(visitor).await,
        8 => too_large(visitor).await,
        _ => no_request(visitor).await,
    }
}

/// A real file with bytes changed, cut out or cut off.
async fn damaged(visitor: &mut Visitor) {
    let (name, path, field, file) = match visitor.rng.usize(..3) {
        0 => {
            let file = visitor.file(|files: &Files| &files.photographs);
            let (name, path) = *visitor.draw(&[
                ("damaged picture", "/image/analyze"),
                ("damaged picture", "/image/detect-objects"),
            ]);
            (name, path, "image", file)
        }
        1 => {
            let file = visitor.file(|files: &Files| &files.pdfs);
            ("damaged PDF", "/pdf/extract-text", "pdf", file)
        }
        _ => {
            let file = visitor.file(|files: &Files| &files.others);
            ("damaged document", "/pdf/extract-text", "document", file)
        }
    };
    let bytes = damage(visitor, &file.bytes);
    let file = File {
        name: format!("damaged-{}", file.name),
        bytes,
    };
    let request = Request::form(path, field, &file, &[]);
    visitor.expect(Bad, name, &DAMAGED, &request).await;
}

fn damage(visitor: &mut Visitor, bytes: &Bytes) -> Bytes {
    let mut bytes = bytes.to_vec();
    let rng = &mut visitor.rng;
    match rng.usize(..3) {
        0 => {
            for _ in 0..rng.usize(1..200) {
                let at = rng.usize(..bytes.len());
                bytes[at] = rng.u8(..);
            }
        }
        1 => bytes.truncate(rng.usize(1..bytes.len())),
        _ => {
            let from = rng.usize(..bytes.len());
            let to = (from + rng.usize(1..4096)).min(bytes.len());
            bytes.drain(from..to);
        }
    }
    bytes.into()
}

async fn wrong_field(visitor: &mut Visitor) {
    let cases: [(&str, Value); 9] = [
        ("/tts/generate", json!({"text": 5})),
        ("/tts/generate", json!({})),
        ("/tts/generate", json!({"text": "a", "voice": "Puck"})),
        ("/tts/stream", json!({"text": "a", "language": "xx"})),
        ("/chat", json!({"message": ["a"]})),
        ("/chat", json!({"message": "a", "mode": "loud"})),
        ("/pdf/embeddings", json!({"texts": []})),
        ("/v1/audio/speech", json!({"model": "tts-1", "voice": "alloy"})),
        ("/v1/chat/completions", json!({"model": "quartet", "messages": []})),
    ];
    let (path, body) = visitor.draw(&cases).clone();
    visitor
        .expect(Bad, "wrong field", &[400], &Request::json(path, &body))
        .await;
}

async fn wrong_request(visitor: &mut Visitor) {
    let json = Some("application/json");
    let unknown = json!({"message": "What is it?", "imageId": "0123456789abcdef0123456789abcdef"});
    let cases: [(&'static str, u16, Request); 9] = [
        ("wrong method", 405, Request::get("/tts/generate")),
        (
            "wrong method",
            405,
            Request::new(Method::DELETE, "/image/analyze", None, ""),
        ),
        ("unknown path", 404, Request::get("/api/v1/tts/sing")),
        ("unknown path", 404, Request::get("/etc/passwd")),
        (
            "no JSON",
            400,
            Request::new(Method::POST, "/tts/generate", json, "{\"text\": "),
        ),
        (
            "no JSON",
            400,
            Request::new(Method::POST, "/chat", json, &b"{\"message\":\"\xff\xfe\"}"[..]),
        ),
        (
            "wrong type",
            415,
            Request::new(Method::POST, "/chat", Some("text/plain"), "What is it?"),
        ),
        (
            "no form",
            400,
            Request::new(
                Method::POST,
                "/image/analyze",
                Some("multipart/form-data; boundary=x"),
                "no form at all",
            ),
        ),
        ("unknown upload", 404, Request::json("/image/chat", &unknown)),
    ];
    let (name, status, request) = visitor.draw(&cases).clone();
    visitor.expect(Bad, name, &[status], &request).await;
}

/// The service may answer before it has taken all, and close.
async fn too_large(visitor: &mut Visitor) {
    let (name, status, request) = match visitor.rng.usize(..3) {
        0 => {
            let body = Bytes::from(vec![b'x'; TOO_LARGE]);
            let kind = Some("multipart/form-data; boundary=x");
            (
                "too large body",
                413,
                Request::new(Method::POST, "/image/analyze", kind, body),
            )
        }
        1 => {
            let path = format!("/api/v1/tts/voices?{}", "x".repeat(10_000));
            ("too long address", 414, Request::get(&path))
        }
        _ => (
            "too large headers",
            431,
            Request::get("/tts/voices").with("x-large", "x".repeat(40_000)),
        ),
    };
    visitor.expect_or_cut(name, &[status], &request).await;
}

async fn no_request(visitor: &mut Visitor) {
    let mut noise = vec![0; visitor.rng.usize(1..2000)];
    visitor.rng.fill(&mut noise);
    let cases: [&[u8]; 5] = [
        &noise,
        b"GET /\r\n\r\n",
        b"GET / HTTP/9.9\r\nhost: x\r\n\r\n",
        b"POST /api/v1/chat HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ncontent-length: 7\r\n\r\nabcde",
        b"POST /api/v1/chat HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{\"m",
    ];
    let bytes = (*visitor.draw(&cases)).to_vec();
    visitor.send_raw("no request", &[400, 404, 408, 431, 505], &bytes).await;
}
