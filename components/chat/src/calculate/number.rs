//! Reading and writing of numbers as languages write them.

use quartet_api::Language;

/// Significant digits of a rounded result.
pub(super) const SIGNIFICANT_DIGITS: usize = 7;

/// Numbers that nobody says: of months, days, hours, minutes and hundredths, and of people who are one more or less than before.
pub(super) const UNSAID: [&str; 10] = ["1", "2", "3", "4", "7", "12", "24", "52", "60", "100"];

/// Returns true if a comma separates the decimals.
pub(super) fn decimal_comma(language: Language) -> bool {
    use Language::{French, German, Italian, Portuguese, Russian, Spanish};
    matches!(language, French | German | Italian | Portuguese | Russian | Spanish)
}

/// Reads the number that `text` begins with: its length in bytes, and the number with a point for its decimals. None
/// where the separators in it are ambiguous.
pub(super) fn read(text: &str, language: Language) -> Option<(usize, String)> {
    let digits_end = |from: usize| {
        let rest = &text[from..];
        from + rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
    };
    let mut end = digits_end(0);
    if end == 0 {
        return None;
    }
    // Runs of digits, and the signs between them.
    let mut runs = vec![&text[..end]];
    let mut signs = Vec::new();
    while let Some(sign) = text[end..].chars().next().filter(|sign| is_sign(*sign, language)) {
        let next = end + sign.len_utf8();
        let stop = digits_end(next);
        let spaced = sign.is_whitespace();
        if stop == next || spaced && (stop - next != 3 || runs[0].len() > 3) {
            break;
        }
        runs.push(&text[next..stop]);
        signs.push(sign);
        end = stop;
    }
    let decimal = if decimal_comma(language) { ',' } else { '.' };
    let number = match signs.as_slice() {
        [] => runs[0].to_owned(),
        // "1.234" is a thousand and something where a comma separates decimals, "1.5" is one and a half everywhere.
        [sign] if *sign == decimal || *sign == '.' && !grouped(&runs) => runs.join("."),
        signs => {
            let last = signs[signs.len() - 1];
            let group = signs[0];
            if last == decimal && signs[..signs.len() - 1].iter().all(|sign| *sign != decimal) {
                let whole = &runs[..runs.len() - 1];
                (grouped(whole) || language == Language::Hindi || language == Language::English)
                    .then(|| format!("{}.{}", whole.concat(), runs[runs.len() - 1]))?
            } else if signs.iter().all(|sign| *sign == group) && group != decimal && grouped(&runs) {
                runs.concat()
            } else {
                return None;
            }
        }
    };
    Some((end, number))
}

fn is_sign(sign: char, language: Language) -> bool {
    let spaces = matches!(language, Language::French | Language::Russian);
    matches!(sign, '.' | ',') || spaces && matches!(sign, ' ' | '\u{a0}' | '\u{202f}')
}

/// Returns true for groups of thousands, or of hundreds after the last thousand as in India.
fn grouped(runs: &[&str]) -> bool {
    let Some((last, rest)) = runs.split_last() else {
        return false;
    };
    let Some((first, middle)) = rest.split_first() else {
        return last.len() <= 3;
    };
    let thousands = middle.iter().all(|run| run.len() == 3);
    let indian = middle.iter().all(|run| run.len() == 2) && first.len() <= 2;
    (1..=3).contains(&first.len()) && last.len() == 3 && (thousands || indian)
}

/// A number of the engine as the language writes it.
pub(super) fn write(number: &str, language: Language) -> String {
    if decimal_comma(language) {
        number.replace('.', ",")
    } else {
        number.to_owned()
    }
}

/// A number without zeros that change nothing.
pub(super) fn canonical(number: &str) -> String {
    let number = number.trim_start_matches('0');
    let number = match number.split_once('.') {
        Some((whole, decimals)) if decimals.trim_end_matches('0').is_empty() => whole.to_owned(),
        Some((whole, decimals)) => format!("{whole}.{}", decimals.trim_end_matches('0')),
        None => number.to_owned(),
    };
    if number.is_empty() || number.starts_with('.') {
        format!("0{number}")
    } else {
        number
    }
}

/// A number with [`SIGNIFICANT_DIGITS`] significant digits, and more where it would have less than so many decimals.
pub(super) fn rounded(value: f64, decimals: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs().log10().floor() as i32;
    let decimals =
        usize::try_from(SIGNIFICANT_DIGITS as i32 - 1 - magnitude).map_or(decimals, |most| most.max(decimals));
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_as_the_language_writes_them() {
        let number_of = |text: &str, language| read(text, language).map(|(_, number)| number);
        for (text, language, number) in [
            ("12", Language::English, "12"),
            ("1,234.5 x", Language::English, "1234.5"),
            ("1,00,000", Language::Hindi, "100000"),
            ("1.234,5", Language::German, "1234.5"),
            ("1.234", Language::German, "1234"),
            ("1.5", Language::German, "1.5"),
            ("3,14", Language::French, "3.14"),
            ("1 000 000", Language::Russian, "1000000"),
            ("1,234", Language::English, "1234"),
        ] {
            assert_eq!(number_of(text, language).as_deref(), Some(number), "{text}");
        }
        // One comma and no three digits after it: in English that is neither a group nor a decimal point.
        assert_eq!(number_of("3,14", Language::English), None);
        assert_eq!(number_of("1.2.3", Language::English), None);
        assert_eq!(read("5 km", Language::French).unwrap().0, 1);
    }
}
