//! Fractions in a question: in words ("two thirds") and with a sign ("3分の2").

use quartet_text_normalization::chinese_numerals;

use super::lexicon;
use super::question::{Question, find, places};

/// Signs between the two numbers of a fraction, of which the first is the one to divide by.
const SIGNS: [&str; 3] = ["分の", "分之", "분의"];
/// The largest number of a fraction that is said in this way.
const LARGEST: u64 = 1_000;

/// A fraction and the text without it.
pub(super) struct Fraction {
    pub numerator: u64,
    pub denominator: u64,
    pub rest: String,
}

/// A fraction whose second part is a word: "two thirds".
pub(super) fn in_words(question: &Question) -> Option<Fraction> {
    let (text, language) = (question.text(), question.language());
    let all = lexicon::parts(language).filter_map(|(value, word)| Some((value, find(text, word)?, word)));
    let (value, (start, end), word) = all.max_by_key(|(.., word)| word.len())?;
    if places(text, word).count() > 1 {
        return None;
    }
    let before = text[..start].trim_end();
    let ends_with = |numeral: &str| places(before, numeral).any(|(_, end)| end == before.len());
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (numerator, length) = if digits > 0 {
        (before[before.len() - digits..].parse().ok()?, digits)
    } else {
        let numerals = lexicon::numerals_of(language).filter(|(value, word)| *value > 0 && ends_with(word));
        let found = numerals.max_by_key(|(_, word)| word.len());
        found.map_or((1, 0), |(value, word)| (u64::from(value), word.len()))
    };
    let before = &before[..before.len() - length];
    let rest = format!("{before} , {}", &text[end..]);
    let denominator = value.parse().ok()?;
    ((1..=LARGEST).contains(&numerator) && !goes_on(before)).then_some(Fraction {
        numerator,
        denominator,
        rest,
    })
}

/// A fraction with a sign between its numbers: "3分の2", "三分之二".
pub(super) fn in_signs(question: &Question) -> Option<Fraction> {
    let text = question.text();
    let (start, sign) = SIGNS.into_iter().find_map(|sign| Some((text.find(sign)?, sign)))?;
    let (before, after) = (&text[..start], &text[start + sign.len()..]);
    if SIGNS.iter().any(|sign| after.contains(sign)) {
        return None;
    }
    let after = after.trim_start();
    let is_digit = |c: char| c.is_ascii_digit();
    let digits = before.len() - before.trim_end_matches(is_digit).len();
    let (denominator, begin) = match digits {
        0 => {
            let (value, place) = chinese_numerals(before)
                .last()
                .filter(|(_, place)| place.1 == before.len())?;
            (value, place.0)
        }
        _ => (before[before.len() - digits..].parse().ok()?, before.len() - digits),
    };
    let digits = after.find(|c| !is_digit(c)).unwrap_or(after.len());
    let (numerator, end) = match digits {
        0 => {
            let (value, place) = chinese_numerals(after).next().filter(|(_, place)| place.0 == 0)?;
            (value, place.1)
        }
        _ => (after[..digits].parse().ok()?, digits),
    };
    let is_one = (2..=LARGEST).contains(&denominator) && (1..=LARGEST).contains(&numerator);
    let rest = format!("{} , {}", &before[..begin], &after[end..]);
    (is_one && !goes_on(&before[..begin]) && !after[end..].starts_with('.')).then_some(Fraction {
        numerator,
        denominator,
        rest,
    })
}

/// Returns true if a text ends in the middle of a number: "2.5 quarters".
fn goes_on(before: &str) -> bool {
    before.ends_with(['.', ',', '/'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartet_api::Language;

    #[test]
    fn fractions_are_read_with_what_they_stand_beside() {
        let read = |found: Option<Fraction>| found.map(|found| (found.numerator, found.denominator));
        let words = |text: &str, language| read(in_words(&Question::new(text, language)));
        let signs = |text: &str, language| read(in_signs(&Question::new(text, language)));
        assert_eq!(words("two thirds of 450", Language::English), Some((2, 3)));
        assert_eq!(words("3 Viertel von 80", Language::German), Some((3, 4)));
        assert_eq!(words("un tercio de 240", Language::Spanish), Some((1, 3)));
        assert_eq!(words("a third of a third", Language::English), None);
        assert_eq!(words("2.5 quarters of 80", Language::English), None);
        assert_eq!(signs("450の3分の2", Language::Japanese), Some((2, 3)));
        assert_eq!(signs("三分之二乘以九", Language::Chinese), Some((2, 3)));
        assert_eq!(signs("450의 3분의 2", Language::Korean), Some((2, 3)));
        assert_eq!(signs("十分の話", Language::Japanese), None);
    }
}
