//! The symbols of the model, and how the sounds of each language are written with them.
//!
//! The model was trained on the notation of its author's front end: the International Phonetic Alphabet with one letter
//! for each diphthong and affricate. The tables turn what eSpeak NG writes into that; they were made by listening with a
//! recogniser to what each replacement does, and by the notation that the model's card documents.

use quartet_api::Language;

use crate::{hanzi, kana};

/// Every symbol with its number (`vocab` in the model's configuration).
const VOCABULARY: &[(char, u8)] = &[
    (';', 1),
    (':', 2),
    (',', 3),
    ('.', 4),
    ('!', 5),
    ('?', 6),
    ('—', 9),
    ('…', 10),
    ('"', 11),
    ('(', 12),
    (')', 13),
    ('“', 14),
    ('”', 15),
    (' ', 16),
    ('\u{303}', 17),
    ('ʣ', 18),
    ('ʥ', 19),
    ('ʦ', 20),
    ('ʨ', 21),
    ('ᵝ', 22),
    ('ꭧ', 23),
    ('A', 24),
    ('I', 25),
    ('O', 31),
    ('Q', 33),
    ('S', 35),
    ('T', 36),
    ('W', 39),
    ('Y', 41),
    ('ᵊ', 42),
    ('a', 43),
    ('b', 44),
    ('c', 45),
    ('d', 46),
    ('e', 47),
    ('f', 48),
    ('h', 50),
    ('i', 51),
    ('j', 52),
    ('k', 53),
    ('l', 54),
    ('m', 55),
    ('n', 56),
    ('o', 57),
    ('p', 58),
    ('q', 59),
    ('r', 60),
    ('s', 61),
    ('t', 62),
    ('u', 63),
    ('v', 64),
    ('w', 65),
    ('x', 66),
    ('y', 67),
    ('z', 68),
    ('ɑ', 69),
    ('ɐ', 70),
    ('ɒ', 71),
    ('æ', 72),
    ('β', 75),
    ('ɔ', 76),
    ('ɕ', 77),
    ('ç', 78),
    ('ɖ', 80),
    ('ð', 81),
    ('ʤ', 82),
    ('ə', 83),
    ('ɚ', 85),
    ('ɛ', 86),
    ('ɜ', 87),
    ('ɟ', 90),
    ('ɡ', 92),
    ('ɥ', 99),
    ('ɨ', 101),
    ('ɪ', 102),
    ('ʝ', 103),
    ('ɯ', 110),
    ('ɰ', 111),
    ('ŋ', 112),
    ('ɳ', 113),
    ('ɲ', 114),
    ('ɴ', 115),
    ('ø', 116),
    ('ɸ', 118),
    ('θ', 119),
    ('œ', 120),
    ('ɹ', 123),
    ('ɾ', 125),
    ('ɻ', 126),
    ('ʁ', 128),
    ('ɽ', 129),
    ('ʂ', 130),
    ('ʃ', 131),
    ('ʈ', 132),
    ('ʧ', 133),
    ('ʊ', 135),
    ('ʋ', 136),
    ('ʌ', 138),
    ('ɣ', 139),
    ('ɤ', 140),
    ('χ', 142),
    ('ʎ', 143),
    ('ʒ', 147),
    ('ʔ', 148),
    ('ˈ', 156),
    ('ˌ', 157),
    ('ː', 158),
    ('ʰ', 162),
    ('ʲ', 164),
    ('↓', 169),
    ('→', 171),
    ('↗', 172),
    ('↘', 173),
    ('ᵻ', 177),
];

/// Replacements, one after the other.
type Table = &'static [(&'static str, &'static str)];

/// Letters that stand for one thing in every language.
const LETTERS: Table = &[
    ("g", "ɡ"),
    ("ã", "a\u{303}"),
    ("ẽ", "e\u{303}"),
    ("ĩ", "i\u{303}"),
    ("õ", "o\u{303}"),
    ("ũ", "u\u{303}"),
    ("-", ""),
    ("\u{361}", ""),
];

/// Diphthongs and affricates that have a symbol of their own.
const JOINED: Table = &[
    ("aɪ", "I"),
    ("aʊ", "W"),
    ("eɪ", "A"),
    ("oʊ", "O"),
    ("əʊ", "Q"),
    ("ɔɪ", "Y"),
    ("dʒ", "ʤ"),
    ("tʃ", "ʧ"),
    ("dz", "ʣ"),
    ("ts", "ʦ"),
    ("dʑ", "ʥ"),
    ("tɕ", "ʨ"),
];

