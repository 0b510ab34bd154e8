//! Cells: numbers with their signs and units, and dates, as far as a column is of one kind.

use jiff::civil::Date;
use quartet_api::Language;

/// Share of the filled cells of a column that must be numbers, or dates, for it to be of them, in percent.
const MIN_SHARE: usize = 90;
/// Limit for the cells that the kind of a column is told by.
const MAX_LOOKED_AT: usize = 1_000;
/// Limit in characters for a unit behind a number.
const MAX_UNIT_CHARS: usize = 8;
/// Limit in characters for a currency before a number.
const MAX_CURRENCY_CHARS: usize = 3;
/// Signs and words for a cell of which nothing is known.
const NOTHING: [&str; 13] = [
    "-", "–", "—", "--", "?", "n/a", "na", "n.a.", "nan", "null", "none", ".", "..",
];

/// A month without a day, which is read as its first.
const MONTHS: &[&str] = &["%Y-%m-%d"];

/// Orders of a date. Of two that both fit a whole column none is taken.
const DATES: [&[&str]; 6] = [
    MONTHS,
    &["%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d"],
    &["%d.%m.%Y", "%d.%m.%y"],
    &["%d/%m/%Y", "%d-%m-%Y"],
    &["%m/%d/%Y", "%m-%d-%Y"],
    &["%b %d %Y", "%d %b %Y", "%B %d, %Y", "%d %B %Y"],
];

/// Characters of a month in ISO 8601.
const MONTH_CHARS: usize = 7;

/// The kind of a column's cells.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// Texts, and anything that is not of one kind.
    Text,
    /// Numbers.
    Number {
        /// The sign before decimals.
        decimal: char,
        /// The most decimals of a cell.
        decimals: usize,
        /// Text before all numbers.
        before: String,
        /// Text after all numbers.
        after: String,
    },
    /// Dates, written in the order at this place of [`DATES`].
    Date(usize),
}

impl Kind {
    /// The kind of a column with these cells. The language decides what "1.234" is where nothing else does.
    pub fn of<'c>(cells: impl Iterator<Item = &'c str>, language: Language) -> Self {
        let mut filled: Vec<&str> = cells.filter(|cell| !is_nothing(cell)).collect();
        // Of a long column some cells tell.
        let step = filled.len().div_ceil(MAX_LOOKED_AT).max(1);
        filled = filled.into_iter().step_by(step).collect();
        if filled.is_empty() {
            return Self::Text;
        }
        let enough = |count: usize| count * 100 >= filled.len() * MIN_SHARE;
        let fits = |order: usize| filled.iter().filter(|cell| date_in(order, cell).is_some()).count();
        let orders: Vec<usize> = (0..DATES.len()).filter(|order| enough(fits(*order))).collect();
        match orders[..] {
            [order] => return Self::Date(order),
            [] => {}
            _ => return Self::Text,
        }
        let parts: Vec<_> = filled.iter().filter_map(|cell| split(cell)).collect();
        let Some((before, _, after)) = parts.first().filter(|_| enough(parts.len())).copied() else {
            return Self::Text;
        };
        // Kilograms and grams are not of one kind.
        if parts.iter().any(|(other, _, unit)| (*other, *unit) != (before, after)) {
            return Self::Text;
        }
        let digits = || parts.iter().map(|(_, digits, _)| *digits);
        let decimal = decimal_sign(digits(), language);
        let decimals = digits()
            .filter_map(|digits| Some(digits.rsplit_once(decimal)?.1.len()))
            .max()
            .unwrap_or_default();
        Self::Number {
            decimal,
            decimals,
            before: before.to_owned(),
            after: after.to_owned(),
        }
    }

    /// The number in a cell of this kind.
    pub fn number(&self, cell: &str) -> Option<f64> {
        let Self::Number { decimal, .. } = self else {
            return None;
        };
        let (_, digits, _) = split(cell)?;
        let plain: String = digits
            .chars()
            .filter_map(|c| match c {
                c if c == *decimal => Some('.'),
                c if c.is_ascii_digit() => Some(c),
                '-' | '−' => Some('-'),
                _ => None,
            })
            .collect();
        plain.parse().ok()
    }

    /// The date in a cell of this kind, in ISO 8601, which sorts as dates do.
    pub fn date(&self, cell: &str) -> Option<String> {
        match self {
            Self::Date(order) => {
                let date = date_in(*order, cell)?.to_string();
                let is_month = DATES[*order] == MONTHS;
                Some(if is_month { date[..MONTH_CHARS].to_owned() } else { date })
            }
            _ => None,
        }
    }
}

/// Returns true for a cell that says that nothing is known.
pub(crate) fn is_nothing(cell: &str) -> bool {
    // Spreadsheets mark a text with a quote before it.
    let cell = cell.trim().trim_start_matches('\'');
    cell.is_empty() || NOTHING.contains(&cell.to_lowercase().as_str())
}

/// Returns true for a cell that is a number, with its currency or unit.
pub(crate) fn is_number(cell: &str) -> bool {
    split(cell).is_some()
}

fn date_in(order: usize, cell: &str) -> Option<Date> {
    let cell = cell.trim();
    // With a time of day, which is left out.
    let day = match cell.find(['T', ' ']) {
        Some(end) if cell[end + 1..].starts_with(|c: char| c.is_ascii_digit()) && cell.contains(':') => &cell[..end],
        _ => cell,
    };
    if DATES[order] == MONTHS {
        if day.len() != MONTH_CHARS {
            return None;
        }
        let first = format!("{day}-01");
        return MONTHS.iter().find_map(|format| Date::strptime(format, &first).ok());
    }
    DATES[order].iter().find_map(|format| Date::strptime(format, day).ok())
}

