//! The numbers in a text, in digits or in words.

use quartet_api::Language;

use crate::lexicon::lexicon;
use crate::negation::is_devanagari;

/// The numbers in a text, without separators between their digits; those from two to twelve also where they are words.
/// One is an article in too many languages.
pub fn numerals(text: &str, language: Language) -> impl Iterator<Item = String> {
    let numerals = lexicon(language).get("numerals");
    let lower = text.to_lowercase();
    let spelt: Vec<String> = lower
        .split(|c: char| !c.is_alphabetic() && !is_devanagari(c))
        .filter_map(|word| {
            let mut numbers = numerals.split('|');
            let at = numbers.position(|forms| forms.split_whitespace().any(|form| form == word))?;
            Some((at + 2).to_string())
        })
        .collect();
    digits(text).chain(spelt)
}

/// The numbers in digits.
pub(crate) fn digits(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !(c.is_numeric() || matches!(c, '.' | ',' | '\u{a0}' | '\u{202f}')))
        .map(|number| number.chars().filter(|c| c.is_numeric()).collect::<String>())
        .filter(|number| !number.is_empty())
}
