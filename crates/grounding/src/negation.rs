//! Negation. A model that drops a "not" keeps every other word.

use quartet_api::Language;

use crate::lexicon::lexicon;

/// Returns true if a sentence is negated.
pub(crate) fn is_negated(sentence: &str, language: Language) -> bool {
    let lower = sentence.to_lowercase();
    let lexicon = lexicon(language);
    let words = lower.split(|c: char| !c.is_alphabetic() && !is_devanagari(c));
    let words = format!(
        " {} ",
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    );
    let mut negations = lexicon.get("negation_words").split_whitespace();
    let mut parts = lexicon.get("negation_parts").split_whitespace();
    negations.any(|phrase| words.contains(&format!(" {} ", phrase.replace('_', " "))))
        || parts.any(|part| lower.contains(part))
}

/// Returns true if an answer begins with a yes or a no that stands by itself, as before a comma, or is nothing else.
pub fn is_yes_or_no(answer: &str, language: Language) -> bool {
    let answer = answer.trim_start().to_lowercase();
    let end = answer.find(|c: char| !c.is_alphabetic() && !is_devanagari(c));
    let (word, rest) = answer.split_at(end.unwrap_or(answer.len()));
    let stands_alone = rest.chars().next().is_none_or(|c| {
        matches!(
            c,
            ',' | '.' | ';' | ':' | '!' | '–' | '—' | '，' | '。' | '、' | '！' | '،' | '।'
        )
    });
    stands_alone
        && lexicon(language)
            .get("yes_and_no")
            .split_whitespace()
            .any(|other| other == word)
}

/// Vowel signs of Devanagari are no letters for Rust, and stand inside of words.
pub(crate) fn is_devanagari(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{97f}')
}
