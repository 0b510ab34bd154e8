//! The calculator: the crate `fend-core`, with exact fractions and units, within limits of time and size.

use std::sync::atomic::{AtomicU32, Ordering};

use fend_core::{Context, CustomUnitAttribute, Interrupt, evaluate_with_interrupt};

/// Limit for the steps of an evaluation; each inner loop of the engine asks for an interrupt once.
const MAX_STEPS: u32 = 50_000;

/// Limit in bytes for a result.
const MAX_RESULT_BYTES: usize = 400;

/// Units of one country that the engine does not have, and what they are defined as there.
const UNITS: [(&str, &str); 10] = [
    ("metric_tablespoon", "15 ml"),
    ("metric_teaspoon", "5 ml"),
    ("metric_horsepower", "735.49875 watt"),
    // Korea and Japan: 400/121 m².
    ("pyeong", "400/121 m^2"),
    ("tsubo", "400/121 m^2"),
    // China: 15 to the hectare; 2 to the kilogram.
    ("mu", "2000/3 m^2"),
    ("jin", "500 g"),
    // Russia, the Levant, Egypt.
    ("sotka", "100 m^2"),
    ("dunam", "1000 m^2"),
    ("feddan", "25205/6 m^2"),
];

/// The value of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    /// The number, perhaps with a unit behind it.
    pub text: String,
    /// True if it is rounded.
    pub approximate: bool,
}

/// Error of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EvaluationError {
    DivisionByZero,
    TooLarge,
    /// It is no expression after all.
    Invalid,
}

struct Bounded(AtomicU32);

impl Interrupt for Bounded {
    fn should_interrupt(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) >= MAX_STEPS
    }
}

/// Computes an expression.
pub(super) fn evaluate(expression: &str) -> Result<Value, EvaluationError> {
    if is_huge(expression) {
        return Err(EvaluationError::TooLarge);
    }
    let bounded = Bounded(AtomicU32::new(0));
    let mut context = Context::new();
    for (name, definition) in UNITS.into_iter().filter(|(name, _)| expression.contains(name)) {
        context.define_custom_unit_v1(name, name, definition, &CustomUnitAttribute::None);
    }
    let result = evaluate_with_interrupt(expression, &mut context, &bounded).map_err(|error| {
        if bounded.0.load(Ordering::Relaxed) > MAX_STEPS {
            EvaluationError::TooLarge
        } else if error.contains("division by zero") {
            EvaluationError::DivisionByZero
        } else if error.contains("too large") || error.contains("exponent") {
            EvaluationError::TooLarge
        } else {
            EvaluationError::Invalid
        }
    })?;
    let text = result.get_main_result();
    if text.len() > MAX_RESULT_BYTES {
        return Err(EvaluationError::TooLarge);
    }
    match text.strip_prefix("approx. ") {
        Some(text) => Ok(Value {
            text: text.to_owned(),
            approximate: true,
        }),
        None => Ok(Value {
            text: text.to_owned(),
            approximate: false,
        }),
    }
}

/// Returns true if an expression has a power or factorial that is beyond all use: single steps of those are long.
fn is_huge(expression: &str) -> bool {
    let numbers: Vec<f64> = expression
        .split(|c: char| !(c.is_ascii_digit() || c == '.'))
        .filter_map(|number| number.parse().ok())
        .collect();
    // Roots of small degrees are short.
    let powers = expression.matches('^').count() - expression.matches("^(1/").count();
    let most = numbers.iter().copied().fold(0.0, f64::max);
    powers > 2
        || powers == 2 && most > 12.0
        || powers == 1 && (most > 5_000.0 && !expression.contains("^2") && !expression.contains("^3"))
        || expression.contains('!') && most > 1_000.0
        || expression.matches('!').count() > 2
        || expression.contains("!!")
        || expression.contains("!)!")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_takes_for_ever() {
        for expression in [
            "9^9^9",
            "9^(9^9)",
            "99999^99999",
            "100000!",
            "3!!!!",
            "(2^9999)^9999",
            "1/(1/3-1/3)",
        ] {
            assert!(evaluate(expression).is_err(), "{expression}");
        }
        assert_eq!(evaluate("2^100").unwrap().text, "1267650600228229401496703205376");
        assert_eq!(evaluate("1/0"), Err(EvaluationError::DivisionByZero));
    }
}
