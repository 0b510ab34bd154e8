//! Fuzz target: any body is read as a form with a file, or refused, whatever its boundary is.
//!
//! The first line is the content type; the rest is the body.

#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use quartet_component_sdk::{Request, multipart};

fuzz_target!(|bytes: &[u8]| {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (content_type, body) = bytes.split_at(end);
    let mut request = Request {
        method: "POST".to_owned(),
        path: "/api/v1/pdf/extract-text".to_owned(),
        secure: false,
        headers: vec![("content-type".to_owned(), content_type.to_vec())],
        body: Box::new(Cursor::new(body.get(1..).unwrap_or_default().to_vec())),
    };
    if let Ok(form) = multipart::read_form(&mut request, &["pdf", "file"], &["language"]) {
        assert!(!form.file.bytes.is_empty(), "a form without a file was taken");
        assert!(form.file.bytes.len() < bytes.len(), "a file is longer than its form");
    }
});
