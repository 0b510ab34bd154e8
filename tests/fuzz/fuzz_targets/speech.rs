//! Fuzz target: any text becomes clauses of words as they are spoken, in its own language and in another, and these become sounds
//! of the fast engine, of which as many samples are promised before the first is made.

#![no_main]

use libfuzzer_sys::fuzz_target;
use quartet_api::{Language, Voice};
use quartet_formant_synthesis::{Plan, transcription::transcribe};
use quartet_text_normalization::{clauses, detect};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let other = Language::ALL[bytes.len() % Language::ALL.len()];
    let voice = Voice::ALL[bytes.len() % Voice::ALL.len()];
    for language in [detect(text), other] {
        let clauses: Vec<_> = clauses(text, language).collect();
        for clause in &clauses {
            assert!(!clause.spans.is_empty(), "a clause says nothing");
            for span in &clause.spans {
                let _ = transcribe(span);
            }
        }
        let _ = Plan::new(clauses.into_iter(), voice).samples();
    }
});
