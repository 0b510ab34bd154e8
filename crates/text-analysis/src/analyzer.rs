//! Lexical analysis: the terms by which sentences and questions are compared.
//!
//! Words are lower case, without marks, and reduced to stems by Snowball (crate `rust-stemmers`) in the languages that
//! it has; Hindi by the suffixes of Ramanathan and Rao ("A Lightweight Stemmer for Hindi", 2003). Chinese, Japanese and
//! Korean, this one without its particles, are cut into pairs of characters, as is usual where no dictionary is at hand
//! (Nie, Gao, Zhang and Zhou, "On the Use of Words and N-grams for Chinese Information Retrieval", 2000). Stop words
//! are marked (crate `stop-words`).

use std::borrow::Cow;
use std::collections::HashSet;

use quartet_api::Language;
use quartet_lang_detect::{Writing, writing};
use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::stop_words::{additional_stop_words, stop_words};

/// Limit in characters for a word; longer ones are addresses or digests, and are cut.
const MAX_WORD_CHARS: usize = 40;

/// Tokenizer, normaliser, stemmer and stop list of one language.
pub struct Analyzer {
    language: Language,
    stemmer: Option<Stemmer>,
    /// The stemmer of Latin words among other scripts.
    english: Stemmer,
    stop: HashSet<&'static str>,
}

/// One term of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// Its normal form, which is compared.
    pub text: String,
    /// False for stop words.
    pub content: bool,
}

impl Analyzer {
    /// Creates an analyzer of texts in `language`.
    #[must_use]
    pub fn new(language: Language) -> Self {
        let algorithm = match language {
            Language::English => Some(Algorithm::English),
            Language::German => Some(Algorithm::German),
            Language::French => Some(Algorithm::French),
            Language::Spanish => Some(Algorithm::Spanish),
            Language::Italian => Some(Algorithm::Italian),
            Language::Portuguese => Some(Algorithm::Portuguese),
            Language::Russian => Some(Algorithm::Russian),
            Language::Arabic => Some(Algorithm::Arabic),
            _ => None,
        };
        Self {
            language,
            stemmer: algorithm.map(Stemmer::create),
            english: Stemmer::create(Algorithm::English),
            stop: stop_words(language)
                .iter()
                .copied()
                .chain(additional_stop_words(language).split(' '))
                .collect(),
        }
    }

    /// The language.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// Returns true if `word`, in lower case, is a stop word.
    #[must_use]
    pub fn is_stop(&self, word: &str) -> bool {
        self.stop.contains(word)
    }

    /// All terms of `text` in order, stop words too.
    #[must_use]
    pub fn terms(&self, text: &str) -> Vec<Term> {
        let mut terms = Vec::new();
        for word in raw(text) {
            self.push(&word, &mut terms);
        }
        terms
    }

    /// The terms of `text` that are no stop words.
    pub fn content(&self, text: &str) -> impl Iterator<Item = String> + use<> {
        self.terms(text)
            .into_iter()
            .filter(|term| term.content)
            .map(|term| term.text)
    }

    fn push(&self, word: &Word<'_>, terms: &mut Vec<Term>) {
        match word.writing {
            Writing::Han => self.pairs(word.text, terms),
            Writing::Hangul => self.pairs(korean_stem(word.text), terms),
            Writing::Kana => {
                // Hiragana is grammar mostly, katakana is words.
                let katakana = word.text.chars().any(is_katakana);
                if katakana {
                    self.pairs(word.text, terms);
                } else {
                    terms.push(Term {
                        text: word.text.to_owned(),
                        content: false,
                    });
                }
            }
            _ => {
                let lower = normal(word.text);
                let lower = if self.language == Language::English
                    || self.language == Language::French
                    || self.language == Language::Italian
                {
                    elided(&lower)
                } else {
                    &lower
                };
                let content =
                    !self.is_stop(lower) && (lower.chars().nth(1).is_some() || lower.chars().all(char::is_numeric));
                let text = self.stem(lower, word.writing).into_owned();
                if !text.is_empty() {
                    terms.push(Term { text, content });
                }
            }
        }
    }

