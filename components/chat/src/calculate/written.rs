//! Numbers of a question in digits.

use std::cell::Cell;

use quartet_api::Language;
use quartet_measures::is_dense_char;
use quartet_measures::units;

use super::number;

/// A number in digits.
#[derive(Debug)]
pub(super) struct Written {
    /// Start in the text.
    pub start: usize,
    /// End in the text.
    pub end: usize,
    /// The number in canonical form; none where it is part of a name, such as `B2B`.
    pub value: Option<String>,
    /// True once it bore out something.
    pub used: Cell<bool>,
}

/// A power of ten without its one: "hundred" for "one hundred".
pub(super) fn without_one(spelled: &str) -> Option<&str> {
    let ones = ["ein", "one ", "un ", "uno ", "um ", "одна ", "один ", "एक ", "一"];
    ones.iter().find_map(|one| spelled.strip_prefix(one))
}

/// The numbers of a text in digits.
pub(super) fn written(text: &str, language: Language) -> Vec<Written> {
    let mut numbers = Vec::new();
    let mut at = 0;
    // Numbers of a date that are still to come: "06.1953" is no decimal in "17.06.1953".
    let mut of_date = 0;
    while let Some(offset) = text[at..].find(|c: char| c.is_ascii_digit()) {
        let start = at + offset;
        let digits = |from: usize| {
            let rest = &text[from..];
            from + rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
        };
        let named = text[..start]
            .chars()
            .next_back()
            .is_some_and(|c| c.is_alphabetic() && !is_dense_char(c) && !matches!(c, '\u{600}'..='\u{6ff}'));
        // "2h35" is a time.
        let named = named
            && !text[..start]
                .strip_suffix('h')
                .is_some_and(|hour| hour.ends_with(|c: char| c.is_ascii_digit()));
        if is_date(&text[start..]) {
            of_date = 3;
        }
        let (end, value) = if of_date > 0 {
            of_date -= 1;
            let end = digits(start);
            (end, Some(text[start..end].to_owned()))
        } else {
            match grouped(&text[start..])
                .or_else(|| number::read(&text[start..], language))
                .or_else(|| plain_decimal(&text[start..]))
            {
                Some((length, value)) => (start + length, Some(value)),
                None => (digits(start), None),
            }
        };
        // "m2" and "km3" are units.
        let unit =
            named && end == start + 1 && units::every_name().any(|name| text[..end].ends_with(name) && name.len() > 1);
        if !unit {
            numbers.push(Written {
                start,
                end,
                value: value.filter(|_| !named).map(|value| number::canonical(&value)),
                used: Cell::new(false),
            });
        }
        at = end;
    }
    numbers
}

/// A number with groups and decimals, whose two separators say themselves which is which: `1,840.50` and `1.840,50`.
fn grouped(text: &str) -> Option<(usize, String)> {
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))
        .unwrap_or(text.len());
    let number = text[..end].trim_end_matches(['.', ',']);
    let (whole, decimals) = number.rsplit_once(['.', ','])?;
    let decimal = number[whole.len()..].chars().next()?;
    let group = if decimal == '.' { ',' } else { '.' };
    let mut groups = whole.split(group);
    let first = groups.next().filter(|first| (1..=3).contains(&first.len()))?;
    let others: Vec<_> = groups.collect();
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    (!others.is_empty() && others.iter().all(|part| part.len() == 3 && plain(part)) && plain(first) && plain(decimals))
        .then(|| (number.len(), format!("{first}{}.{decimals}", others.concat())))
}

/// A decimal with the other separator than the language's, where it can be nothing else: `12,5` and `12.50`.
fn plain_decimal(text: &str) -> Option<(usize, String)> {
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))
        .unwrap_or(text.len());
    let number = text[..end].trim_end_matches(['.', ',']);
    let (whole, decimals) = number.split_once([',', '.'])?;
    (decimals.len() != 3 && decimals.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| (number.len(), format!("{whole}.{decimals}")))
}

/// Returns true for `1.2.2024` and the like, whose numbers are read one by one.
fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, ['.', '/', '-']);
    let mut digits = |most: usize| {
        parts.next().is_some_and(|part| {
            let length = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
            (1..=most).contains(&length) && (length == part.len() || most == 5)
        })
    };
    // The third ends where other text begins.
    digits(4) && digits(2) && digits(5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str, language: Language) -> Vec<Option<String>> {
        written(text, language).into_iter().map(|number| number.value).collect()
    }

    #[test]
    fn the_numbers_of_a_date_are_no_decimals() {
        let all = |numbers: &[&str]| -> Vec<_> { numbers.iter().map(|number| Some((*number).to_owned())).collect() };
        let dates = "vom 17.06.1953 bis zum 09.11.1989, 3,5 Jahre";
        assert_eq!(
            values(dates, Language::German),
            all(&["17", "6", "1953", "9", "11", "1989", "3.5"])
        );
        assert_eq!(
            values("15/11/2023 18 mesi", Language::Italian),
            all(&["15", "11", "2023", "18"])
        );
        assert_eq!(values("1.234,50 und 2.5", Language::German), all(&["1234.5", "2.5"]));
    }
}
