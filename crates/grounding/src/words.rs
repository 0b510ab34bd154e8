//! The words of a text, in which phrases of the word lists are looked for.

use quartet_api::Language;

use crate::negation::is_devanagari;

/// Stands in a phrase of a word list for a number in digits, also with an ending: "20", "20th".
const NUMBER: &str = "#";

/// The words of a text in a language.
pub(crate) struct Words {
    language: Language,
    /// In lower case, with a space on each side of each.
    words: String,
    /// The same with [`NUMBER`] for each that begins with a digit.
    unnumbered: String,
}

impl Words {
    /// Reads a text.
    pub fn of(text: &str, language: Language) -> Self {
        let lower = text.to_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric() && !is_devanagari(c));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let unnumbered = words.iter().map(|word| {
            if word.starts_with(char::is_numeric) {
                NUMBER
            } else {
                word
            }
        });
        Self {
            language,
            unnumbered: format!(" {} ", unnumbered.collect::<Vec<_>>().join(" ")),
            words: format!(" {} ", words.join(" ")),
        }
    }

    /// Returns true if one of the phrases stands here. They are parted by spaces, and have `_` for a space and `#` for a number.
    pub fn have_any(&self, phrases: &str) -> bool {
        phrases
            .split_whitespace()
            .any(|phrase| self.have(&phrase.replace('_', " ")))
    }

    /// Returns true if this phrase stands here.
    pub fn have(&self, phrase: &str) -> bool {
        let words = if phrase.contains(NUMBER) {
            &self.unnumbered
        } else {
            &self.words
        };
        if has_parts(self.language) {
            words.contains(phrase)
        } else {
            words.contains(&format!(" {phrase} "))
        }
    }

    /// The words, with a space on each side of each.
    pub fn text(&self) -> &str {
        &self.words
    }

    /// The words without some phrases.
    pub fn without(&self, phrases: &str) -> Self {
        let cut = |words: &str| {
            phrases.split_whitespace().fold(words.to_owned(), |rest, phrase| {
                rest.replace(&phrase.replace('_', " "), " ")
            })
        };
        Self {
            language: self.language,
            words: cut(&self.words),
            unnumbered: cut(&self.unnumbered),
        }
    }
}

/// Returns true where parts of words are looked for: between words are no spaces, or words have others before them.
pub(crate) fn has_parts(language: Language) -> bool {
    matches!(
        language,
        Language::Arabic | Language::Chinese | Language::Japanese | Language::Korean
    )
}
