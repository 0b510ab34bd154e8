//! Written numbers: grouping and decimal signs by language. Nothing here knows how they are said.

use super::Rules;

/// A number as written, signs of grouping removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Numeral {
    /// The digits before the decimal sign.
    pub integer: String,
    /// The digits after it, if there are any.
    pub decimals: Option<String>,
    /// True if its digits were grouped: then it is no year and no identifier.
    pub grouped: bool,
    /// Bytes read.
    pub len: usize,
}

impl Numeral {
    /// The value, if it is whole and small enough to be spelled; a leading zero makes it an identifier.
    pub(super) fn whole(&self) -> Option<u64> {
        let spelled = self.integer.len() == 1 || !self.integer.starts_with('0');
        if self.decimals.is_none() && spelled && self.integer.len() <= 18 {
            self.integer.parse().ok()
        } else {
            None
        }
    }

    /// Returns true if it looks like a year.
    pub(super) fn is_year(&self) -> bool {
        !self.grouped && self.decimals.is_none() && self.len == 4 && !self.integer.starts_with('0')
    }
}

/// The number of ASCII digits that `text` begins with.
pub(super) fn run(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Reads the number that `text` begins with, by the rules of a language. `None` without a digit.
pub(super) fn parse(text: &str, rules: &Rules) -> Option<Numeral> {
    let first = run(text);
    if first == 0 {
        return None;
    }
    let mut numeral = Numeral {
        integer: text[..first].to_owned(),
        decimals: None,
        grouped: false,
        len: first,
    };
    if first <= 3 && !text.starts_with('0') {
        group(text, rules, &mut numeral);
    }
    let rest = &text[numeral.len..];
    let sign = rest.chars().next().filter(|c| matches!(c, '.' | ','));
    let digits = rest.get(1..).map_or(0, run);
    if let Some(sign) = sign.filter(|_| digits > 0) {
        let after = &rest[1 + digits..];
        let more = after.starts_with(['.', ',']) && after[1..].starts_with(|c: char| c.is_ascii_digit());
        // The other sign makes decimals too where it cannot group: "3.5" in French.
        if !more && (sign == rules.decimal || sign == '.' || rules.both_decimals) {
            numeral.decimals = Some(rest[1..1 + digits].to_owned());
            numeral.len += 1 + digits;
        }
    }
    Some(numeral)
}

/// Adds groups of digits after the first.
fn group(text: &str, rules: &Rules, numeral: &mut Numeral) {
    let after_first = &text[numeral.len..];
    let Some(sign) = after_first.chars().next() else { return };
    let groups_alone = match sign {
        ',' | '.' => sign != rules.decimal,
        '\u{a0}' | '\'' => true,
        ' ' => rules.space_groups,
        _ => false,
    };
    // A sign that also marks decimals or separates words groups only when it comes twice: "1,234,567" in German.
    if !groups_alone && !matches!(sign, ',' | '.' | ' ') {
        return;
    }
    let mut sizes = Vec::new();
    let mut end = numeral.len;
    while let Some(next) = text[end..].strip_prefix(sign) {
        let digits = run(next);
        if digits != 3 && digits != 2 {
            break;
        }
        // In the Indian system groups of two come before the last group of three.
        let is_last = !next[digits..].starts_with(sign);
        if digits == 2 && (sign != ',' || is_last) {
            break;
        }
        sizes.push(digits);
        end += sign.len_utf8() + digits;
    }
    let western = sizes.iter().all(|size| *size == 3);
    let indian = sizes.last() == Some(&3) && sizes[..sizes.len().saturating_sub(1)].iter().all(|size| *size == 2);
    let enough = if groups_alone { 1 } else { 2 };
    if sizes.len() >= enough && (western || indian && numeral.len <= 2) {
        numeral.integer = text[..end].chars().filter(char::is_ascii_digit).collect();
        numeral.grouped = true;
        numeral.len = end;
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules_of;
    use super::*;
    use quartet_api::Language::{self, English, French, German, Hindi, Spanish};

    fn check(language: Language, text: &str, integer: &str, decimals: Option<&str>, len: usize) {
        let numeral = parse(text, rules_of(language)).unwrap();
        assert_eq!(
            (numeral.integer.as_str(), numeral.decimals.as_deref(), numeral.len),
            (integer, decimals, len),
            "{text}"
        );
    }

    #[test]
    fn grouping_by_language() {
        check(English, "1,234,567", "1234567", None, 9);
        check(English, "1,234.5", "1234", Some("5"), 7);
        check(German, "1.234.567,8", "1234567", Some("8"), 11);
        check(German, "1,234,567", "1234567", None, 9);
        check(French, "1 234 567", "1234567", None, 9);
        check(French, "12\u{a0}345", "12345", None, 7);
        check(English, "1 234", "1", None, 1);
        check(Hindi, "12,34,567", "1234567", None, 9);
        check(Spanish, "1.5", "1", Some("5"), 3);
        check(German, "1.234", "1234", None, 5);
        check(German, "1,234", "1", Some("234"), 5);
    }

    #[test]
    fn lists_and_versions_are_not_numbers() {
        check(English, "1, 2", "1", None, 1);
        check(English, "1.2.3", "1", None, 1);
        check(English, "12,34", "12", None, 2);
        check(German, "3. Mai", "3", None, 1);
    }
}
