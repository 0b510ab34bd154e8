//! Whole numbers in other notations: to the base of two, eight and sixteen, and in Roman numerals.

use std::str::FromStr as _;

use roman_numerals_rs::RomanNumeral;

use super::question::Question;

/// Shortest Roman numeral that is taken for one without a word for it: "I" and "MI" are words, "XL" is a size.
const MIN_ROMAN_LETTERS: usize = 4;

/// A way to write a whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    Binary,
    Octal,
    Decimal,
    Hexadecimal,
    Roman,
}

/// A number that is written in another way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rewriting {
    /// The number as the question has it, in capitals.
    pub written: String,
    /// Its notation there.
    pub from: Notation,
    /// The notation that is asked for.
    pub to: Notation,
}

/// Parts of the words for the notations in the twelve languages, and in some others that have the same words.
const WORDS: [(Notation, &[&str]); 4] = [
    (
        Notation::Binary,
        &[
            "binar",
            "binär",
            "binair",
            "binária",
            "binário",
            "двоичн",
            "二进制",
            "二進制",
            "2进制",
            "2進",
            "二進",
            "이진",
            "2진",
            "ثنائي",
            "बाइनरी",
            "द्विआधारी",
        ],
    ),
    (
        Notation::Octal,
        &[
            "octal",
            "oktal",
            "ottale",
            "восьмеричн",
            "八进制",
            "8进制",
            "8進",
            "八進",
            "팔진",
            "8진",
            "ثماني",
            "ऑक्टल",
        ],
    ),
    (
        Notation::Hexadecimal,
        &[
            "hex",
            "esadecimal",
            "шестнадцатеричн",
            "十六进制",
            "16进制",
            "16進",
            "十六進",
            "십육진",
            "16진",
            "ست عشري",
            "سداسي عشر",
            "हेक्स",
            "षोडश",
        ],
    ),
    (
        Notation::Roman,
        &[
            "roman",
            "romain",
            "römisch",
            "romeins",
            "rzymsk",
            "римск",
            "罗马数字",
            "羅馬數字",
            "ローマ数字",
            "로마 숫자",
            "로마숫자",
            "روماني",
            "रोमन",
        ],
    ),
];

impl Notation {
    /// The notation with this English name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "binary" => Notation::Binary,
            "octal" => Notation::Octal,
            "decimal" => Notation::Decimal,
            "hex" => Notation::Hexadecimal,
            "roman" => Notation::Roman,
            _ => return None,
        })
    }

    fn base(self) -> Option<u32> {
        Some(match self {
            Notation::Binary => 2,
            Notation::Octal => 8,
            Notation::Decimal => 10,
            Notation::Hexadecimal => 16,
            Notation::Roman => return None,
        })
    }

    fn is_said(self, question: &Question) -> bool {
        let words = WORDS.iter().filter(|(notation, _)| *notation == self);
        words
            .flat_map(|(_, words)| *words)
            .any(|word| question.text().contains(word))
    }

    fn read(self, text: &str) -> Option<u64> {
        match self.base() {
            Some(base) => u64::from_str_radix(digits(text), base).ok(),
            None => RomanNumeral::from_str(text)
                .ok()
                .map(|numeral| u64::from(numeral.as_u16())),
        }
    }

    /// A number as it is written; nothing where there is no such numeral.
    fn write(self, number: u64) -> Option<String> {
        Some(match self {
            Notation::Binary => format!("{number:b}"),
            Notation::Octal => format!("{number:o}"),
            Notation::Decimal => number.to_string(),
            Notation::Hexadecimal => format!("{number:X}"),
            Notation::Roman => RomanNumeral::new(u16::try_from(number).ok()?).ok()?.to_uppercase(),
        })
    }

    /// The sign of its base behind a number.
    fn subscript(self) -> &'static str {
        match self {
            Notation::Binary => "₂",
            Notation::Octal => "₈",
            Notation::Hexadecimal => "₁₆",
            Notation::Decimal | Notation::Roman => "",
        }
    }
}

/// Digits without the sign of their base that programs write.
fn digits(text: &str) -> &str {
    let text = text.trim_start_matches('#');
    let rest = ["0x", "0X", "0b", "0B", "0o", "0O"]
        .iter()
        .find_map(|prefix| text.strip_prefix(prefix));
    rest.unwrap_or(text)
}

impl Rewriting {
    /// The number as it is and as it becomes, each with the sign of its base; nothing where it is no number of its notation.
    pub fn result(&self) -> Option<(String, String)> {
        let number = self.from.read(&self.written)?;
        let becomes = self.to.write(number)?;
        let shown = format!("{}{}", digits(&self.written), self.from.subscript());
        Some((shown, becomes))
    }

    /// The result with the sign of its base.
    pub fn shown_result(&self) -> Option<String> {
        let (_, becomes) = self.result()?;
        Some(format!("{becomes}{}", self.to.subscript()))
    }

