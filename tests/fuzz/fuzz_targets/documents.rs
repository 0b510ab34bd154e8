//! Fuzz target: any bytes are read as a document of the kind that they look like, or of a kind that they say, or are refused.
//!
//! A first line such as `docx` names a kind; without one the bytes decide.

#![no_main]

use std::time::{Duration, Instant};

use libfuzzer_sys::fuzz_target;
use quartet_document_readers::{Hint, Kind, Options, read};
use quartet_text_analysis::{Index, SummaryLimits, summarize};

/// Time after which a document is left as it is, as in the service.
const READING_TIME: Duration = Duration::from_secs(3);

fuzz_target!(|bytes: &[u8]| {
    let (kind, bytes) = match kind_of_line(bytes) {
        Some(named) => named,
        None => match Kind::of(bytes, Hint::default()) {
            Ok(kind) => (kind, bytes),
            Err(_) => return,
        },
    };
    let begun = Instant::now();
    let options = Options {
        time_left: &|| begun.elapsed() < READING_TIME,
        ..Options::default()
    };
    let Ok(document) = read(bytes, kind, &options) else {
        return;
    };
    let _ = summarize(&document, SummaryLimits::default());
    let index = Index::build(&document);
    let kept = Index::from_bytes(&index.to_bytes()).expect("what was kept is an index");
    let _ = kept.answer("Who wrote it, and when?", None);
});

fn kind_of_line(bytes: &[u8]) -> Option<(Kind, &[u8])> {
    let end = bytes.iter().take(12).position(|byte| *byte == b'\n')?;
    let name = std::str::from_utf8(&bytes[..end]).ok()?;
    let kind = Kind::ALL
        .into_iter()
        .find(|kind| format!("{kind:?}").eq_ignore_ascii_case(name))?;
    Some((kind, &bytes[end + 1..]))
}
