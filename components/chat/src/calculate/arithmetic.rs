//! Arithmetic: numbers and operators, and nothing else but words that ask.

use quartet_api::Language;
use quartet_api::chat::Computation;

use super::amounts::Around;
use super::computed::Computed;
use super::engine::{self, EvaluationError, Value};
use super::lexer::Token;
use super::lexicon::Meaning;
use super::{messages, number};

/// Bound for results that are rounded: the digits of larger ones are all that is known of them.
const MAX_ROUNDED: f64 = 1e15;

/// Decimals that such a result has at least: it may be an amount of money.
const DECIMALS: usize = 2;

/// One part of an expression.
#[derive(Debug, Clone, PartialEq)]
enum Part {
    Number(String),
    Operator(char),
    Suffix(&'static str),
    Function(&'static str),
    Open,
    Close,
    Percent,
    Of,
}

/// Computes a question and answers in `language`.
pub(super) fn answer(tokens: &[Token], text: &str, ends_with_equals: bool, language: Language) -> Option<Computed> {
    let parts = parts(tokens)?;
    let operators = parts.iter().filter(|part| !matches!(part, Part::Number(_))).count();
    let numbers = parts.len() - operators;
    if operators == 0 || numbers == 0 || !is_whole(&parts) {
        return None;
    }
    // "9/11", "24-7" and "4x4" are names, unless somebody asks what they come to.
    let plain = parts
        .iter()
        .all(|part| matches!(part, Part::Number(_) | Part::Operator('-' | '/' | '*')));
    if plain && !ends_with_equals && is_unspaced(tokens, text) {
        return None;
    }
    let expression = expression(&parts)?;
    computed(&expression, &shown(&expression, language), &Around::default(), language)
}

/// Computes an expression of the engine, and shows another one for it, with what stands around the result.
pub(super) fn computed(expression: &str, shown: &str, around: &Around, language: Language) -> Option<Computed> {
    match engine::evaluate(expression) {
        Ok(value) => {
            let (written, rounded) = around.decimals(&shown_value(&value));
            let written = number::write(&written, language);
            let approximate = value.approximate || rounded;
            // "-$5"
            let (minus, number) = match written.strip_prefix(['-', '−']) {
                Some(number) if !around.before.is_empty() => ("-", number),
                _ => ("", written.as_str()),
            };
            let result = format!("{minus}{}{number}{}", around.before, around.after);
            let equals = if approximate { '≈' } else { '=' };
            Some(Computed {
                answer: format!("{shown} {equals} {result}"),
                value: value.text,
                computation: Some(Computation {
                    kind: "arithmetic".to_owned(),
                    expression: shown.to_owned(),
                    result,
                    approximate,
                }),
            })
        }
        Err(EvaluationError::Invalid) => None,
        Err(error) => Some(Computed {
            answer: messages::error(shown, error, language),
            value: String::new(),
            computation: None,
        }),
    }
}

/// The number of a value for a person: as it is, or with the digits of a conversion where it has no end.
fn shown_value(value: &Value) -> String {
    let number = value.text.parse::<f64>().ok();
    let endless = number.filter(|number| value.approximate && number.abs() < MAX_ROUNDED);
    endless.map_or_else(|| value.text.clone(), |number| number::rounded(number, DECIMALS))
}

/// Returns true if an operator of a text stands between two digits without spaces, or is an `x`.
fn is_unspaced(tokens: &[Token], text: &str) -> bool {
    tokens.iter().any(|token| match token {
        Token::Phrase(_, start, end) => match &text[*start..*end] {
            "x" => true,
            "/" | "-" => {
                text[..*start].ends_with(|c: char| c.is_ascii_digit())
                    && text[*end..].starts_with(|c: char| c.is_ascii_digit())
            }
            _ => false,
        },
        _ => false,
    })
}

/// The parts between the words that ask.
fn parts(tokens: &[Token]) -> Option<Vec<Part>> {
    let part = |token: &Token| match token {
        Token::Number(number) => Some(Part::Number(number.clone())),
        Token::Date(_) => None,
        Token::Phrase(..) => token.meaning(|meaning| {
            Some(match meaning {
                Meaning::Numeral(value) => Part::Number(value.to_string()),
                Meaning::Operator(operator) => Part::Operator(operator),
                Meaning::Suffix(suffix) => Part::Suffix(suffix),
                Meaning::Function(function) => Part::Function(function),
                Meaning::Open => Part::Open,
                Meaning::Close => Part::Close,
                Meaning::Percent => Part::Percent,
                Meaning::Of => Part::Of,
                _ => return None,
            })
        }),
    };
    // A small word such as "de" or "a" is part of the expression between numbers only.
    let strong = |token: &Token| part(token).is_some_and(|part| !matches!(part, Part::Of));
    let first = tokens.iter().position(strong)?;
    let last = tokens.iter().rposition(strong)?;
    let outside = tokens[..first].iter().chain(&tokens[last + 1..]);
    if !outside
        .clone()
        .all(|token| token.is(Meaning::Glue) || token.is(Meaning::Of))
    {
        return None;
    }
    tokens[first..=last].iter().map(part).collect()
}

/// Returns true if operands and operators alternate as they must.
fn is_whole(parts: &[Part]) -> bool {
    let mut operand = false;
    let mut depth = 0_i32;
    for part in parts {
        match part {
            Part::Number(_) if operand => return false,
            Part::Number(_) => operand = true,
            Part::Operator('-') if !operand => {}
            Part::Operator(_) | Part::Of if !operand => return false,
            Part::Operator(_) | Part::Of => operand = false,
            Part::Suffix(_) | Part::Percent if !operand => return false,
            Part::Suffix(_) | Part::Percent => {}
            Part::Function(_) | Part::Open if operand => return false,
            Part::Function(_) => {}
            Part::Open => depth += 1,
            Part::Close if !operand || depth == 0 => return false,
            Part::Close => depth -= 1,
        }
    }
    operand && depth == 0
}

/// The expression for the engine; nothing where it could be meant in two ways.
fn expression(parts: &[Part]) -> Option<String> {
    let mut text = String::new();
    for (index, part) in parts.iter().enumerate() {
        match part {
            Part::Number(number) => text.push_str(number),
            Part::Operator(operator @ ('^' | '/' | '*' | '+' | '-')) => {
                let sign = index == 0 || matches!(parts[index - 1], Part::Open | Part::Operator(_) | Part::Function(_));
                if sign || *operator == '^' {
                    text.push(*operator);
                } else {
                    text.push_str(&format!(" {operator} "));
                }
            }
            Part::Suffix(suffix) => text.push_str(suffix),
            // The text up to the next operator belongs to it, as it is spoken.
            Part::Function(function) => match (parts.get(index + 1)?, parts.get(index + 2)) {
                (Part::Open, _) => text.push_str(function),
                (Part::Number(_), None | Some(Part::Operator(_) | Part::Close)) => {
                    text.push_str(function);
                    text.push(' ');
                }
                _ => return None,
            },
            Part::Open => text.push('('),
            Part::Close => text.push(')'),
            // "100 + 10 %" is said of two things.
            Part::Percent if matches!(parts.get(index + 1), Some(Part::Of)) => text.push('%'),
            Part::Of if index > 0 && parts[index - 1] == Part::Percent => text.push_str(" of "),
            Part::Operator(_) | Part::Percent | Part::Of => return None,
        }
    }
    Some(text)
}

/// The expression for a person.
fn shown(expression: &str, language: Language) -> String {
    let text = expression
        .replace(" * ", " × ")
        .replace(" / ", " ÷ ")
        .replace("% of ", " % × ")
        .replace("sqrt ", "√")
        .replace("sqrt(", "√(")
        .replace("cbrt ", "∛")
        .replace("cbrt(", "∛(");
    number::write(&text, language)
}
