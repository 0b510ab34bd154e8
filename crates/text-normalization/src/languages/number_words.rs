//! Number words: the parts that the spellers of the languages have in common.

use super::rules::Agreement;

/// The form of languages that know one and many.
pub(super) fn one_or_many(count: u64) -> usize {
    if count == 1 { 0 } else { 2 }
}

/// Joins the pieces that are not empty with one space.
pub(super) fn join(pieces: &[&str]) -> String {
    let mut text = String::new();
    for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(piece);
    }
    text
}

/// Each digit by its name, separated by spaces.
pub(crate) fn digits(written: &str, cardinal: fn(u64, Agreement) -> String, space: &str) -> String {
    let names: Vec<String> = written
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|d| cardinal(u64::from(d - b'0'), Agreement::Alone))
        .collect();
    names.join(space)
}

/// Integer digits of any length: spelled up to eighteen digits, digit by digit beyond or after a leading zero.
pub(crate) fn pure_number(
    written: &str,
    agreement: Agreement,
    cardinal: fn(u64, Agreement) -> String,
    space: &str,
) -> String {
    match written.parse() {
        Ok(number) if written.len() <= 18 && (written.len() == 1 || !written.starts_with('0')) => {
            cardinal(number, agreement)
        }
        _ => digits(written, cardinal, space),
    }
}

/// Decimals read digit by digit after `point`.
pub(super) fn decimals_by_digit(
    integer: &str,
    decimals: &str,
    point: &str,
    cardinal: fn(u64, Agreement) -> String,
) -> String {
    let whole = pure_number(integer, Agreement::Alone, cardinal, " ");
    join(&[&whole, point, &digits(decimals, cardinal, " ")])
}

/// Decimals read as one number after `point` (leading zeros first), or digit by digit when more than two.
pub(super) fn decimals_as_number(
    integer: &str,
    decimals: &str,
    point: &str,
    cardinal: fn(u64, Agreement) -> String,
) -> String {
    let rest = decimals.trim_start_matches('0');
    if decimals.len() > 2 || rest.is_empty() {
        return decimals_by_digit(integer, decimals, point, cardinal);
    }
    let zeros = &decimals[..decimals.len() - rest.len()];
    let whole = pure_number(integer, Agreement::Alone, cardinal, " ");
    let tail = pure_number(rest, Agreement::Alone, cardinal, " ");
    join(&[&whole, point, &digits(zeros, cardinal, " "), &tail])
}

/// As [`decimals_as_number`], and three decimals as a number too, four as two pairs: "trois virgule quatorze quinze".
pub(super) fn decimals_in_groups(
    integer: &str,
    decimals: &str,
    point: &str,
    cardinal: fn(u64, Agreement) -> String,
) -> String {
    let groups: Vec<&str> = match decimals.len() {
        3 if !decimals.starts_with('0') => vec![decimals],
        4 if !decimals.starts_with('0') && !decimals[2..].starts_with('0') => vec![&decimals[..2], &decimals[2..]],
        _ => return decimals_as_number(integer, decimals, point, cardinal),
    };
    let whole = pure_number(integer, Agreement::Alone, cardinal, " ");
    let groups: Vec<String> = groups
        .iter()
        .map(|group| pure_number(group, Agreement::Alone, cardinal, " "))
        .collect();
    join(&[&whole, point, &groups.join(" ")])
}

/// The number's groups of three digits, most significant first, with the power of a thousand of each; zero groups left out.
pub(super) fn thousands(number: u64) -> impl Iterator<Item = (usize, u64)> {
    (0..7)
        .rev()
        .map(move |power| (power, number / 1000_u64.pow(power as u32) % 1000))
        .filter(|(_, group)| *group > 0)
}
