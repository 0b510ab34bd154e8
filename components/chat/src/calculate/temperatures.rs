//! Differences of temperatures: two that are on one scale, and a word that asks for what lies between.

use std::borrow::Cow;

use super::expression::{Expression, Formula};
use super::measures::{self, Item};
use super::number;
use super::question::Question;
use super::said::{self, Said};

/// Limit in characters for what stands between a temperature and "below zero".
const MAX_BEHIND: usize = 3;

/// The difference of the only two temperatures of a question.
pub(super) fn only(question: &Question) -> Option<Expression> {
    let items = measures::read(question)?;
    if !measures::are_plain(question, &items) || !question.says(Said::Difference) {
        return None;
    }
    let numbers: Vec<&Item> = items.iter().filter(|item| item.value.is_some()).collect();
    let [one, other] = numbers[..] else { return None };
    // "From 12 to 19 °C" has the scale once.
    let scale = other.unit().or(one.unit());
    let is_on_scale = |item: &Item| item.measure.is_none() || item.unit() == scale;
    let is_temperature = match scale {
        Some(unit) => unit.dimension == "temperature",
        None => is_in_degrees(question, other),
    };
    let another = items
        .iter()
        .any(|item| item.value.is_none() && item.dimension() == Some("temperature") && item.unit() != scale);
    if !is_temperature || !is_on_scale(one) || !is_on_scale(other) || another {
        return None;
    }
    let (one, other) = (signed(question, one)?, signed(question, other)?);
    let (high, low) = if one.parse::<f64>().ok()? >= other.parse::<f64>().ok()? {
        (one, other)
    } else {
        (other, one)
    };
    let language = question.language();
    let named = numbers.iter().rev().find(|item| item.measure.is_some());
    let name = named.map_or("°", |item| {
        question.as_written(&question.text()[item.name.0..item.name.1])
    });
    let shown = |value: &str| {
        let value = number::write(value, language);
        if value.starts_with('-') {
            format!("({value})")
        } else {
            value
        }
    };
    Some(Expression::Formula(Formula {
        engine: format!("({high}) - ({low})"),
        shown: format!("{} - {}", number::write(&high, language), shown(&low)),
        unit: name.to_owned(),
    }))
}

/// A temperature with its sign; none where it is not certain.
fn signed(question: &Question, item: &Item) -> Option<String> {
    let value = item.value.as_deref()?;
    let (text, language) = (question.text(), question.language());
    let is_negative = question.is_negative_at((item.start, item.end));
    let before = said::is_at_end(text[..item.start].trim_end(), Said::BelowZero, language);
    let after = &text[item.end..];
    let behind = said::phrases(Said::BelowZero, language).filter_map(|phrase| said::place(after, phrase));
    let own = behind.map(|(start, _)| after[..start].trim());
    let own = own
        .filter(|between| !between.contains(|c: char| c.is_ascii_digit()))
        .min_by_key(|between| between.len());
    let behind = match own {
        Some(between) if between.chars().count() <= MAX_BEHIND || said::is_all(between, Said::Degrees, language) => {
            true
        }
        // It may belong to this one, or to the one behind it.
        Some(_) if !before => return None,
        _ => false,
    };
    match (is_negative, before || behind) {
        // "Minus five below zero"
        (true, true) => None,
        (false, false) => Some(value.to_owned()),
        _ => Some(format!("-{value}")),
    }
}

/// Returns true if degrees stand behind a number.
fn is_in_degrees(question: &Question, item: &Item) -> bool {
    let after = question.text()[item.end..].trim_start();
    said::at_start(after, Said::Degrees, question.language()).is_some()
}