    /// Returns true if a question names the notations, has the number, and has no other one.
    pub fn is_borne_out(&self, question: &Question) -> bool {
        let is_said = |notation: Notation, written: &str| match notation {
            Notation::Decimal => true,
            Notation::Roman if written.chars().count() >= MIN_ROMAN_LETTERS => true,
            notation => notation.is_said(question),
        };
        let has_it = candidates(question).contains(&self.written);
        let others = question.places().filter(|(start, end, _)| {
            let word = word_around(question.text(), *start, *end);
            word.to_uppercase() != self.written
        });
        self.from != self.to
            && has_it
            && is_said(self.from, &self.written)
            && is_said(self.to, "")
            // "Hexadecimal 16" has its base beside it.
            && others.count() == 0
    }
}

/// The words of a question that may be numbers of a notation, in capitals.
pub(super) fn candidates(question: &Question) -> Vec<String> {
    let words = question
        .text()
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '#'))
        .filter(|word| !word.is_empty())
        .map(str::to_uppercase);
    let says_hex = Notation::Hexadecimal.is_said(question);
    let says_roman = Notation::Roman.is_said(question);
    let is_one = |word: &String| {
        let bare = digits(word);
        let has_digit = bare.bytes().any(|byte| byte.is_ascii_digit());
        let is_hex = says_hex && bare.bytes().all(|byte| byte.is_ascii_hexdigit()) && (has_digit || bare.len() > 1);
        let is_roman = (says_roman && word.len() > 1 || word.len() >= MIN_ROMAN_LETTERS)
            && RomanNumeral::from_str(word).is_ok()
            && is_in_capitals(question, word);
        bare.bytes().all(|byte| byte.is_ascii_digit()) && !bare.is_empty() || is_hex || is_roman
    };
    words.filter(is_one).collect()
}

/// Returns true if a question has a Roman numeral of some length, whatever it asks for.
pub(super) fn has_roman(question: &Question) -> bool {
    let mut words = candidates(question).into_iter();
    words.any(|word| word.starts_with(|c: char| "MDCLXVI".contains(c)) && word.len() >= MIN_ROMAN_LETTERS)
}

/// "mild" and "civic" are words, unless they stand in capitals or are of no language.
fn is_in_capitals(question: &Question, word: &str) -> bool {
    question.as_written(&word.to_lowercase()) == word
}

fn word_around(text: &str, start: usize, end: usize) -> &str {
    let joins = |c: char| c.is_ascii_alphanumeric();
    let from = text[..start].trim_end_matches(joins).len();
    let to = text.len() - text[end..].trim_start_matches(joins).len();
    &text[from..to]
}

#[cfg(test)]
mod tests {
    use super::super::expression::{Expression, parse};
    use super::*;
    use quartet_api::Language;

    fn result(question: &str, language: Language, written: &str) -> Option<String> {
        let Some(Expression::Notation(rewriting)) = parse(written) else {
            panic!("{written}")
        };
        let question = Question::new(question, language);
        rewriting
            .is_borne_out(&question)
            .then(|| rewriting.shown_result())
            .flatten()
    }

    #[test]
    fn numbers_are_written_in_other_ways() {
        for (question, language, written, expected) in [
            (
                "what is 45 in binary",
                Language::English,
                "write 45 from decimal in binary",
                "101101₂",
            ),
            (
                "255 en hexadécimal ?",
                Language::French,
                "write 255 from decimal in hex",
                "FF₁₆",
            ),
            (
                "hex ff to decimal",
                Language::English,
                "write FF from hex in decimal",
                "255",
            ),
            (
                "0x1F in decimal, hex",
                Language::English,
                "write 0X1F from hex in decimal",
                "31",
            ),
            (
                "what's MCMXCIV as a number",
                Language::English,
                "write MCMXCIV from roman in decimal",
                "1994",
            ),
            (
                "Schreibe 2026 in römischen Zahlen",
                Language::German,
                "write 2026 from decimal in roman",
                "MMXXVI",
            ),
            (
                "45的二进制是多少",
                Language::Chinese,
                "write 45 from decimal in binary",
                "101101₂",
            ),
        ] {
            assert_eq!(
                result(question, language, written).as_deref(),
                Some(expected),
                "{question}"
            );
        }
    }

    #[test]
    fn what_no_question_says_is_not_written() {
        for (question, written) in [
            ("what is 45 in words", "write 45 from decimal in binary"),
            ("what is 45 and 46 in binary", "write 45 from decimal in binary"),
            ("who is Louis XIV", "write XIV from roman in decimal"),
            ("4000 in roman numerals", "write 4000 from decimal in roman"),
            ("12 in binary", "write 12 from binary in decimal"),
            ("it was mild", "write MILD from roman in decimal"),
        ] {
            assert_eq!(result(question, Language::English, written), None, "{question}");
        }
    }
}
