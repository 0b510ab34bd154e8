//! The script of a letter, and the languages that are written in it.

use quartet_api::Language;
use unicode_script::{Script, UnicodeScript};

/// A letter's writing system, as far as the twelve languages differ in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// Latin.
    Latin,
    /// Chinese characters.
    Han,
    /// Hiragana and katakana.
    Kana,
    /// Korean.
    Hangul,
    /// Devanagari.
    Devanagari,
    /// Arabic.
    Arabic,
    /// Cyrillic.
    Cyrillic,
    /// A letter that none of the twelve languages writes.
    Foreign,
    /// Digits, marks, punctuation, spaces: no letter.
    Neutral,
}

/// The writing system of a character.
#[must_use]
pub fn writing(c: char) -> Writing {
    match c {
        'a'..='z' | 'A'..='Z' => return Writing::Latin,
        '\0'..='\u{7f}' => return Writing::Neutral,
        // Marks and letters that more than one script uses.
        'ー' => return Writing::Kana,
        '々' | '〆' | '〇' => return Writing::Han,
        'ª' | 'º' => return Writing::Neutral,
        _ => {}
    }
    match c.script() {
        Script::Latin => Writing::Latin,
        Script::Han => Writing::Han,
        Script::Hiragana | Script::Katakana => Writing::Kana,
        Script::Hangul => Writing::Hangul,
        Script::Devanagari => Writing::Devanagari,
        Script::Arabic => Writing::Arabic,
        Script::Cyrillic => Writing::Cyrillic,
        Script::Common | Script::Inherited | Script::Unknown => Writing::Neutral,
        _ if c.is_alphanumeric() => Writing::Foreign,
        _ => Writing::Neutral,
    }
}

/// The name of a character's script in Unicode, in English: "Greek".
#[must_use]
pub fn script_name(c: char) -> &'static str {
    c.script().full_name()
}

/// Returns true if the language is written in that writing system.
#[must_use]
pub fn is_own(writing: Writing, language: Language) -> bool {
    match language {
        Language::Japanese => matches!(writing, Writing::Kana | Writing::Han),
        Language::Chinese => writing == Writing::Han,
        Language::Korean => writing == Writing::Hangul,
        Language::Hindi => writing == Writing::Devanagari,
        Language::Arabic => writing == Writing::Arabic,
        Language::Russian => writing == Writing::Cyrillic,
        _ => writing == Writing::Latin,
    }
}

/// Returns true if the language is written in Latin letters.
#[must_use]
pub fn is_latin(language: Language) -> bool {
    is_own(Writing::Latin, language)
}
