//! The term of a sum that was computed, read back from how it was shown.

use quartet_api::Language;

use super::claims;
use super::number;
use super::term::{Term, term};

/// The term of an answer such as "59,9 - 40 % = 35,94 €"; nothing where the answer shows none.
pub(super) fn term_of(answer: &str, language: Language) -> Option<Term> {
    sum_of(answer, language).map(|(_, term)| term)
}

/// The same, and before it the sum as a model writes it: "59.9 - 40%".
pub(super) fn sum_of(answer: &str, language: Language) -> Option<(String, Term)> {
    let line = answer.lines().next()?;
    let (sum, result) = line.split_once(" = ").or_else(|| line.split_once(" ≈ "))?;
    let (decimal, group) = match number::decimal_comma(language) {
        true => (',', '.'),
        false => ('.', ','),
    };
    let plain = claims::read(sum, decimal, group)?;
    let plain = plain.replace('×', "*").replace('÷', "/").replace('−', "-");
    let written = plain.replace(" %", "%");
    // "9 ÷ 60 = 15 %"
    Some(match term(&plain)? {
        Term::Binary('/', part, whole) if result.contains('%') => {
            let (part_shown, whole_shown) = written.split_once(" / ")?;
            (format!("share({part_shown}, {whole_shown})"), Term::Share(part, whole))
        }
        other => (written, other),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_its_sum() {
        for (answer, language, expected) in [
            ("15 % × 64.80 = 9.72", Language::English, "15 % × 64.80"),
            ("59,9 - 40 % = 35,94 €", Language::French, "59.9 - 40 %"),
            ("(1000 + 480) ÷ 3 ≈ 493.33", Language::English, "(1000 + 480) ÷ 3"),
            ("9 ÷ 60 = 15 %", Language::English, "9 ÷ 60"),
            ("1.200,50 ÷ 4 = 300,125", Language::German, "1200.50 ÷ 4"),
        ] {
            let term = term_of(answer, language).unwrap();
            assert_eq!(term.shown(), expected, "{answer}");
        }
        let share = term_of("9 ÷ 60 = 15 %", Language::English);
        assert!(matches!(share, Some(Term::Share(..))), "{share:?}");
        let quotient = term_of("9 ÷ 60 = 0.15", Language::English);
        assert!(matches!(quotient, Some(Term::Binary('/', ..))), "{quotient:?}");
        for answer in [
            "5 km ≈ 3.11 mi",
            "08:30 → 17:15 − 45 minutes: 8 hours",
            "You are 43.",
            "",
        ] {
            assert_eq!(term_of(answer, Language::English), None, "{answer}");
        }
    }
}
