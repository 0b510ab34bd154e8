//! A question with its larger numbers in digits: small models misread "quatre-vingt-douze".

use quartet_api::Language;
use quartet_text_normalization::{spelled, spellings};

use super::question::find;

/// Numbers that are put into digits. Smaller ones are read well, and are other words as well.
const NUMBERS: std::ops::Range<u32> = 13..1_000;

/// A question with its number words in digits, as far as they stand as words of their own. Scripts without spaces are left.
pub(super) fn with_digits(question: &str, language: Language) -> String {
    use Language::{Chinese, Japanese, Korean};
    let lower = question.to_lowercase();
    // Case changes the length of some letters.
    let is_left = matches!(language, Chinese | Japanese | Korean) || lower.len() != question.len();
    if is_left || !has_any(&lower, language) {
        return question.to_owned();
    }
    let mut words: Vec<(String, u32)> = NUMBERS
        .flat_map(|number| {
            spellings(&number.to_string(), language)
                .into_iter()
                .map(move |words| (words, number))
        })
        .filter(|(words, _)| lower.contains(words.as_str()))
        .collect();
    words.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    let (mut text, mut lower) = (question.to_owned(), lower);
    for (words, number) in words {
        let digits = number.to_string();
        while let Some((start, end)) = find(&lower, &words) {
            text.replace_range(start..end, &digits);
            lower.replace_range(start..end, &digits);
        }
    }
    text
}

/// Returns true if a word for tens is in a text, which is found sooner than any number.
fn has_any(text: &str, language: Language) -> bool {
    let tens = [13, 14, 15, 16, 17, 18, 19, 20, 30, 40, 50, 60, 70, 80, 90, 100];
    let mut words = tens.iter().filter_map(|number| spelled(&number.to_string(), language));
    words.any(|word| text.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_words_become_digits() {
        for (question, language, expected) in [
            (
                "Quatre-vingt-douze moins trente-sept ?",
                Language::French,
                "92 moins 37 ?",
            ),
            (
                "Was ist zweiundneunzig mal dreizehn?",
                Language::German,
                "Was ist 92 mal 13?",
            ),
            ("twenty-five thousand plus 12", Language::English, "25 thousand plus 12"),
            (
                "What is two hundred and five minus ninety?",
                Language::English,
                "What is 205 minus 90?",
            ),
            (
                "quanto fa ventitré per cinque",
                Language::Italian,
                "quanto fa 23 per cinque",
            ),
            (
                "cuánto es treinta y dos por seis",
                Language::Spanish,
                "cuánto es 32 por seis",
            ),
            (
                "сколько будет сорок два плюс семь",
                Language::Russian,
                "сколько будет 42 плюс семь",
            ),
            ("the seventies were fine", Language::English, "the seventies were fine"),
        ] {
            assert_eq!(with_digits(question, language), expected);
        }
    }
}
