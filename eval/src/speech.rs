//! Real text to speak, in every language of the contract.

use fastrand::Rng;
use quartet_api::{Language, Voice};
use quartet_tests::declaration;

/// One draw of a language.
pub fn language(rng: &mut Rng) -> Language {
    Language::ALL[rng.usize(..Language::ALL.len())]
}

/// One draw of a voice.
pub fn voice(rng: &mut Rng) -> &'static str {
    Voice::ALL[rng.usize(..Voice::ALL.len())].name()
}

/// One paragraph in a language.
pub fn paragraph(language: Language, rng: &mut Rng) -> &'static str {
    let text = declaration::text(language);
    let paragraphs = text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty());
    let paragraphs: Vec<_> = paragraphs.collect();
    paragraphs[rng.usize(..paragraphs.len())].trim()
}

/// So many paragraphs from the first on.
pub fn paragraphs(language: Language, count: usize) -> String {
    let text = declaration::text(language);
    text.split_inclusive("\n\n").take(count).collect()
}
