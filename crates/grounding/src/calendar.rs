//! Days of the week, months and dates of a text. A model that writes another day keeps every other word, and one that writes a
//! date in other words or digits says the same.

use std::collections::HashSet;

use quartet_api::Language;
use quartet_text_normalization::chinese_numerals;

use crate::lexicon::lexicon;
use crate::numerals::whole;
use crate::words::Words;

/// The days of the week that a text names, 0 for Monday.
pub(crate) fn weekdays(text: &str, language: Language) -> HashSet<usize> {
    let lexicon = lexicon(language);
    let words = Words::of(text, language).without(lexicon.get("no_weekdays"));
    let days = lexicon.get("weekdays").split('|').enumerate();
    days.filter(|(_, forms)| words.have_any(forms))
        .map(|(day, _)| day)
        .collect()
}

/// Returns true if two texts name the same days of the week and the same months, each in its language. Dates in digits have months, too.
#[must_use]
pub fn have_same_days(one: (&str, Language), other: (&str, Language)) -> bool {
    let of = |(text, language): (&str, Language)| {
        let months = Dates::of(text, language).all_months(text, language);
        (weekdays(text, language), months)
    };
    of(one) == of(other)
}

/// A date in digits: "20.3.2025", "2025-03-20", "3/20/2025".
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NumericDate {
    /// It as it is written.
    pub written: String,
    /// The days and months that it can mean: two where nobody can say which comes first.
    pub readings: Vec<(usize, usize)>,
    /// The year, with its century where it has one.
    pub year: usize,
}

/// The months and dates of a text.
#[derive(Debug, Default)]
pub(crate) struct Dates {
    /// The months that it names, from 1 for January on; not those of dates in digits.
    pub months: HashSet<usize>,
    /// Its dates in digits.
    pub numeric: Vec<NumericDate>,
    /// The text without its dates in digits, and without the numbers that are months: "3月".
    pub rest: String,
}

impl Dates {
    /// Reads a text.
    pub fn of(text: &str, language: Language) -> Self {
        let lexicon = lexicon(language);
        let words = Words::of(text, language);
        let rows = |key: &str| {
            let rows = lexicon.get(key).split('|').enumerate();
            let named: Vec<usize> = rows
                .filter(|(_, forms)| words.have_any(forms))
                .map(|(row, _)| row + 1)
                .collect();
            named
        };
        let mut months: HashSet<usize> = rows("months")
            .into_iter()
            .chain(rows("months_beside_numbers"))
            .collect();
        let mut numeric = Vec::new();
        let mut rest = String::new();
        let mut at = 0;
        while let Some(from) = text[at..].find(char::is_numeric) {
            let start = at + from;
            let end = text[start..]
                .find(|c: char| !(c.is_numeric() || SEPARATORS.contains(&c)))
                .map_or(text.len(), |length| start + length);
            let run = text[start..end].trim_end_matches(SEPARATORS);
            rest.push_str(&text[at..start]);
            if let Some(date) = numeric_date(run, language) {
                rest.push(' ');
                numeric.push(date);
            } else if let Some(month) = month_sign(run, &text[start + run.len()..]) {
                rest.push(' ');
                months.insert(month);
            } else {
                rest.push_str(run);
            }
            at = start + run.len();
        }
        rest.push_str(&text[at..]);
        for (value, (_, end)) in chinese_numerals(text) {
            months.extend(month_sign(&value.to_string(), &text[end..]));
        }
        Self { months, numeric, rest }
    }

    /// The months that the text names, those of its dates in digits with them.
    pub fn all_months(&self, text: &str, language: Language) -> HashSet<usize> {
        let written = self.numeric.iter().flat_map(|date| date.readings.iter().copied());
        let dates = written.chain(Self::short(text, language));
        self.months
            .iter()
            .copied()
            .chain(dates.map(|(_, month)| month))
            .collect()
    }

    /// The days and months without a year that a text may have: "20.3." in languages that write dates so.
    pub fn short(text: &str, language: Language) -> Vec<(usize, usize)> {
        if language == Language::English {
            return Vec::new();
        }
        text.split(|c: char| !(c.is_ascii_digit() || c == '.'))
            .filter_map(|run| {
                let (day, month) = run.strip_suffix('.')?.split_once('.')?;
                let (day, month) = (day.parse().ok()?, month.parse().ok()?);
                is_date(day, month).then_some((day, month))
            })
            .collect()
    }
}

/// What stands between the numbers of a date.
const SEPARATORS: [char; 3] = ['.', '/', '-'];

/// The month that a number is which has the sign for months behind it.
fn month_sign(number: &str, after: &str) -> Option<usize> {
    let month = whole(number)?.parse().ok()?;
    ((1..=12).contains(&month) && after.starts_with(['月', '월'])).then_some(month)
}

/// Reads a date in digits.
fn numeric_date(run: &str, language: Language) -> Option<NumericDate> {
    let parts: Vec<&str> = run.split(SEPARATORS).collect();
    let [first, second, third] = parts.as_slice() else {
        return None;
    };
    let number = |part: &str| part.parse::<usize>().ok();
    let (one, two, three) = (number(first)?, number(second)?, number(third)?);
    let (year, mut readings) = match (first.len(), second.len(), third.len()) {
        (4, 1..=2, 1..=2) => (one, vec![(three, two)]),
        (1..=2, 1..=2, 2 | 4) => {
            // Of the twelve, English alone may have the month first, and only before a stroke.
            let swapped = language == Language::English && run.contains('/') && one != two;
            let swapped = swapped.then_some((two, one));
            (three, [Some((one, two)), swapped].into_iter().flatten().collect())
        }
        _ => return None,
    };
    readings.retain(|(day, month)| is_date(*day, *month));
    (!readings.is_empty()).then(|| NumericDate {
        written: run.to_owned(),
        readings,
        year,
    })
}

