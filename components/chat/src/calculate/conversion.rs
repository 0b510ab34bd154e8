//! Conversion of units.

use quartet_api::Language;
use quartet_api::chat::Computation;

use super::computed::Computed;
use super::lexer::Token;
use super::lexicon::{Meaning, Unit};
use super::{engine, number};

/// Significant digits of a rounded result.
const SIGNIFICANT_DIGITS: usize = 7;
/// Digits that an exact result may have beyond that.
const EXTRA_EXACT_DIGITS: usize = 5;

/// Converts between two units of the same dimension, where the question has one number.
pub(super) fn answer(tokens: &[Token], text: &str, language: Language) -> Option<Computed> {
    let mut numbers = Vec::new();
    let mut units: Vec<(usize, &'static Unit, &str)> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Number(number) => numbers.push((index, number.clone())),
            Token::Date(_) => return None,
            Token::Phrase(_, start, end) => {
                let unit = token.meaning(|meaning| match meaning {
                    Meaning::Unit(unit) => Some(unit),
                    _ => None,
                });
                match unit {
                    Some(unit) => units.push((index, unit, &text[*start..*end])),
                    None if token.is(Meaning::Operator('-'))
                        && matches!(tokens.get(index + 1), Some(Token::Number(_))) => {}
                    None if token.is(Meaning::Glue) || token.is(Meaning::Between) || token.is(Meaning::Numeral(1)) => {}
                    None => return None,
                }
            }
        }
    }
    let [one, other] = units[..] else { return None };
    let (number, from, to) = match &numbers[..] {
        [(at, number)] if one.0 == at + 1 => (number.clone(), one, other),
        [(at, number)] if other.0 == at + 1 => (number.clone(), other, one),
        // "How many feet are in a mile?"
        [] => ("1".to_owned(), other, one),
        _ => return None,
    };
    if from.1.dimension != to.1.dimension || from.1 == to.1 {
        return None;
    }
    let minus = match numbers.first().map(|(at, _)| *at) {
        Some(at) if at > 0 && tokens[at - 1].is(Meaning::Operator('-')) => "-",
        _ => "",
    };
    let expression = format!("{minus}{number} {} to {}", from.1.name, to.1.name);
    let value = engine::evaluate(&expression).ok()?;
    let amount: f64 = value.text.split(' ').next()?.parse().ok()?;
    let exact = value.text.split(' ').next()?.to_owned();
    let even = !value.approximate
        && exact
            .trim_start_matches('-')
            .replace('.', "")
            .trim_start_matches('0')
            .len()
            <= SIGNIFICANT_DIGITS + EXTRA_EXACT_DIGITS;
    let figure = if even { exact } else { rounded(amount) };
    let result = format!("{} {}", number::write(&figure, language), to.2);
    let asked = format!("{minus}{} {}", number::write(&number, language), from.2);
    let equals = if even { '=' } else { '≈' };
    Some(Computed {
        answer: format!("{asked} {equals} {result}"),
        computation: Some(Computation {
            kind: "conversion".to_owned(),
            expression: format!("{asked} → {}", to.2),
            result,
            approximate: !even,
        }),
    })
}

/// A number with [`SIGNIFICANT_DIGITS`] significant digits.
fn rounded(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs().log10().floor() as i32;
    let decimals = usize::try_from(SIGNIFICANT_DIGITS as i32 - 1 - magnitude).unwrap_or(0);
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}
