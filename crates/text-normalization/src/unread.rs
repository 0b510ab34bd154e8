//! Letters that no voice reads, because none of the twelve languages writes them. They are said as the nearest Latin letters, which
//! is enough for a name or a sign, and not for a text.

use quartet_lang_detect::{Writing, script_name, writing};

use super::inline::markup;

/// Letters of a text that no voice reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The names of their scripts in English, in the order in which they stand in the text: "Greek".
    pub scripts: Vec<String>,
    /// True if the text has words of such letters and no other letter.
    pub is_all: bool,
}

/// The letters of `text` that no voice reads; nothing where it has none. Markup does not count.
#[must_use]
pub fn unread(text: &str) -> Option<Unread> {
    if text.is_ascii() {
        return None;
    }
    let mut scripts: Vec<&str> = Vec::new();
    let (mut others, mut words, mut inside) = (false, false, false);
    let mut from = 0;
    for place in markup(text).into_iter().chain(std::iter::once(text.len()..text.len())) {
        for c in text[from..place.start].chars() {
            match writing(c) {
                Writing::Foreign if c.is_alphabetic() && !is_sign(c) => {
                    let script = script_name(c);
                    if !scripts.contains(&script) {
                        scripts.push(script);
                    }
                    // A letter alone is a sign: "α = 5".
                    words |= std::mem::replace(&mut inside, true);
                    continue;
                }
                Writing::Foreign | Writing::Neutral => {}
                _ => others = true,
            }
            inside = false;
        }
        from = place.end;
    }
    (!scripts.is_empty()).then(|| Unread {
        scripts: scripts.iter().map(|script| script.replace('_', " ")).collect(),
        is_all: words && !others,
    })
}

/// Returns true for a letter that has a reading as part of a unit: "μm".
const fn is_sign(c: char) -> bool {
    matches!(c, 'μ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, scripts: &[&str], is_all: bool) {
        let found = unread(text).unwrap_or_else(|| panic!("{text:?} is read"));
        assert_eq!(found.scripts, scripts, "{text:?}");
        assert_eq!(found.is_all, is_all, "{text:?}");
    }

    #[test]
    fn words_without_another_letter_are_all() {
        check("Καλημέρα σας", &["Greek"], true);
        check("שלום, 2024!", &["Hebrew"], true);
        check("สวัสดี Ελλάδα", &["Thai", "Greek"], true);
        check("<speak>Καλημέρα</speak>", &["Greek"], true);
    }

    #[test]
    fn names_and_signs_are_part_of_a_text() {
        check("The Αθήνα of today", &["Greek"], false);
        check("Москва, Αθήνα", &["Greek"], false);
        check("α = 5", &["Greek"], false);
    }

    #[test]
    fn letters_of_the_twelve_languages_are_read() {
        for text in [
            "",
            "Good morning",
            "Łódź",
            "Привет",
            "東京タワー",
            "안녕",
            "नमस्ते",
            "مرحبا",
            "5 μm",
            "😀 – 5 °C",
        ] {
            assert_eq!(unread(text), None, "{text:?}");
        }
    }
}
