//! Numbers of cells as they are shown: dates, times, percentages, and numbers without the noise of binary fractions.
//!
//! Formats with more in them (currencies, colours, conditions) give the number alone.

use crate::error::Error;
use crate::xml::{Node, Xml};

/// Days from 1899-12-30, where serial numbers count from, to 1970-01-01.
const DAYS_TO_1970: i64 = 25_569;
/// Days between the two date systems: that of 1900 and that of old Macs.
const DAYS_TO_1904: i64 = 1_462;

/// The form of a number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    #[default]
    General,
    /// In hundredths, with this number of decimals.
    Percent(usize),
    /// A date.
    Date,
    /// A time, or a duration.
    Time,
    /// A date with a time.
    DateTime,
}

/// Forms of the styles of cells, by their places in the list.
#[derive(Debug, Default)]
pub struct Formats {
    forms: Vec<Form>,
    /// True if dates count from 1904.
    from_1904: bool,
}

impl Formats {
    /// Reads the part with the styles.
    pub fn read(text: &str, from_1904: bool) -> Result<Self, Error> {
        let mut own: Vec<(usize, Form)> = Vec::new();
        let mut forms = Vec::new();
        let mut in_cells = false;
        let mut xml = Xml::new(text);
        while let Some(node) = xml.next()? {
            match node {
                Node::Open(tag) => match tag.name() {
                    "numFmt" => {
                        let code = tag.attribute("formatCode").unwrap_or_default();
                        own.extend(tag.number("numFmtId").map(|id| (id, form(&code))));
                    }
                    "cellXfs" => in_cells = true,
                    "xf" if in_cells => {
                        let id = tag.number("numFmtId").unwrap_or(0);
                        let known = own.iter().rev().find(|(own, _)| *own == id).map(|(_, form)| *form);
                        forms.push(known.unwrap_or_else(|| built_in(id)));
                    }
                    _ => {}
                },
                Node::Close(end) if end.name() == "cellXfs" => in_cells = false,
                _ => {}
            }
        }
        Ok(Self { forms, from_1904 })
    }

    /// The number of a cell with a style, as text.
    pub fn show(&self, number: &str, style: usize) -> String {
        let form = self.forms.get(style).copied().unwrap_or_default();
        let Ok(value) = number.trim().parse::<f64>() else {
            return number.to_owned();
        };
        match form {
            Form::General => plain(value),
            Form::Percent(decimals) => format!("{:.decimals$}%", value * 100.0),
            Form::Date | Form::Time | Form::DateTime => self.moment(value, form).unwrap_or_else(|| plain(value)),
        }
    }

    /// A serial number as a date and time in ISO 8601; none before 1900 and after 9999.
    fn moment(&self, value: f64, form: Form) -> Option<String> {
        if !(0.0..2_958_466.0).contains(&value) {
            return None;
        }
        #[allow(clippy::cast_possible_truncation, reason = "the value is below three million")]
        let seconds = (value * 86_400.0).round() as i64;
        let (mut days, rest) = (seconds / 86_400, seconds % 86_400);
        let time = format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
        if form == Form::Time {
            // A duration may have more than a day.
            return Some(match days {
                0 => time,
                days => format!("{}{}", days * 24 + rest / 3600, &time[2..]),
            });
        }
        if self.from_1904 {
            days += DAYS_TO_1904;
        } else if days < 60 {
            // The system of 1900 has a 29th of February that there was not.
            days += 1;
        }
        let date = date(days - DAYS_TO_1970);
        // A cell with a date alone has no time, whatever its format shows.
        Some(match (form, rest) {
            (Form::Date, _) | (_, 0) => date,
            _ => format!("{date} {time}"),
        })
    }
}

/// The form that a format's code tells: its letters outside of quotes and brackets.
fn form(code: &str) -> Form {
    let section = code.split(';').next().unwrap_or_default();
    let mut letters = String::new();
    let mut chars = section.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => while chars.next().is_some_and(|c| c != '"') {},
            '\\' | '_' | '*' => {
                chars.next();
            }
            '[' => {
                let inside: String = chars.by_ref().take_while(|c| *c != ']').collect();
                // Hours that go on after 24, not a colour or a currency.
                if inside.chars().all(|c| matches!(c, 'h' | 'H' | 'm' | 's')) {
                    letters.push('h');
                }
            }
            c => letters.push(c.to_ascii_lowercase()),
        }
    }
    if letters.contains("general") {
        return Form::General;
    }
    let (date, time) = (letters.contains(['y', 'd']), letters.contains(['h', 's']));
    match (date, time) {
        (true, true) => Form::DateTime,
        (true, false) => Form::Date,
        (false, true) => Form::Time,
        (false, false) if letters.contains("mmm") => Form::Date,
        (false, false) if letters.contains('%') => {
            let decimals = letters.split_once('.').map_or("", |(_, decimals)| decimals);
            Form::Percent(decimals.chars().take_while(|c| matches!(c, '0' | '#')).count().min(10))
        }
        (false, false) => Form::General,
    }
}

/// The forms of the formats that no file lists.
fn built_in(id: usize) -> Form {
    match id {
        9 => Form::Percent(0),
        10 => Form::Percent(2),
        14..=17 | 27..=31 | 36 | 50..=54 | 57 | 58 => Form::Date,
        18..=21 | 32..=35 | 45..=47 | 55 | 56 => Form::Time,
        22 => Form::DateTime,
        _ => Form::General,
    }
}

/// A number with the 15 digits that are shown.
fn plain(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs().log10().floor();
    if !(-7.0..15.0).contains(&magnitude) {
        let rounded: f64 = format!("{value:.14e}").parse().unwrap_or(value);
        return format!("{rounded:e}").replace('e', "E");
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is between 0 and 21"
    )]
    let decimals = (14.0 - magnitude).max(0.0) as usize;
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// The date of a day since 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
fn date(days: i64) -> String {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_people_write_them() {
        let formats = Formats::read(
            "<styleSheet><numFmts><numFmt numFmtId='164' formatCode='[$-409]d/m/yyyy h:mm'/><numFmt numFmtId='165' \
             formatCode='\"day\" 0.0%'/><numFmt numFmtId='166' formatCode='[h]:mm:ss'/></numFmts><cellXfs><xf numFmtId='0'/>\
             <xf numFmtId='14'/><xf numFmtId='164'/><xf numFmtId='165'/><xf numFmtId='166'/></cellXfs></styleSheet>",
            false,
        )
        .unwrap();
        for (number, style, text) in [
            ("0.1", 0, "0.1"),
            ("0.30000000000000004", 0, "0.3"),
            ("1742", 0, "1742"),
            ("-12.50", 0, "-12.5"),
            ("1E+20", 0, "1E20"),
            ("45351", 1, "2024-02-29"),
            ("1", 1, "1900-01-01"),
            ("61", 1, "1900-03-01"),
            ("45351.75", 2, "2024-02-29 18:00:00"),
            ("0.125", 3, "12.5%"),
            ("1.5", 4, "36:00:00"),
            ("-3", 1, "-3"),
            ("text", 1, "text"),
        ] {
            assert_eq!(formats.show(number, style), text, "{number}");
        }
        let old = Formats {
            from_1904: true,
            ..formats
        };
        assert_eq!(old.show("0", 1), "1904-01-01");
    }
}
