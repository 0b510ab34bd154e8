//! Texts of nothing but emoji: the engine knows names for them in most languages.

use quartet_api::Language;

use super::clause::{Clause, Ending, Pause, Span};
use super::clean::is_emoji;

/// The most emoji that are named.
const MAX_NAMED_EMOJI: usize = 20;

/// The clauses of a text without letters and digits: the names of its emoji, if it has any and the language has names.
///
/// The engine's dictionaries name emoji in all languages but Chinese and Japanese; its German names are cut short.
pub(super) fn alone(text: &str, language: Language) -> Vec<Clause> {
    let unnamed = matches!(language, Language::Chinese | Language::Japanese | Language::German);
    if unnamed || text.chars().any(char::is_alphanumeric) {
        return Vec::new();
    }
    // Skin tones, flags' letters, digits' frames and tags only change the emoji before them.
    let names = text.chars().filter(|c| {
        is_emoji(*c)
            && !matches!(c, '\u{1f3fb}'..='\u{1f3ff}' | '\u{1f1e6}'..='\u{1f1ff}' | '\u{20e3}' | '\u{e0020}'..='\u{e007f}')
    });
    let mut clauses: Vec<Clause> = names
        .take(MAX_NAMED_EMOJI)
        .map(|c| Clause {
            spans: vec![Span {
                language,
                text: c.to_string(),
            }],
            ending: Ending::Continuation,
            pause: Pause::Clause,
        })
        .collect();
    if let Some(last) = clauses.last_mut() {
        last.ending = Ending::Statement;
        last.pause = Pause::Paragraph;
    }
    clauses
}
