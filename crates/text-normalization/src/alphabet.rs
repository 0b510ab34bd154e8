//! Letters that the engine does not know in a language. It drops the rest of a word at such a letter ("voilà", "Dvořák",
//! "Málaga" in English), so they are replaced by the nearest letters that it knows.
//!
//! The lists were found by giving the engine (`espeak-ng` 0.2.0) every letter inside a word.

use any_ascii::any_ascii_char;
use quartet_api::Language;
use quartet_lang_detect::{Writing, writing};

/// The letters beyond a to z that the engine reads inside words of the language, in lower case.
fn known(language: Language) -> &'static str {
    match language {
        Language::English => "àäæçéêëïñöûüœß",
        Language::Spanish => "áçéíñóúü",
        Language::French => "âçèéêëïñôöûüœ",
        Language::German => "ßäæçéöøü",
        Language::Italian => "àáçèéìíñòóùú",
        Language::Portuguese => "àáâãäçèéêëíïñóôõöúü",
        _ => "",
    }
}

/// Letters of other languages in Arabic and Cyrillic script, and the Arabic and Russian ones that sound most alike.
const NEAREST_LETTERS: &[(&str, &str)] = &[
    ("ک", "ك"),
    ("گ", "غ"),
    ("ڭ", "ك"),
    ("یېےۍ", "ي"),
    ("ہھەۀ", "ه"),
    ("پ", "ب"),
    ("چژ", "ج"),
    ("ڤ", "ف"),
    ("ڨ", "ق"),
    ("ٹټ", "ت"),
    ("ڈډ", "د"),
    ("ڑړ", "ر"),
    ("ں", "ن"),
    ("ۆۇۈۋۅ", "و"),
    ("ٲٳٵ", "ا"),
    ("ѐѣ", "е"),
    ("ѕҙӡ", "з"),
    ("њ", "нь"),
    ("ѝѵӣӥ", "и"),
    ("ѳ", "ф"),
    ("ѡөӧӫҩ", "о"),
    ("ѧ", "я"),
    ("ңҥӈӊ", "н"),
    ("ҡҝӄԛ", "к"),
    ("әӑӓ", "а"),
    ("ӕӭӗ", "э"),
    ("ұӯӱӳ", "у"),
    ("ҭ", "т"),
    ("ҵ", "ц"),
    ("ҧ", "п"),
    ("ӝ", "ж"),
    ("ӵҹ", "ч"),
    ("ӹ", "ы"),
    ("ҽ", "че"),
];

/// Appends `c`, or what the engine reads in its place in `language`. Alone it is a word ("à"), which the engine has in its
/// dictionary.
pub(super) fn push(c: char, language: Language, in_word: bool, out: &mut String) {
    if c.is_ascii() {
        return out.push(c);
    }
    match writing(c) {
        Writing::Latin if in_word && !c.to_lowercase().all(|lower| known(language).contains(lower)) => {
            out.push_str(any_ascii_char(c));
        }
        // The letters of Russian and of Arabic themselves are all known: no need to look.
        _ if matches!(c, 'А'..='я' | 'ё' | 'Ё' | 'ء'..='\u{655}') => out.push(c),
        Writing::Arabic | Writing::Cyrillic => {
            let lower = c.to_lowercase().next().unwrap_or(c);
            match NEAREST_LETTERS.iter().find(|(letters, _)| letters.contains(lower)) {
                Some((_, nearest)) => out.push_str(nearest),
                None => out.push(c),
            }
        }
        Writing::Foreign => out.push_str(any_ascii_char(c)),
        _ => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: Language, text: &str, expected: &str) {
        let mut out = String::new();
        text.chars().for_each(|c| push(c, language, true, &mut out));
        assert_eq!(out, expected);
    }

    #[test]
    fn only_unknown_letters_change() {
        check(Language::French, "voilà déjà l'île où été", "voila déja l'ile ou été");
        check(Language::English, "Dvořák Łódź café naïve", "Dvorak Lodz café naïve");
        check(Language::German, "größer Škoda", "größer Skoda");
        check(Language::Arabic, "پارک", "بارك");
        check(Language::Russian, "Қазақстан әлем", "Қазақстан алем");
    }
}