fn is_date(day: usize, month: usize) -> bool {
    (1..=31).contains(&day) && (1..=12).contains(&month)
}

#[cfg(test)]
mod tests {
    use Language::{
        Arabic, Chinese, English, French, German, Hindi, Italian, Japanese, Korean, Portuguese, Russian, Spanish,
    };

    use super::*;

    #[test]
    fn days_and_months_are_compared_across_languages() {
        use Language::{English, French, Italian};
        let thursday = ("Pack by Thursday 11 December.", English);
        assert!(have_same_days(
            thursday,
            ("Emballez avant le jeudi 11 décembre.", French)
        ));
        assert!(!have_same_days(
            thursday,
            ("Emballez avant le mercredi 11 décembre.", French)
        ));
        assert!(!have_same_days(
            thursday,
            ("Imballa entro giovedì 11 novembre.", Italian)
        ));
        assert!(!have_same_days(thursday, ("Imballa entro l'11 dicembre.", Italian)));
    }

    #[test]
    fn every_language_has_seven_weekdays() {
        for language in Language::ALL {
            let days: Vec<&str> = lexicon(language).get("weekdays").split('|').collect();
            assert_eq!(days.len(), 7, "{language:?}");
            for (day, forms) in days.iter().enumerate() {
                for form in forms.split(' ') {
                    assert!(weekdays(&form.replace('_', " "), language).contains(&day), "{form}");
                }
            }
        }
        for (text, language, days) in [
            ("dienstags bis sonntags", German, &[1, 6][..]),
            ("每周一次，周三关门", Chinese, &[2]),
            ("一周三次", Chinese, &[]),
            ("de segunda a sexta", Portuguese, &[0, 4]),
            ("às segundas-feiras", Portuguese, &[0]),
            ("pela segunda vez, de segunda mão, na quinta do avô", Portuguese, &[]),
        ] {
            assert_eq!(weekdays(text, language), days.iter().copied().collect(), "{text}");
        }
    }

    #[test]
    fn months_are_found_by_their_names_in_every_language() {
        for language in Language::ALL {
            let by_signs = matches!(language, Chinese | Japanese | Korean);
            for key in ["months", "months_beside_numbers"] {
                let months = lexicon(language).get(key);
                let rows = months.split('|').count();
                assert!(
                    months.is_empty() && (by_signs || key != "months") || rows == 12,
                    "{language:?} {key}: {rows}"
                );
                for (month, forms) in months.split('|').enumerate() {
                    for form in forms.split_whitespace() {
                        let text = form.replace('_', " ").replace('#', "20");
                        assert_eq!(Dates::of(&text, language).months, HashSet::from([month + 1]), "{text}");
                    }
                }
            }
        }
        for (text, language, months) in [
            ("from 20 March to the 5th of May", English, &[3, 5][..]),
            ("You may enter on 3 Sept.", English, &[9]),
            ("March 20 and May 2025", English, &[3, 5]),
            ("vom 20. März bis 5. Okt.", German, &[3, 10]),
            ("del 5 de mayo, junto al mar", Spanish, &[5]),
            ("le 1er août", French, &[8]),
            ("entro il 3 mag", Italian, &[5]),
            ("с 5 мая по октябрь", Russian, &[5, 10]),
            ("3月20日から十一月五日まで", Japanese, &[3, 11]),
            ("十二月", Chinese, &[12]),
            ("三个月", Chinese, &[]),
            ("12월 3일, 3개월", Korean, &[12]),
            ("٣ مارس", Arabic, &[3]),
            ("५ मार्च", Hindi, &[3]),
        ] {
            assert_eq!(
                Dates::of(text, language).months,
                months.iter().copied().collect(),
                "{text}"
            );
        }
    }

    #[test]
    fn dates_in_digits_are_read_in_the_order_of_their_language() {
        let one = |text, language| {
            let dates = Dates::of(text, language);
            (
                dates.numeric.first().map(|date| (date.readings.clone(), date.year)),
                dates.rest,
            )
        };
        for (text, language, readings, year, rest) in [
            ("bis 20.03.2025.", German, &[(20, 3)][..], 2025, "bis  ."),
            ("on 2025-03-20", English, &[(20, 3)], 2025, "on  "),
            ("on 3/20/2025", English, &[(20, 3)], 2025, "on  "),
            ("on 3/4/25 at 9", English, &[(3, 4), (4, 3)], 25, "on   at 9"),
            ("el 3/4/2025", Spanish, &[(3, 4)], 2025, "el  "),
        ] {
            assert_eq!(
                one(text, language),
                (Some((readings.to_vec(), year)), rest.to_owned()),
                "{text}"
            );
        }
        for text in ["costs 3.10", "version 1.2.3", "10/12", "33.3.2025", "555-1234"] {
            assert_eq!(one(text, English), (None, text.to_owned()));
        }
        assert_eq!(Dates::short("20.3.–5.11., um 10.30 Uhr", German), [(20, 3), (5, 11)]);
    }
}
