//! Statements of arithmetic in a text, such as `12 × 12 = 144`. A statement is wrong only if all of it is understood and it is
//! wrong in every reading; whatever else stands beside it makes it something else, which is left alone.

use std::borrow::Cow;
use std::ops::Range;

use quartet_api::Language;
use quartet_measures::currencies;

use super::engine::{self, Value};
use super::lexicon::{self, Row};
use super::number;
use super::term::{Term, term};

/// Ways to read the separators of numbers: the one of the decimals, and the one of groups.
const READINGS: [(char, char); 2] = [('.', ','), (',', '.')];

/// Finds wrong statements in a text that follows `before`: the range of their result, and the right one as the language
/// writes it.
#[must_use]
pub fn wrong_claims(before: &str, text: &str, language: Language) -> Vec<(Range<usize>, String)> {
    let text = &*without_tex(text);
    let found = text.match_indices('=').filter_map(|(at, _)| {
        let expression = left_side(&text[..at])?;
        let claimed = right_side(&text[at + 1..], expression, &[before, &text[..at]])?;
        let range = at + 1 + claimed.start..at + 1 + claimed.end;
        let value = right_value(expression, &text[range.clone()], language)?;
        Some((range, value))
    });
    found.collect()
}

/// Signs of TeX that stand in sums, and what is read instead: as long in bytes, so that places stay the same.
const TEX: [(&str, &str); 10] = [
    (r"\times", "×    "),
    (r"\cdot", "·   "),
    (r"\div", "÷  "),
    (r"\(", "  "),
    (r"\)", "  "),
    (r"\[", "  "),
    (r"\]", "  "),
    (r"\,", "  "),
    (r"\;", "  "),
    (r"\ ", "  "),
];

/// A text in which sums that are written in TeX are plain, each place where it was.
fn without_tex(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let plain = TEX
        .iter()
        .fold(text.to_owned(), |text, (sign, plain)| text.replace(sign, plain));
    plain.into()
}

/// The expression that ends a text, if nothing beside it belongs to it.
fn left_side(text: &str) -> Option<&str> {
    if text.ends_with(['<', '>', '!', ':', '=', '~']) {
        return None;
    }
    let text = text.trim_end_matches([' ', '\u{a0}']);
    let line = &text[text.rfind('\n').map_or(0, |at| at + 1)..];
    let begin = line
        .char_indices()
        .rev()
        .take_while(|(at, c)| is_arithmetic(*c) || is_cross(line, *at))
        .last()
        .map_or(line.len(), |(start, _)| start);
    let lead = line[..begin].trim_end();
    let mut expression = line[begin..].trim_start();
    if lead.is_empty() {
        expression = without_bullet(expression);
    } else {
        // The end of a sentence, such as ". ", is no part of what follows.
        let bare = expression.trim_start_matches(['.', ',']);
        let ended = bare.len() < expression.len() && bare.starts_with(' ');
        if ended {
            expression = bare.trim_start();
        }
        let introduced = lead
            .strip_suffix([':', ';', '!', '?', '—', '。', '：', '，'])
            .is_some_and(|lead| lead.ends_with(char::is_alphabetic));
        let word = lead.rsplit(' ').next().unwrap_or_default().to_lowercase();
        let led = line[begin..].starts_with(' ') && lexicon::rows_of(Row::Leads).any(|known| known == word);
        if !(ended && lead.ends_with(char::is_alphabetic) || introduced || led) {
            return None;
        }
    }
    let negative = expression.starts_with('-') && expression[1..].starts_with(|c: char| c.is_ascii_digit());
    (negative || expression.starts_with(|c: char| c.is_ascii_digit() || c == '(')).then_some(expression)
}