/// A question of nothing but a temperature and another scale with the signs of their degrees: "72 f in c" for "72 °F in °C".
pub(super) fn with_degrees(question: &str) -> Cow<'_, str> {
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower.trim_end_matches(['?', ' ']).split_whitespace().collect();
    let scale = |word: &str| match word.trim_start_matches('°') {
        "f" => Some("°F"),
        "c" => Some("°C"),
        _ => None,
    };
    let is_number = |word: &str| word.trim_start_matches('-').parse::<f64>().is_ok();
    // "72f" and "72 f"
    let (number, from, rest) = match words[..] {
        [number, from, ref rest @ ..] if is_number(number) && scale(from).is_some() => (number, from, rest),
        [first, ref rest @ ..] => {
            let number = first.trim_end_matches(['f', 'c']).trim_end_matches('°');
            (number, &first[number.len()..], rest)
        }
        [] => return Cow::Borrowed(question),
    };
    match (scale(from), rest) {
        (Some(from), ["in" | "to" | "as" | "en" | "em" | "into", to]) if is_number(number) => match scale(to) {
            Some(to) if to != from => Cow::Owned(format!("{number} {from} in {to}")),
            _ => Cow::Borrowed(question),
        },
        _ => Cow::Borrowed(question),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn single_letters_are_degrees_where_there_is_nothing_else() {
        for (question, read) in [
            ("72 f in c", "72 °F in °C"),
            ("72F to C?", "72 °F in °C"),
            ("-5.5c in f", "-5.5 °C in °F"),
            ("72 f in f", "72 f in f"),
            ("grade 5 c in b", "grade 5 c in b"),
            ("", ""),
        ] {
            assert_eq!(with_degrees(question), read);
        }
    }

    use super::super::conversion;
    use super::*;
    use quartet_api::Language;

    fn answer(question: &str, language: Language) -> Option<String> {
        match only(&Question::new(question, language))? {
            Expression::Formula(formula) => Some(conversion::formula(&formula, language)?.answer),
            _ => None,
        }
    }

    #[test]
    fn differences_on_one_scale_are_computed() {
        use Language::{Chinese, English, French, German, Italian, Japanese, Korean, Russian, Spanish};
        for (question, language, expected) in [
            (
                "What is the difference between 12 °C and 19 °C?",
                English,
                "19 - 12 = 7 °C",
            ),
            (
                "The temperature rose from -3 °C to 5 °C, by how much?",
                English,
                "5 - (-3) = 8 °C",
            ),
            ("how much warmer is 72 °F than 65 °F", English, "72 - 65 = 7 °F"),
            (
                "Was ist der Unterschied zwischen 12 und 19 Grad Celsius?",
                German,
                "19 - 12 = 7 Grad Celsius",
            ),
            (
                "Quelle est la différence entre -5 °C et 12 °C ?",
                French,
                "12 - (-5) = 17 °C",
            ),
            ("¿Cuál es la diferencia entre 12 °C y 19 °C?", Spanish, "19 - 12 = 7 °C"),
            ("Qual è la differenza tra 12 °C e 19 °C?", Italian, "19 - 12 = 7 °C"),
            ("Какая разница между -5 °C и 12 °C?", Russian, "12 - (-5) = 17 °C"),
            ("12度と19度の差は何度ですか", Japanese, "19 - 12 = 7 °"),
            ("零下5摄氏度和12摄氏度相差多少", Chinese, "12 - (-5) = 17 摄氏度"),
            ("12°C와 19°C의 차이는?", Korean, "19 - 12 = 7 °C"),
        ] {
            assert_eq!(answer(question, language).as_deref(), Some(expected), "{question}");
        }
    }

    #[test]
    fn other_arithmetic_about_temperatures_is_left() {
        for (question, language) in [
            ("What is the difference between 12 °C and 60 °F?", Language::English),
            (
                "What is the difference between 12 °C and 19 °C in Fahrenheit?",
                Language::English,
            ),
            ("What is 12 °C times 19 °C?", Language::English),
            ("It was 12 °C and got 7 °C warmer, how warm is it?", Language::English),
            (
                "What is the difference between 12 °C, 15 °C and 19 °C?",
                Language::English,
            ),
            ("What is the difference between 12 and 19?", Language::English),
            ("the difference between 5 degrees and 3 apples", Language::English),
        ] {
            assert_eq!(answer(question, language), None, "{question}");
        }
    }
}
