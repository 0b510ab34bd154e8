//! Fuzz target: any bytes are read or refused, and what was read can be summarised and asked about: nothing panics,
//! hangs or takes memory without bounds.

#![no_main]

use std::time::{Duration, Instant};

use libfuzzer_sys::fuzz_target;
use quartet_pdf_text::{Options, read};
use quartet_text_analysis::{Index, SummaryLimits, summarize};

/// Time after which a document is left as it is, as in the service.
const READING_TIME: Duration = Duration::from_secs(3);

fuzz_target!(|bytes: &[u8]| {
    let begun = Instant::now();
    let options = Options {
        time_left: &|| begun.elapsed() < READING_TIME,
        ..Options::default()
    };
    let Ok(document) = read(bytes.to_vec(), &options) else {
        return;
    };
    let _ = summarize(&document, SummaryLimits::default());
    let index = Index::build(&document);
    let kept = Index::from_bytes(&index.to_bytes()).expect("what was kept is an index");
    let _ = kept.answer("Who wrote it, and when?", None);
});
