//! Spans: a clause of mixed scripts is cut by the languages that read its letters.

use quartet_api::Language;
use quartet_lang_detect::{Writing, is_latin, is_own, latin_phrase, writing};

use super::clause::Span;

/// The language that reads a writing system inside a clause of `base`.
fn reader(writing: Writing, base: Language, latin: Language, kana: bool) -> Language {
    if is_own(writing, base) {
        return base;
    }
    match writing {
        Writing::Latin | Writing::Foreign => latin,
        Writing::Han if kana => Language::Japanese,
        Writing::Han => Language::Chinese,
        Writing::Kana => Language::Japanese,
        Writing::Hangul => Language::Korean,
        Writing::Devanagari => Language::Hindi,
        Writing::Arabic => Language::Arabic,
        Writing::Cyrillic => Language::Russian,
        Writing::Neutral => base,
    }
}

/// Cuts a clause of `base` into spans. `latin` reads Latin letters if `base` does not. Letters of scripts that none of the languages has
/// are romanised. Digits are `base`'s.
pub(super) fn spans(clause: &str, base: Language, latin: Language) -> Vec<Span> {
    let latin = if is_latin(base) { base } else { latin };
    let kana = clause.chars().any(|c| writing(c) == Writing::Kana);
    let mut spans: Vec<Span> = Vec::new();
    let mut after_letter = false;
    let mut chars = clause.chars().peekable();
    while let Some(c) = chars.next() {
        let in_word = after_letter || chars.peek().is_some_and(|next| next.is_alphabetic());
        after_letter = c.is_alphabetic();
        let writing = writing(c);
        let language = match writing {
            Writing::Neutral if c.is_numeric() => Some(base),
            Writing::Neutral => None,
            _ => Some(reader(writing, base, latin, kana)),
        };
        let current = spans.last().map(|span: &Span| span.language);
        let language = language.or(current).unwrap_or(base);
        // Marks and spaces join whatever stands before them; a span begins with something that is said.
        if current != Some(language) {
            if c.is_whitespace() {
                continue;
            }
            spans.push(Span {
                language,
                text: String::new(),
            });
        }
        if let Some(span) = spans.last_mut() {
            super::alphabet::push(c, language, in_word, &mut span.text);
        }
    }
    let mut tidy: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        let text = span
            .text
            .trim_matches(|c: char| !(c.is_alphanumeric() || is_mark(c)) && c != '\'' && c != '%');
        if !text.chars().any(char::is_alphanumeric) {
            continue;
        }
        match tidy.last_mut() {
            Some(last) if last.language == span.language => {
                last.text.push(' ');
                last.text.push_str(text);
            }
            _ => tidy.push(Span {
                language: span.language,
                text: text.to_owned(),
            }),
        }
    }
    tidy
}

/// A mark that belongs to the letter before it.
pub(super) fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// The number of letters of other scripts that make a text one of another language; fewer may be a name or a unit's
/// symbol.
const MIN_FOREIGN_LETTERS: u32 = 12;

/// The language that a text is in if it is not in `language` at all: its letters, and enough of them, are all of other
/// scripts.
pub(super) fn base(text: &str, language: Language) -> Language {
    let mut counts = [0_u32; 8];
    for c in text.chars() {
        let writing = writing(c);
        if is_own(writing, language) {
            return language;
        }
        if writing != Writing::Neutral {
            // A Chinese character or a syllable is worth some letters.
            let weight = if matches!(writing, Writing::Han | Writing::Kana | Writing::Hangul) {
                3
            } else {
                1
            };
            counts[writing as usize] += weight;
        }
    }
    if counts.iter().sum::<u32>() < MIN_FOREIGN_LETTERS {
        return language;
    }
    let kinds = [
        (Writing::Hangul, Language::Korean),
        (Writing::Devanagari, Language::Hindi),
        (Writing::Arabic, Language::Arabic),
        (Writing::Cyrillic, Language::Russian),
    ];
    let (han, kana, latin) = (
        counts[Writing::Han as usize],
        counts[Writing::Kana as usize],
        counts[Writing::Latin as usize],
    );
    let (mut most, mut found) = (0, language);
    if kana > 0 {
        (most, found) = (han + kana, Language::Japanese);
    } else if han > 0 {
        (most, found) = (han, Language::Chinese);
    }
    for (writing, reader) in kinds {
        if counts[writing as usize] > most {
            (most, found) = (counts[writing as usize], reader);
        }
    }
    if latin > most { latin_phrase(text) } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Language::{Arabic, Chinese, English, French, Hindi, Japanese, Korean, Russian};

    fn check(base: Language, text: &str, expected: &[(Language, &str)]) {
        let found = spans(text, base, English);
        let found: Vec<_> = found.iter().map(|span| (span.language, span.text.as_str())).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn mixed_scripts() {
        check(Japanese, "Tシャツを3枚", &[(English, "T"), (Japanese, "シャツを3枚")]);
        check(Chinese, "拍X线", &[(Chinese, "拍"), (English, "X"), (Chinese, "线")]);
        check(
            English,
            "The word 東京 means",
            &[(English, "The word"), (Chinese, "東京"), (English, "means")],
        );
        check(
            French,
            "ラーメン屋 ouvert",
            &[(Japanese, "ラーメン屋"), (French, "ouvert")],
        );
        check(Korean, "서울 Москва", &[(Korean, "서울"), (Russian, "Москва")]);
        check(
            English,
            "दिल्ली and دلهي",
            &[(Hindi, "दिल्ली"), (English, "and"), (Arabic, "دلهي")],
        );
    }

    #[test]
    fn unknown_scripts_are_romanised() {
        let found = spans("the Αθήνα of ไทย", English, English);
        assert_eq!(found.len(), 1);
        assert!(found[0].text.is_ascii());
        assert!(found[0].text.starts_with("the Athina of "), "{}", found[0].text);
    }

    #[test]
    fn a_text_wholly_in_another_script() {
        assert_eq!(base("Привет, весь мир", English), Russian);
        assert_eq!(base("5 kg", Russian), Russian);
        assert_eq!(base("こんにちは世界", English), Japanese);
        assert_eq!(base("漢字", Japanese), Japanese);
        assert_eq!(base("123", French), French);
    }
}
