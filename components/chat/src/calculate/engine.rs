//! The calculator: the crate `fend-core`, with exact fractions and units, within limits of time and size.

use std::sync::atomic::{AtomicU32, Ordering};

use fend_core::{Context, Interrupt, evaluate_with_interrupt};

/// Limit for the steps of an evaluation; each inner loop of the engine asks for an interrupt once.
const MAX_STEPS: u32 = 50_000;

/// Limit in bytes for a result.
const MAX_RESULT_BYTES: usize = 400;

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
    let result = evaluate_with_interrupt(expression, &mut Context::new(), &bounded).map_err(|error| {
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
    let powers = expression.matches('^').count();
    let most = numbers.iter().copied().fold(0.0, f64::max);
    powers > 2
        || powers == 2 && most > 12.0
        || powers == 1 && (most > 5_000.0 && !expression.contains("^2") && !expression.contains("^3"))
        || expression.contains('!') && most > 1_000.0
        || expression.matches('!').count() > 2
        || expression.contains("!!")
        || expression.contains("!)!")
}

/// Finds wrong statements such as `12 × 12 = 143` in a text: the range of their result, and the right one.
#[must_use]
pub fn wrong_claims(text: &str) -> Vec<(std::ops::Range<usize>, String)> {
    let mut wrong = Vec::new();
    for (at, _) in text.match_indices('=') {
        let left = text[..at].trim_end_matches([' ', '\u{a0}']);
        let begin = left
            .char_indices()
            .rev()
            .take_while(|(_, c)| is_arithmetic(*c))
            .last()
            .map_or(left.len(), |(start, _)| start);
        let expression = left[begin..]
            .trim()
            .trim_start_matches(['.', ',', ')', '/', '*', '×', '÷', '+']);
        let after = &text[at + 1..];
        let skipped = after.len() - after.trim_start_matches([' ', '\u{a0}', '\\', '(', '*', '$']).len();
        let claim = &after[skipped..];
        let length = claim
            .char_indices()
            .find(|(index, c)| {
                !(c.is_ascii_digit()
                    || *c == '-' && *index == 0
                    || matches!(c, '.' | ',') && claim[index + 1..].starts_with(|c: char| c.is_ascii_digit()))
            })
            .map_or(claim.len(), |(index, _)| index);
        let claimed = &claim[..length];
        // "2 + 3 = x + 1" and "a = b = c" claim something else.
        let goes_on = claim[length..]
            .trim_start()
            .starts_with(['+', '*', '/', '×', '÷', '^', '%']);
        if claimed.is_empty() || goes_on || !has_operator(expression) {
            continue;
        }
        let plain = expression
            .replace(['×', '·'], "*")
            .replace('÷', "/")
            .replace('−', "-")
            .replace(',', "");
        let Ok(value) = evaluate(&plain) else { continue };
        let (Ok(is), Ok(said)) = (value.text.parse::<f64>(), claimed.replace(',', "").parse::<f64>()) else {
            continue;
        };
        // A result that is rounded to the digits that are there is right.
        let decimals = claimed.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
        if (is - said).abs() > 0.5 * 10_f64.powi(-decimals) + f64::EPSILON * is.abs()
            || value_is_whole(&value) && is != said
        {
            let begin = at + 1 + skipped;
            wrong.push((begin..begin + length, value.text));
        }
    }
    wrong
}

fn value_is_whole(value: &Value) -> bool {
    !value.approximate && !value.text.contains('.')
}

fn is_arithmetic(c: char) -> bool {
    c.is_ascii_digit()
        || matches!(
            c,
            ' ' | '.' | ',' | '+' | '-' | '−' | '*' | '/' | '×' | '÷' | '·' | '^' | '(' | ')'
        )
}

fn has_operator(expression: &str) -> bool {
    let inner = expression.trim_start_matches('-');
    inner.contains(['+', '-', '−', '*', '/', '×', '÷', '·', '^'])
        && inner.chars().next().is_some_and(|c| c.is_ascii_digit() || c == '(')
        && inner.ends_with(|c: char| c.is_ascii_digit() || c == ')')
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

    #[test]
    fn wrong_statements_are_found_and_right_ones_left() {
        let wrong = |text: &str| {
            wrong_claims(text)
                .into_iter()
                .map(|(_, value)| value)
                .collect::<Vec<_>>()
        };
        assert_eq!(wrong("So 12 × 12 = 143, which is nice."), ["144"]);
        assert_eq!(wrong("First 2 + 3 = 6. Then 6 * 2 = 12."), ["5"]);
        assert_eq!(wrong("1,000 + 1 = 1,002"), ["1001"]);
        for right in [
            "12 × 12 = 144",
            "10 / 3 = 3.33",
            "x = 5",
            "a + 2 = 5",
            "2 + 3 = 1 + 4",
            "E = mc^2",
            "The year = 2024",
            "let y = 3",
        ] {
            assert!(wrong(right).is_empty(), "{right}: {:?}", wrong(right));
        }
    }
}