/// British English, as its readers in the model's training are written.
const ENGLISH: Table = &[
    ("eə", "ɛː"),
    ("iə", "ɪə"),
    ("ɚ", "əɹ"),
    ("r", "ɹ"),
    ("ɐ", "ə"),
    ("a", "æ"),
    ("e", "ɛ"),
    ("x", "k"),
    ("ç", "k"),
    ("ɬ", "l"),
    ("ʔ", "t"),
    ("ɹɹ", "ɹ"),
    ("æː", "ɑː"),
];

const GERMAN: Table = &[("ɔø", "Y"), ("ʏ", "y"), ("r", "ʁ"), ("ɾ", "ʁ"), ("ɜ", "ɐ"), ("ɑ", "a")];

const RUSSIAN: Table = &[("ɭ", "l"), ("ɵ", "o"), ("ʑ", "ʒ"), ("ɫ", "l"), ("ʉ", "u")];

const KOREAN: Table = &[
    ("ʨh", "ʨʰ"),
    ("kh", "kʰ"),
    ("th", "tʰ"),
    ("ph", "pʰ"),
    ("ɫ", "l"),
    ("q", "k"),
    ("ˈ", ""),
    ("ˌ", ""),
    ("ɐ", "a"),
];

/// The model knows the stops of the throat as a *t* that is hardly said, and says one.
const ARABIC: Table = &[("ħ", "h"), ("ʕ", ""), ("ʔ", ""), ("ˤ", ""), ("\u{32a}", "")];

/// Words of a language in the model's symbols. `written` is in phonemes, for Japanese in kana, and for Chinese in
/// characters.
pub fn symbols(language: Language, written: &str) -> String {
    let table = match language {
        Language::Japanese => return kana::symbols(written),
        Language::Chinese => return hanzi::symbols(written),
        Language::English => ENGLISH,
        Language::German => GERMAN,
        Language::Russian => RUSSIAN,
        Language::Korean => KOREAN,
        Language::Arabic => ARABIC,
        Language::Spanish | Language::French | Language::Italian | Language::Portuguese | Language::Hindi => &[],
    };
    let mut symbols = without_marks(written);
    for (from, to) in LETTERS.iter().chain(JOINED).chain(table) {
        if symbols.contains(from) {
            symbols = symbols.replace(from, to);
        }
    }
    symbols
}

/// The phonemes without the marks of another language, such as `(en)`.
fn without_marks(written: &str) -> String {
    let mut inside = false;
    let outside = |character: &char| {
        let was = inside;
        inside = match character {
            '(' => true,
            ')' => false,
            _ => inside,
        };
        !was && !inside
    };
    written.chars().filter(outside).collect()
}

/// The numbers of symbols; those that the model does not know are left out.
pub fn tokens(symbols: &str) -> Vec<u8> {
    let number = |symbol| {
        VOCABULARY
            .iter()
            .find(|(known, _)| *known == symbol)
            .map(|(_, number)| *number)
    };
    symbols.chars().filter_map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if the model knows every symbol.
    fn known(symbols: &str) -> bool {
        tokens(symbols).len() == symbols.chars().count()
    }

    #[test]
    fn phonemes_become_the_models_symbols() {
        for (language, written, expected) in [
            (
                Language::English,
                "ðə lˈaɪbɹəɹi ˈəʊpənz at nˈaɪn",
                "ðə lˈIbɹəɹi ˈQpənz æt nˈIn",
            ),
            (Language::Italian, "(en)wˈɜːld(it) dʒardˈino", "wˈɜːld ʤardˈino"),
            (Language::French, "la- ʒaʁdˈɛ̃", "la ʒaʁdˈɛ̃"),
            (Language::German, "nˈɔøn ˈuːɾ", "nˈYn ˈuːʁ"),
            (Language::Arabic, "dʒˈiddan ʕˈalaː sˤɑbˈaːħ", "ʤˈiddan ˈalaː sɑbˈaːh"),
            (Language::Japanese, "ニホンゴ", "ɲihoŋɡo"),
            (Language::Chinese, "你好", "ni↗xau↓"),
        ] {
            let symbols = symbols(language, written);
            assert_eq!(symbols, expected, "{written}");
            assert!(known(&symbols), "{symbols}");
        }
    }

    #[test]
    fn what_the_model_does_not_know_is_left_out() {
        assert_eq!(tokens("a7b"), tokens("ab"));
        assert!(tokens("").is_empty());
    }

    #[test]
    fn every_replacement_ends_in_symbols() {
        let tables = [JOINED, ENGLISH, GERMAN, RUSSIAN, KOREAN, ARABIC];
        for (from, to) in tables.concat() {
            assert!(known(to), "{from} becomes {to}");
        }
    }
}