/// Text before the digits of a cell, the digits with the signs in them, and the text after them; nothing where a cell is
/// no single number.
fn split(cell: &str) -> Option<(&str, &str, &str)> {
    let cell = cell.trim();
    let first = cell.find(|c: char| c.is_ascii_digit())?;
    let last = cell.rfind(|c: char| c.is_ascii_digit())?;
    let (mut before, mut digits) = (&cell[..first], &cell[first..=last]);
    let is_in_number =
        |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}');
    if !digits.chars().all(is_in_number) || has_gap(digits) {
        return None;
    }
    for sign in ['-', '−'] {
        if let Some(rest) = before.strip_suffix(sign) {
            before = rest;
            digits = &cell[first - sign.len_utf8()..=last];
        } else if before.starts_with(sign) {
            // "-$5": its sign is not next to its digits.
            return None;
        }
    }
    let (before, after) = (before.trim(), cell[last + 1..].trim());
    (is_currency(before) && is_unit(after)).then_some((before, digits, after))
}

/// Returns true if spaces part the digits otherwise than in thousands.
fn has_gap(digits: &str) -> bool {
    let mut groups = digits.split([' ', '\u{a0}', '\u{202f}', '\'', '’']);
    groups.next();
    groups.any(|group| {
        let whole = group.split(['.', ',']).next().unwrap_or_default();
        whole.len() != 3
    })
}

fn is_currency(text: &str) -> bool {
    let is_code = |c: char| {
        c.is_uppercase() || !c.is_alphanumeric() && !matches!(c, '/' | ':' | '.' | ',' | '-' | '(' | '#' | '+')
    };
    text.chars().count() <= MAX_CURRENCY_CHARS && (text.chars().all(is_code) || text == "kr")
}

fn is_unit(text: &str) -> bool {
    let is_sign = |c: char| matches!(c, ':' | '.' | ',' | '-' | '(' | '#' | '+');
    text.chars().count() <= MAX_UNIT_CHARS && !text.contains(is_sign) && !text.starts_with('/')
}

/// The sign before decimals in a column of numbers.
fn decimal_sign<'d>(numbers: impl Iterator<Item = &'d str>, language: Language) -> char {
    let comma_is_usual = matches!(
        language,
        Language::German
            | Language::French
            | Language::Spanish
            | Language::Italian
            | Language::Portuguese
            | Language::Russian
    );
    let usual = if comma_is_usual { ',' } else { '.' };
    for digits in numbers {
        let (dots, commas) = (digits.matches('.').count(), digits.matches(',').count());
        match (digits.rfind('.'), digits.rfind(',')) {
            (Some(dot), Some(comma)) => return if dot > comma { '.' } else { ',' },
            (Some(_), None) if dots > 1 => return ',',
            (None, Some(_)) if commas > 1 => return '.',
            (Some(place), None) if !is_thousands(digits, place) => return '.',
            (None, Some(place)) if !is_thousands(digits, place) => return ',',
            _ => {}
        }
    }
    usual
}

/// Returns true if a sign at some place may part thousands.
fn is_thousands(digits: &str, place: usize) -> bool {
    let whole = digits[..place].trim_start_matches(['-', '−']);
    digits.len() - place == 4 && (1..=3).contains(&whole.len()) && whole != "0"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(cells: &[&str]) -> Kind {
        Kind::of(cells.iter().copied(), Language::English)
    }

    #[test]
    fn numbers_are_read_as_their_column_writes_them() {
        for (cells, numbers) in [
            (&["12", "1,234", "-3.5"][..], &[12.0, 1234.0, -3.5][..]),
            (&["1.234,50 €", "99,00 €"], &[1234.5, 99.0]),
            (&["$5", "$1,000"], &[5.0, 1000.0]),
            (&["12 345", "1 000"], &[12345.0, 1000.0]),
            (&["0.125", "2.250"], &[0.125, 2.25]),
            (&["45 %", "7 %"], &[45.0, 7.0]),
        ] {
            let kind = kind(cells);
            let read: Vec<_> = cells.iter().filter_map(|cell| kind.number(cell)).collect();
            assert_eq!(read, numbers, "{cells:?}: {kind:?}");
        }
        let german = Kind::of(["1.234", "2.500"].into_iter(), Language::German);
        assert_eq!(german.number("1.234"), Some(1234.0));
    }

    #[test]
    fn texts_are_no_numbers() {
        for cells in [
            &["Flour 25kg", "Sugar 10kg"][..],
            &["1 kg", "500 g"],
            &["10:30", "11:00"],
            &["2/3", "1/3"],
            &["+49 30 1234", "+49 40 99"],
            &["3-5", "6-9"],
        ] {
            assert_eq!(kind(cells), Kind::Text, "{cells:?}");
        }
    }

    #[test]
    fn dates_are_read_where_their_order_is_certain() {
        for (cells, first) in [
            (&["2025-03-02", "2024-12-31 10:20"][..], Some("2025-03-02")),
            (&["02.03.2025", "13.04.2025"], Some("2025-03-02")),
            (&["1/15/2020", "2/1/2020"], Some("2020-01-15")),
            (&["15/1/2020", "1/2/2020"], Some("2020-01-15")),
            (&["Jan 1 2000", "Feb 1 2000"], Some("2000-01-01")),
            (&["1/2/2020", "3/4/2020"], None),
            (&["2001-05", "2001-12"], Some("2001-05")),
            (&["Region 2021", "Over80"], None),
        ] {
            let kind = kind(cells);
            assert_eq!(kind.date(cells[0]).as_deref(), first, "{cells:?}: {kind:?}");
        }
    }
}
