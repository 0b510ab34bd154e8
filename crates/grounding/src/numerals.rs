//! The numbers in a text, in digits or in words.

use quartet_api::Language;
use quartet_text_normalization::chinese_numerals;

use crate::lexicon::lexicon;
use crate::negation::is_devanagari;

/// The numbers in a text, without separators between their digits; those from two to twelve also where they are words, and
/// those in the numerals of Chinese and Japanese. One is an article in too many languages.
pub fn numerals(text: &str, language: Language) -> impl Iterator<Item = String> {
    let numerals = lexicon(language).get("numerals");
    let lower = text.to_lowercase();
    let mut spelt: Vec<String> = lower
        .split(|c: char| !c.is_alphabetic() && !is_devanagari(c))
        .filter_map(|word| {
            let mut numbers = numerals.split('|');
            let at = numbers.position(|forms| forms.split_whitespace().any(|form| form == word))?;
            Some((at + 2).to_string())
        })
        .collect();
    if matches!(language, Language::Chinese | Language::Japanese) {
        spelt.extend(chinese_numerals(text).map(|(value, _)| value.to_string()));
    }
    digits(text).chain(spelt)
}

/// The numbers in digits, in ASCII ones, without separators; whole ones without zeros before them.
pub(crate) fn digits(text: &str) -> impl Iterator<Item = String> {
    figures(text).map(|(_, number)| number)
}

/// The numbers in digits, as they stand in a text, and in ASCII digits without separators or zeros before them, as in [`numerals`].
pub fn figures(text: &str) -> impl Iterator<Item = (String, String)> {
    text.split(|c: char| !(c.is_numeric() || matches!(c, '.' | ',' | '\u{a0}' | '\u{202f}')))
        .map(|number| number.trim_matches(|c: char| !c.is_numeric()))
        .filter(|number| !number.is_empty())
        .map(|number| {
            let bare = whole(number).unwrap_or_else(|| {
                let digits = number.chars().filter(|c| c.is_numeric());
                digits
                    .map(|c| digit(c).map_or(c, |digit| char::from(b'0' + digit)))
                    .collect()
            });
            (number.to_owned(), bare)
        })
}

/// A whole number without zeros before it, in ASCII digits of whatever script; none for what is none.
pub(crate) fn whole(number: &str) -> Option<String> {
    let digits: Option<String> = number.chars().map(|c| Some(char::from(b'0' + digit(c)?))).collect();
    let digits = digits.filter(|digits| !digits.is_empty())?;
    let significant = digits.trim_start_matches('0');
    Some(if significant.is_empty() { "0" } else { significant }.to_owned())
}

/// The value of a digit of the scripts of the twelve languages.
fn digit(c: char) -> Option<u8> {
    // ASCII, Arabic, Persian, Devanagari, full width.
    let zeros = ['0', '٠', '۰', '०', '０'];
    let value = zeros
        .iter()
        .find_map(|zero| u32::from(c).checked_sub(u32::from(*zero)).filter(|value| *value < 10))?;
    u8::try_from(value).ok()
}
