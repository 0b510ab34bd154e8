//! Powers: "10^6", "10⁶", "x²", "8 m/s²". Small raised digits after a word are a note's number and are not said.

use quartet_api::Language;

use super::super::languages::Agreement;
use super::Scanner;
use super::numerals::run;

/// Digits of an exponent at most.
const MAX_DIGITS: usize = 18;

/// The words of a language for powers.
struct Words {
    /// After what is squared and cubed.
    square: &'static str,
    cube: &'static str,
    /// Before and after any other exponent.
    other: (&'static str, &'static str),
}

fn words(language: Language) -> Words {
    let (square, cube, other) = match language {
        Language::English => ("squared", "cubed", ("to the power of", "")),
        Language::Hindi => ("का वर्ग", "का घन", ("की घात", "")),
        Language::Spanish => ("al cuadrado", "al cubo", ("elevado a", "")),
        Language::French => ("au carré", "au cube", ("puissance", "")),
        Language::German => ("hoch zwei", "hoch drei", ("hoch", "")),
        Language::Italian => ("al quadrato", "al cubo", ("elevato a", "")),
        Language::Portuguese => ("ao quadrado", "ao cubo", ("elevado a", "")),
        Language::Russian => ("в квадрате", "в кубе", ("в степени", "")),
        Language::Japanese => ("の2乗", "の3乗", ("の", "乗")),
        Language::Chinese => ("的平方", "的立方", ("的", "次方")),
        Language::Korean => ("의 제곱", "의 세제곱", ("의", "제곱")),
        Language::Arabic => ("تربيع", "تكعيب", ("أس", "")),
    };
    Words { square, cube, other }
}

/// The value of a raised digit.
fn raised(c: char) -> Option<char> {
    const DIGITS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let value = DIGITS.chars().position(|digit| digit == c)?;
    char::from_digit(u32::try_from(value).ok()?, 10)
}

/// The raised number that `text` begins with, as digits with a sign, and its length; the digits are at most eighteen.
fn exponent(text: &str) -> Option<(bool, String, usize)> {
    let (negative, rest) = match text.strip_prefix('⁻') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('⁺').unwrap_or(text)),
    };
    // One more than may be: a long run of them is none, and is not read again and again.
    let digits: String = rest.chars().take(MAX_DIGITS + 1).map_while(raised).collect();
    let len = text.len() - rest.len() + rest.chars().take(digits.len()).map(char::len_utf8).sum::<usize>();
    (1..=MAX_DIGITS)
        .contains(&digits.len())
        .then_some((negative, digits, len))
}

/// The exponent after a "^", with or without brackets, and its length.
fn after_caret(text: &str) -> Option<(bool, String, usize)> {
    let (open, inside) = match text.strip_prefix(['(', '{']) {
        Some(inside) => (1, inside),
        None => (0, text),
    };
    let signed = inside.strip_prefix(['-', '−']).unwrap_or(inside);
    let negative = signed.len() < inside.len();
    let digits = run(signed);
    let end = inside.len() - signed.len() + digits;
    let closed = open == 0 || inside[end..].starts_with([')', '}']);
    let joined = inside[end..].starts_with(char::is_alphabetic);
    (closed && !joined && (1..=MAX_DIGITS).contains(&digits)).then(|| {
        let len = open + end + open;
        (negative, signed[..digits].to_owned(), len)
    })
}

impl Scanner<'_> {
    /// An exponent, raised or after a "^". Says it, or reads over the number of a note; false where there is neither.
    pub(super) fn power(&mut self) -> bool {
        let rest = self.rest();
        let caret = rest.strip_prefix('^');
        let found = match caret {
            Some(after) => after_caret(after).map(|(negative, digits, len)| (negative, digits, len + 1)),
            None => exponent(rest),
        };
        let Some((negative, digits, len)) = found else {
            return false;
        };
        let before = &self.text[..self.at];
        let letters = before.chars().rev().take(3).take_while(|c| c.is_alphabetic()).count();
        let base = before.ends_with(|c: char| c.is_ascii_digit() || c == ')')
            || (1..=2).contains(&letters)
            || self.number_end == self.at && self.at > 0;
        if !base {
            // "Smith²" has a note; "a ^ b" is something else.
            if caret.is_none() && letters > 2 {
                self.at += len;
                return true;
            }
            return false;
        }
        let Ok(value) = digits.parse::<u64>() else {
            return false;
        };
        let said = self.exponent_words(negative, value);
        self.say(&said, len);
        true
    }

    fn exponent_words(&self, negative: bool, value: u64) -> String {
        let words = words(self.language);
        match (negative, value) {
            (false, 2) => return words.square.to_owned(),
            (false, 3) => return words.cube.to_owned(),
            _ => {}
        }
        let minus = if negative { self.rules.words.minus } else { "" };
        let number = match self.language {
            Language::Japanese => value.to_string(),
            _ => (self.rules.cardinal)(value, Agreement::Alone),
        };
        let gap = self.rules.space;
        let pieces = [words.other.0, minus, &number, words.other.1];
        let pieces: Vec<&str> = pieces.into_iter().filter(|piece| !piece.is_empty()).collect();
        pieces.join(gap)
    }
}

#[cfg(test)]
mod tests {
    use super::super::normalise;
    use quartet_api::Language::{self, Chinese, English, French, German, Japanese, Korean, Russian, Spanish};

    fn check(language: Language, cases: &[(&str, &str)]) {
        for (written, said) in cases {
            assert_eq!(normalise(written, language), *said, "{language}: {written}");
        }
    }

    #[test]
    fn powers_are_said_and_notes_are_not() {
        check(
            English,
            &[
                ("10^6 and 10⁶", "ten to the power of six and ten to the power of six"),
                (
                    "10^-3, 10⁻³",
                    "ten to the power of minus three, ten to the power of minus three",
                ),
                ("x² + 5^2", "x squared plus five squared"),
                ("E = mc²", "E equals mc squared"),
                ("9.8 m/s²", "nine point eight metres per second squared"),
                ("as Smith² says^3", "as Smith says three"),
                ("5 m² per km²", "five square metres per square kilometre"),
            ],
        );
        check(German, &[("10^6", "zehn hoch sechs"), ("2³", "zwei hoch drei")]);
        check(
            French,
            &[("10^6", "dix puissance six"), ("prix au m²", "prix au mètre carré")],
        );
        check(Spanish, &[("10^6", "diez elevado a seis")]);
        check(
            Russian,
            &[("10^6", "десять в степени шесть"), ("один м²", "один квадратный метр")],
        );
        check(Chinese, &[("10^6", "十的六次方")]);
        check(Japanese, &[("10^6", "10の6乗")]);
        check(Korean, &[("10^6", "십의 육 제곱")]);
    }
}
