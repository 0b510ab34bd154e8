//! Conversion of units.

use quartet_api::Language;
use quartet_api::chat::Computation;
use quartet_measures::units::Unit;

use super::amounts::Around;
use super::computed::Computed;
use super::expression::Formula;
use super::lexer::{self, Token};
use super::lexicon::Meaning;
use super::notations::Rewriting;
use super::{arithmetic, engine, number};

/// Digits that an exact result may have beyond that.
const EXTRA_EXACT_DIGITS: usize = 5;

/// A quantity: a number with a point for its decimals, its unit, and the unit's name in the question.
pub(super) type Quantity<'a> = (String, &'static Unit, &'a str);

/// Converts a number with its unit behind it to the only other unit of a question, whose normalised text these tokens are of.
pub(super) fn answer(tokens: &[Token], question: &str, text: &str, language: Language) -> Option<Computed> {
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
                    None if token.is(Meaning::Glue) => {}
                    None => return None,
                }
            }
        }
    }
    let ([one, other], [(at, number)]) = (&units[..], &numbers[..]) else {
        return None;
    };
    let (from, to) = match (one.0 == at + 1, other.0 == at + 1) {
        (true, _) => (one, other),
        (_, true) => (other, one),
        _ => return None,
    };
    let minus = if *at > 0 && tokens[at - 1].is(Meaning::Operator('-')) {
        "-"
    } else {
        ""
    };
    let (from, to) = (
        (from.1, lexer::as_written(question, from.2)),
        (to.1, lexer::as_written(question, to.2)),
    );
    convert(&[(format!("{minus}{number}"), from.0, from.1)], to, language)
}

/// Converts quantities, which are added up, to a unit with its name in the question.
pub(super) fn convert(parts: &[Quantity<'_>], to: (&'static Unit, &str), language: Language) -> Option<Computed> {
    if parts
        .iter()
        .any(|(_, unit, _)| unit.dimension != to.0.dimension || *unit == to.0)
    {
        return None;
    }
    let sum: Vec<_> = parts
        .iter()
        .map(|(number, unit, _)| format!("{number} {}", unit.name))
        .collect();
    let (figure, even) = figure(&format!("{} to {}", sum.join(" + "), to.0.name))?;
    let result = format!("{} {}", number::write(&figure, language), to.1);
    let asked: Vec<_> = parts
        .iter()
        .map(|(number, _, name)| format!("{} {name}", number::write(number, language)))
        .collect();
    let asked = asked.join(" ");
    let equals = if even { '=' } else { '≈' };
    Some(Computed {
        answer: format!("{asked} {equals} {result}"),
        value: figure,
        computation: Some(Computation {
            kind: "conversion".to_owned(),
            expression: format!("{asked} → {}", to.1),
            result,
            approximate: !even,
        }),
    })
}

/// Computes quantities that are put together.
pub(super) fn formula(formula: &Formula, language: Language) -> Option<Computed> {
    let Formula { engine, shown, unit } = formula;
    if unit.is_empty() {
        return arithmetic::computed(engine, shown, &Around::default(), language);
    }
    let (figure, even) = figure(engine)?;
    let result = format!("{} {unit}", number::write(&figure, language));
    let equals = if even { '=' } else { '≈' };
    Some(Computed {
        answer: format!("{shown} {equals} {result}"),
        value: figure,
        computation: Some(Computation {
            kind: "conversion".to_owned(),
            expression: shown.clone(),
            result,
            approximate: !even,
        }),
    })
}

/// A whole number in another notation.
pub(super) fn notation(rewriting: &Rewriting) -> Option<Computed> {
    let (shown, value) = rewriting.result()?;
    let result = rewriting.shown_result()?;
    Some(Computed {
        answer: format!("{shown} = {result}"),
        value,
        computation: Some(Computation {
            kind: "conversion".to_owned(),
            expression: shown,
            result,
            approximate: false,
        }),
    })
}

/// The number of a quantity, and false if it is rounded.
fn figure(expression: &str) -> Option<(String, bool)> {
    let value = engine::evaluate(expression).ok()?;
    let exact = value.text.split(' ').next()?.to_owned();
    let amount: f64 = exact.parse().ok()?;
    let digits = exact.trim_start_matches('-').replace('.', "");
    let even =
        !value.approximate && digits.trim_start_matches('0').len() <= number::SIGNIFICANT_DIGITS + EXTRA_EXACT_DIGITS;
    Some((if even { exact } else { number::rounded(amount, 0) }, even))
}
