//! Amounts of money in text, in hundredths, so that sums are exact.

/// Number in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amount {
    /// Value in hundredths.
    pub hundredths: i64,
    /// Currency sign beside it, if any.
    pub sign: Option<char>,
    /// True if it has two decimals, as prices have.
    pub is_price: bool,
}

/// Currency signs.
const CURRENCY_SIGNS: [char; 6] = ['$', '€', '£', '¥', '￥', '₹'];

/// Finds the amounts of a text, from its start. Percentages, dates and times are none.
pub fn amounts(text: &str) -> Vec<Amount> {
    let characters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        if !characters[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        let inside = |index: usize| {
            let c = characters[index];
            let between = matches!(c, '.' | ',') && characters.get(index + 1).is_some_and(char::is_ascii_digit);
            c.is_ascii_digit() || between
        };
        while at < characters.len() && inside(at) {
            at += 1;
        }
        let before = characters[..start].iter().rev().find(|c| **c != ' ').copied();
        let after = characters[at..].iter().find(|c| **c != ' ').copied();
        let touching = [
            start.checked_sub(1).map(|index| characters[index]),
            characters.get(at).copied(),
        ];
        // Part of a word (x2, A4), of a date or a time, or a percentage.
        let other = touching
            .into_iter()
            .flatten()
            .any(|c| c.is_alphabetic() || matches!(c, ':' | '/' | '#' | '×'));
        if other || after == Some('%') {
            continue;
        }
        let digits: String = characters[start..at].iter().collect();
        let sign = [before, after]
            .into_iter()
            .flatten()
            .find(|c| CURRENCY_SIGNS.contains(c));
        let negative = before == Some('-') && start > 0 && characters[start - 1] == '-';
        if let Some((value, is_price)) = value(&digits) {
            let hundredths = if negative { -value } else { value };
            found.push(Amount {
                hundredths,
                sign,
                is_price,
            });
        }
    }
    found
}

/// Value of digits with separators, in hundredths; the second value is true if it has two decimals.
fn value(digits: &str) -> Option<(i64, bool)> {
    // The last separator is a decimal one where two digits or one follow it; others group thousands.
    let (whole, decimals) = match digits.rfind(['.', ',']) {
        Some(at) if digits.len() - at <= 3 => (&digits[..at], &digits[at + 1..]),
        _ => (digits, ""),
    };
    let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
    let whole: i64 = whole.parse().ok()?;
    let fraction: i64 = format!("{decimals:0<2}").parse().ok()?;
    Some((whole.checked_mul(100)?.checked_add(fraction)?, decimals.len() == 2))
}

/// Formats hundredths with a currency sign.
pub fn written(hundredths: i64, sign: Option<char>) -> String {
    let minus = if hundredths < 0 { "-" } else { "" };
    let (whole, fraction) = (hundredths.abs() / 100, hundredths.abs() % 100);
    let number = format!("{minus}{whole}.{fraction:02}");
    match sign {
        Some('€') => format!("{number} €"),
        Some(sign) => format!("{sign}{number}"),
        None => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_amounts_in_the_ways_they_are_written() {
        let first = |text| amounts(text).first().map(|amount| (amount.hundredths, amount.sign));
        assert_eq!(first("TOTAL 18.43"), Some((1843, None)));
        assert_eq!(first("$1,234.50"), Some((123_450, Some('$'))));
        assert_eq!(first("1.234,50 €"), Some((123_450, Some('€'))));
        assert_eq!(first("¥1200"), Some((120_000, Some('¥'))));
        assert_eq!(first("-5.00"), Some((-500, None)));
        for none in ["VAT 10%", "Cappuccino x2", "12:30", "A4", "no number"] {
            assert_eq!(first(none), None, "{none}");
        }
        assert_eq!(amounts("VAT 10% 1.68")[0].hundredths, 168);
        assert_eq!(amounts("99999999999999999999.00"), []);
    }

    #[test]
    fn writes_them_back() {
        assert_eq!(written(1843, Some('$')), "$18.43");
        assert_eq!(written(-5, None), "-0.05");
        assert_eq!(written(100, Some('€')), "1.00 €");
    }
}