    /// Pairs of adjoining characters; a character that stands alone is a term too.
    fn pairs(&self, word: &str, terms: &mut Vec<Term>) {
        let chars: Vec<char> = word.chars().collect();
        if let [single] = chars[..] {
            let text = single.to_string();
            let content = !self.is_stop(&text) && writing(single) == Writing::Han;
            terms.push(Term { text, content });
        }
        for pair in chars.windows(2) {
            let text: String = pair.iter().collect();
            let function = |c: &char| self.language == Language::Chinese && is_chinese_grammar(*c);
            let content = !self.is_stop(&text) && !pair.iter().any(function);
            terms.push(Term { text, content });
        }
    }

    fn stem<'a>(&self, word: &'a str, writing: Writing) -> Cow<'a, str> {
        if word.chars().any(char::is_numeric) {
            return Cow::Borrowed(word);
        }
        match (writing, &self.stemmer) {
            (Writing::Devanagari, _) => Cow::Borrowed(hindi_stem(word)),
            (_, Some(stemmer)) if quartet_lang_detect::is_own(writing, self.language) => {
                let stem = stemmer.stem(word);
                // What is written with accents or without is the same word in a hurry.
                if quartet_lang_detect::is_latin(self.language) && !stem.is_ascii() {
                    Cow::Owned(stem.nfd().filter(|c| !is_combining_mark(*c)).collect())
                } else {
                    stem
                }
            }
            (Writing::Latin, None) => self.english.stem(word),
            _ => Cow::Borrowed(word),
        }
    }
}

/// A run of letters and digits of one script.
struct Word<'a> {
    text: &'a str,
    writing: Writing,
}

/// The words of `text`. A change between scripts that are written without spaces and others ends a word.
fn raw(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(|c: char| c.is_alphanumeric())?;
        rest = &rest[start..];
        let first = rest.chars().next()?;
        let mut end = rest.len();
        for (count, (at, c)) in rest.char_indices().enumerate() {
            let inside = c.is_alphanumeric() && joins(first, c)
                || is_combining_mark(c)
                || matches!(c, '\u{ad}' | '\u{200c}' | '\u{200d}')
                || (matches!(c, '\'' | '’' | '_') && rest[at + c.len_utf8()..].starts_with(char::is_alphabetic))
                || (matches!(c, '.' | ',') && number_goes_on(&rest[..at], &rest[at + 1..]));
            if !inside || count >= MAX_WORD_CHARS {
                end = at;
                break;
            }
        }
        let (word, after) = rest.split_at(end.max(first.len_utf8()));
        rest = after;
        let writing = word.chars().map(writing).find(|writing| *writing != Writing::Neutral);
        Some(Word {
            text: word,
            writing: writing.unwrap_or(Writing::Neutral),
        })
    })
}

fn number_goes_on(before: &str, after: &str) -> bool {
    before.chars().all(|c| c.is_numeric() || matches!(c, '.' | ',')) && after.starts_with(|c: char| c.is_numeric())
}

/// Returns true if two characters may be of one word.
fn joins(first: char, next: char) -> bool {
    let solid = |writing: Writing| matches!(writing, Writing::Han | Writing::Kana | Writing::Hangul);
    let (one, other) = (writing(first), writing(next));
    if one == Writing::Kana && other == Writing::Kana {
        return next == 'ー' || is_katakana(first) == is_katakana(next);
    }
    one == other || !solid(one) && !solid(other)
}

fn is_katakana(c: char) -> bool {
    matches!(c, 'ァ'..='ヺ' | 'ー' | 'ｦ'..='ﾟ')
}