/// The range of the number that a text begins with, if nothing behind it changes what is claimed.
fn right_side(text: &str, expression: &str, before: &[&str]) -> Option<Range<usize>> {
    let start = text.len() - text.trim_start_matches([' ', '\u{a0}']).len();
    let claim = &text[start..];
    let length = claim
        .char_indices()
        .find(|(index, c)| {
            !(c.is_ascii_digit()
                || *c == '-' && *index == 0
                || matches!(c, '.' | ',') && claim[index + 1..].starts_with(|c: char| c.is_ascii_digit()))
        })
        .map_or(claim.len(), |(index, _)| index);
    let (number, rest) = claim.split_at(length);
    if !number.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(['\n', ' ', '*', '"', '”', '»']);
    let bare = rest.trim_start_matches('*');
    // French has a space before some marks, and so has TeX.
    let marked = bare.trim_start_matches(' ');
    let behind = marked.trim_start_matches(['.', ',', ';', '!', '?', '。', '，', '、']);
    let marks = behind.len() < marked.len() && ends(behind);
    let closed = marks || bare.len() < rest.len() && ends(bare) || marked.is_empty();
    let next_line = rest.starts_with('\n');
    // "3 + 5 = 8 apples": a word that was said before is a thing that is counted, others may be "million" or "remainder".
    let counted = || {
        let word: String = rest
            .strip_prefix(' ')?
            .trim_start_matches(' ')
            .chars()
            .take_while(|c| c.is_alphabetic())
            .collect();
        let multiplies = lexicon::rows_of(Row::Magnitudes).any(|known| known == word);
        let known = !multiplies && word.chars().count() >= 3 && before.iter().any(|text| text.contains(&word));
        (known && !expression.contains(['/', '÷'])).then_some(())
    };
    // What is a percentage of a price is a price. Of cents, a sum may be said in the larger coin.
    let money = || expression.contains('%') && begins_with_currency(rest);
    (closed || next_line || counted().is_some() || money()).then_some(start..start + length)
}

/// Returns true if a text begins with the sign or a name of a currency.
fn begins_with_currency(text: &str) -> bool {
    let text = text.trim_start_matches([' ', '\u{a0}']).to_lowercase();
    let mut names = Language::ALL.into_iter().flat_map(currencies::names);
    names.any(|(name, _)| {
        let after = text.strip_prefix(name);
        after.is_some_and(|after| !after.starts_with(char::is_alphabetic))
    })
}

/// The right value of an expression where what is claimed is wrong.
fn right_value(expression: &str, claimed: &str, language: Language) -> Option<String> {
    let own = if number::decimal_comma(language) { 1 } else { 0 };
    let mut right = None;
    for index in [1 - own, own] {
        let (decimal, group) = READINGS[index];
        let (Some(plain), Some(said)) = (read(expression, decimal, group), read(claimed, decimal, group)) else {
            continue;
        };
        let plain = plain
            .replace(['×', '·'], "*")
            .replace('÷', "/")
            .replace('−', "-")
            .replace('x', "*");
        // A number by itself claims nothing.
        let term = term(&plain)?;
        let value = engine::evaluate(&term.for_engine()).ok()?;
        if is_right(&value, &said, plain.contains('/'))? {
            return None;
        }
        if plain.contains('%') {
            // "100 + 10% = 100.1" is right, too, as an engine may read it.
            let literal = engine::evaluate(&plain.replace('%', "/100")).ok()?;
            if !is_of_hundredths(&term) || is_right(&literal, &said, false)? {
                return None;
            }
        }
        right = Some(number::write(&value.text, language));
    }
    right
}

/// Returns true for hundredths of a number, and a number with hundredths more or less: of anything else with them, several things may
/// be meant.
fn is_of_hundredths(term: &Term) -> bool {
    let is_share = |term: &Term| matches!(term, Term::Percent(number) if number.as_number().is_some());
    match term {
        Term::Binary('+' | '-' | '*', number, share) if number.as_number().is_some() => is_share(share),
        Term::Binary('*', share, number) => is_share(share) && number.as_number().is_some(),
        _ => false,
    }
}

/// Returns true if a value is what was said, with as many decimals; of a quotient, also if the decimals are cut off.
fn is_right(value: &Value, said: &str, quotient: bool) -> Option<bool> {
    let is: f64 = value.text.parse().ok()?;
    let number: f64 = said.parse().ok()?;
    let decimals = said.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
    let step = 10_f64.powi(-decimals);
    let whole = !value.approximate && !value.text.contains('.');
    let rounded = (is - number).abs() <= 0.5 * step + f64::EPSILON * is.abs();
    let cut = quotient && is.abs() >= number.abs() && (is - number).abs() < step;
    Some(if whole { is == number } else { rounded || cut })
}

