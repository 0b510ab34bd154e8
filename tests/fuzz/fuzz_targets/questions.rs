//! Fuzz target: any text is a question that is computed or is not, whatever a language model makes of it.
//!
//! The first line is the question; a second one is the expression that the model writes, and its claim about a result.

#![no_main]

use libfuzzer_sys::fuzz_target;
use quartet_api::Language;
use quartet_chat::calculate;
use quartet_lang_detect::detect;
use quartet_llm_client::scripted::Scripted;

/// A model's time, in milliseconds. The scripted one takes none.
const MILLISECONDS: u32 = 100;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (question, written) = text.split_once('\n').unwrap_or((text, ""));
    let now = "2026-11-24T03:40:00".parse().ok();
    let detected = detect(question);
    // Another language reads it, too: which one a short text is in is not certain.
    let other = Language::ALL[bytes.len() % Language::ALL.len()];
    for language in [detected, other] {
        let _ = calculate::answer(question, language, now);
        if !written.is_empty() {
            let expression = format!("{written:?}");
            let _ = calculate::understand(question, language, now, &Scripted::new([&*expression]), MILLISECONDS);
            for (range, _) in calculate::wrong_claims(question, written, language) {
                assert!(written.get(range).is_some(), "a claim is not a part of the text");
            }
        }
    }
});
