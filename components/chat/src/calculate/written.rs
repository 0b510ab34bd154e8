//! Numbers of a question in digits, and how numbers are said in words.

use std::cell::Cell;

use quartet_api::Language;
use quartet_measures::is_dense_char;
use quartet_measures::units;
use quartet_text_normalization::clauses;

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

/// A whole number in the words of a language.
pub(super) fn spelled(value: &str, language: Language) -> Option<String> {
    let number: u64 = value.parse().ok()?;
    // Without its comma, "2025" is read as a year.
    let digits = match language {
        Language::English if (1_000..10_000).contains(&number) => format!("{},{:03}", number / 1_000, number % 1_000),
        _ => number.to_string(),
    };
    let mut words = String::new();
    for clause in clauses(&digits, language) {
        for span in clause.spans {
            words.push_str(&span.text);
        }
    }
    let words = words.trim().to_lowercase();
    (!words.is_empty() && !words.contains(|c: char| c.is_ascii_digit())).then_some(words)
}

/// The numbers of a text in the numerals of Chinese and Japanese, with their places: "百二十五" is 125.
pub(super) fn in_numerals(text: &str) -> impl Iterator<Item = (u64, (usize, usize))> {
    let sign = |c: char| digit(c).is_some() || scale(c).is_some();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(sign)?;
        let length = text[start..].find(|c| !sign(c)).unwrap_or(text.len() - start);
        at = start + length;
        Some((numeral(&text[start..at]), (start, at)))
    })
    .filter_map(|(value, place)| Some((value?, place)))
}

/// The value of a numeral; none where its signs do not make one.
fn numeral(text: &str) -> Option<u64> {
    let (mut whole, mut part, mut number) = (0_u64, 0_u64, None::<u64>);
    for c in text.chars() {
        match (digit(c), scale(c)) {
            // Digits one after the other, as in years.
            (Some(digit), _) => number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(digit)?),
            (_, Some(scale)) if scale < 10_000 => {
                part = part.checked_add(number.take().unwrap_or(1).checked_mul(scale)?)?;
            }
            (_, Some(scale)) => {
                let all = part.checked_add(number.take().unwrap_or(0))?.max(1);
                whole = whole.checked_add(all.checked_mul(scale)?)?;
                part = 0;
            }
            (None, None) => return None,
        }
    }
    whole.checked_add(part)?.checked_add(number.unwrap_or(0))
}

fn digit(c: char) -> Option<u64> {
    let at = "零一二三四五六七八九".chars().position(|sign| sign == c);
    match c {
        '〇' => Some(0),
        '两' | '兩' => Some(2),
        _ => at.map(|digit| digit as u64),
    }
}

fn scale(c: char) -> Option<u64> {
    Some(match c {
        '十' => 10,
        '百' => 100,
        '千' => 1_000,
        '万' | '萬' => 10_000,
        '亿' | '億' => 100_000_000,
        _ => return None,
    })
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

    #[test]
    fn numerals_are_read() {
        for (text, value) in [
            ("百二十五", Some(125)),
            ("四十八", Some(48)),
            ("三万六千", Some(36_000)),
            ("二〇二四", Some(2_024)),
            ("一億二千万", Some(120_000_000)),
            ("两千零五", Some(2_005)),
        ] {
            assert_eq!(numeral(text), value, "{text}");
        }
        let all: Vec<_> = in_numerals("百二十五かける四十八は").map(|(value, _)| value).collect();
        assert_eq!(all, [125, 48]);
    }
}