/// A text whose numbers have a point for their decimals and no groups; nothing where they cannot be read like that.
pub(super) fn read(text: &str, decimal: char, group: char) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        plain.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))
            .unwrap_or(rest.len());
        let number = rest[..end].trim_end_matches(['.', ',']);
        let (whole, decimals) = match number.split_once(decimal) {
            Some((whole, decimals)) => (whole, Some(decimals)),
            None => (number, None),
        };
        if decimals.is_some_and(|decimals| !decimals.bytes().all(|byte| byte.is_ascii_digit())) {
            return None;
        }
        let groups: Vec<_> = whole.split(group).collect();
        let (first, others) = groups.split_first()?;
        let grouped = others.last().is_none_or(|last| last.len() == 3)
            && others.iter().all(|group| matches!(group.len(), 2 | 3))
            && (others.is_empty() || (1..=3).contains(&first.len()));
        if !grouped {
            return None;
        }
        plain.push_str(&groups.concat());
        if let Some(decimals) = decimals {
            plain.push('.');
            plain.push_str(decimals);
        }
        rest = &rest[number.len()..];
    }
    plain.push_str(rest);
    // What is left of separators belongs to no number.
    (!plain.contains(',')).then_some(plain)
}

/// A line without the mark or number of a list.
fn without_bullet(line: &str) -> &str {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let marked = if number.len() < line.len() { number } else { line };
    let mark = if number.len() < line.len() {
        &['.', ')'][..]
    } else {
        &['-', '*'][..]
    };
    match marked.strip_prefix(mark) {
        Some(rest) if rest.starts_with(' ') => rest.trim_start(),
        _ => line,
    }
}

fn is_arithmetic(c: char) -> bool {
    c.is_ascii_digit()
        || matches!(
            c,
            ' ' | '.' | ',' | '+' | '-' | '−' | '*' | '/' | '×' | '÷' | '·' | '^' | '(' | ')' | '%'
        )
}

/// Returns true for an `x` between numbers.
fn is_cross(text: &str, at: usize) -> bool {
    text[at..].starts_with("x ")
        && text[..at].ends_with(' ')
        && text[..at].trim_end().ends_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str, language: Language) -> Vec<String> {
        let found = wrong_claims("", text, language).into_iter();
        found.map(|(_, value)| value).collect()
    }

    #[test]
    fn wrong_statements_are_found() {
        for (text, language, values) in [
            ("So 12 × 12 = 143, which is nice.", Language::English, &["144"][..]),
            ("First: 2 + 3 = 6. Then 6 * 2 = 12.", Language::English, &["5"]),
            ("1,000 + 1 = 1,002", Language::English, &["1001"]),
            (
                "1. 3 + 5 = 9\n2. 3 + 6 = 9\n- 4 * 4 = 15",
                Language::English,
                &["8", "16"],
            ),
            ("Also 12,50 × 4 = 60.", Language::German, &["50"]),
            ("You have 3 apples. So 3 + 5 = 9 apples.", Language::English, &["8"]),
            ("(2 + 3) * 4 = 24", Language::English, &["20"]),
            ("12,5 + 1 = 15", Language::French, &["13,5"]),
            ("10 / 4 = 3.5", Language::English, &["2.5"]),
            ("There are 366 * 24 * 60 = 525600.", Language::English, &["527040"]),
            (
                r"There are \( 366 \times 24 \times 60 = 525600 \).",
                Language::English,
                &["527040"],
            ),
            (r"\[ 17 \cdot 3 = 52 \]", Language::German, &["51"]),
            ("95,40 - 10 % = 85,84", Language::French, &["85,86"]),
            ("75 - 35% = 45", Language::English, &["48.75"]),
            ("95,40 - 10 % = 85,84 euros", Language::French, &["85,86"]),
            ("18% * 250 = 40 €", Language::German, &["45"]),
            ("13 % × 65000 = 8540", Language::Russian, &["8450"]),
        ] {
            assert_eq!(wrong(text, language), values, "{text}");
        }
    }

    #[test]
    fn signs_of_tex_keep_their_places() {
        for (sign, plain) in TEX {
            assert_eq!(sign.len(), plain.len(), "{sign}");
        }
        let text = r"There are \(366 \times 24 = 8000\) hours.";
        let found = wrong_claims("How many hours?", text, Language::English);
        let [(place, value)] = &found[..] else {
            panic!("{found:?}")
        };
        assert_eq!((&text[place.clone()], &**value), ("8000", "8784"));
    }

    #[test]
    fn a_word_for_a_power_of_ten_is_nothing_that_is_counted() {
        let found = wrong_claims(
            "How many million is that?",
            "That is 500 * 2000 = 1 million.",
            Language::English,
        );
        assert_eq!(found, []);
    }

    #[test]
    fn statements_that_are_right_or_something_else_are_left_alone() {
        for text in include_str!("claims.txt").lines().filter(|line| !line.starts_with('#')) {
            for language in [Language::English, Language::German, Language::Hindi] {
                assert_eq!(wrong(text, language), [""; 0], "{text}");
            }
        }
    }
}