/// Lower case, compatibility forms as the plain ones, no vowel marks of Arabic, ё as е.
fn normal(word: &str) -> String {
    let lower = if word.is_ascii() {
        word.to_ascii_lowercase()
    } else {
        word.nfkc().flat_map(char::to_lowercase).collect()
    };
    if lower.is_ascii() {
        return lower;
    }
    lower
        .chars()
        .filter_map(|c| match c {
            '\u{ad}' | '\u{200c}' | '\u{200d}' | '\u{640}' | '\u{64b}'..='\u{652}' => None,
            'ё' => Some('е'),
            '’' => Some('\''),
            'أ' | 'إ' | 'آ' => Some('ا'),
            'ى' => Some('ي'),
            _ => Some(c),
        })
        .collect()
}

/// Counts the words of a text; two characters of scripts without spaces count as one.
#[must_use]
pub fn word_count(text: &str) -> usize {
    let unspaced = |c: char| matches!(writing(c), Writing::Han | Writing::Kana);
    let solid = text.chars().filter(|c| unspaced(*c)).count();
    let spaced = text
        .split_whitespace()
        .filter(|word| word.chars().any(|c| c.is_alphanumeric() && !unspaced(c)))
        .count();
    spaced + solid.div_ceil(2)
}

/// The word after an elision, or before a possessive: "l'eau", "Debian's".
fn elided(word: &str) -> &str {
    match word.split_once(['\'', '’']) {
        Some((before, "s" | "t" | "re" | "ve" | "ll" | "d" | "m")) => before,
        Some((before, after)) if before.chars().count() <= 6 && !after.is_empty() => after,
        _ => word,
    }
}

/// Suffixes of Hindi, longest first.
const HINDI_SUFFIXES: [&str; 33] = [
    "ाएंगी",
    "ाएंगे",
    "ाऊंगी",
    "ाऊंगा",
    "ाइयाँ",
    "ाइयों",
    "ाइयां",
    "ियों",
    "ियाँ",
    "ियां",
    "ाओं",
    "ाएं",
    "ुओं",
    "ुएं",
    "ताओं",
    "नाओं",
    "एगा",
    "एगी",
    "ाने",
    "ाना",
    "ाती",
    "ाते",
    "ाता",
    "तीं",
    "ओं",
    "एं",
    "ों",
    "ें",
    "ीं",
    "े",
    "ी",
    "ि",
    "ा",
];

fn hindi_stem(word: &str) -> &str {
    HINDI_SUFFIXES
        .iter()
        .find_map(|suffix| word.strip_suffix(suffix).filter(|stem| stem.chars().count() >= 2))
        .unwrap_or(word)
}

/// Characters that are function words of Chinese wherever they stand.
const CHINESE_GRAMMAR: &str =
    "的了着吗呢吧啊么嗎麼們们是在和与及或而但也都就还又很把被让从对于以之其所这那哪您我你他她它";

/// Returns true if a character is a function word of Chinese.
pub(super) fn is_chinese_grammar(c: char) -> bool {
    CHINESE_GRAMMAR.contains(c)
}

/// Particles and endings of Korean that follow a word, longest first.
const KOREAN_ENDINGS: [&str; 48] = [
    "입니까",
    "합니까",
    "됩니까",
    "습니까",
    "입니다",
    "합니다",
    "됩니다",
    "습니다",
    "에서는",
    "에게서",
    "으로서",
    "으로써",
    "이라고",
    "인가요",
    "하여야",
    "되어야",
    "에서",
    "에게",
    "으로",
    "까지",
    "부터",
    "처럼",
    "보다",
    "마다",
    "이나",
    "이란",
    "하는",
    "하여",
    "하고",
    "하며",
    "된다",
    "한다",
    "되는",
    "이다",
    "라고",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "의",
    "에",
    "로",
    "와",
    "과",
    "도",
    "만",
];

/// A Korean word without its particle or ending.
pub(super) fn korean_stem(word: &str) -> &str {
    KOREAN_ENDINGS
        .iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.chars().nth(1).is_some()))
        .unwrap_or(word)
}

/// Returns true if a Korean word is only a particle or an ending.
pub(super) fn is_korean_ending(word: &str) -> bool {
    KOREAN_ENDINGS.contains(&word)
}
