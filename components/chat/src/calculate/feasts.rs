//! Days with names that a rule gives for each year, such as Easter, Thanksgiving and Muttertag: the table `feasts.tsv`, and those that
//! have the same date everywhere, of `words.tsv`. A name that is for another day in another country stands with the countries that keep it.

use quartet_api::Language;

use super::day_rule::{Church, DayRule, LunarCalendar, Year, YearlyRule};
use super::lexicon;
use super::question::{Question, find, places};
use super::ruled_day_words::{ORDINALS, all_weekdays, kind_of, phrases, without, year};

/// Digits of a year.
const YEAR_DIGITS: usize = 4;

/// A day with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Feast {
    /// Its day.
    pub rule: DayRule,
    /// The countries that keep it so, as they are called in the language; empty where all that have it do.
    pub countries: Vec<&'static str>,
}

/// Takes a day with a name, its country and its year out of a text: all that it may be where no country is named that keeps one.
/// None also where the name is not of that time, or of that country.
pub(super) fn take(rest: &mut String, language: Language) -> Option<Vec<Feast>> {
    let own = table().filter(|row| row.language == language.code());
    let all: Vec<Row> = own.chain(everywhere(language)).collect();
    let named = all.iter().flat_map(|row| row.names.split('|'));
    let longest = named
        .filter_map(|name| Some((name, find(rest, name)?)))
        .max_by_key(|(_, (start, end))| end - start)?;
    let (name, place) = longest;
    *rest = without(rest, place);
    let rows = all
        .into_iter()
        .filter(|row| row.names.split('|').any(|own| own == name));
    let mut rows: Vec<Row> = rows.collect();
    let known: Vec<&str> = rows.iter().flat_map(Row::countries).collect();
    let named = take_country(rest, &known, language);
    if let Some(country) = named {
        rows.retain(|row| row.countries().any(|code| code == country));
    }
    let year = year(rest, language)?;
    let is_of_time = |row: &Row| !matches!(year, Year::Given(year) if year < row.since);
    if !rows.iter().all(is_of_time) {
        return None;
    }
    let feast = |row: Row| {
        let labels = row.countries().filter_map(|code| label(code, language));
        Some(Feast {
            rule: DayRule::Yearly(rule(row.rule)?, year),
            countries: labels.filter(|_| named.is_none()).collect(),
        })
    };
    let feasts: Option<Vec<Feast>> = rows.into_iter().map(feast).collect();
    feasts.filter(|feasts| !feasts.is_empty())
}

/// The day with a name that a question names, which may have other numbers than its year.
pub(super) fn named(question: &Question) -> Option<Vec<Feast>> {
    let mut rest = question.text().to_owned();
    let counts: Vec<_> = question
        .places()
        .filter(|(start, end, _)| end - start != YEAR_DIGITS)
        .collect();
    for (start, end, _) in counts.into_iter().rev() {
        rest.replace_range(start..end, " ");
    }
    take(&mut rest, question.language())
}

/// Takes the one of these countries that a text names out of it.
fn take_country<'c>(rest: &mut String, codes: &[&'c str], language: Language) -> Option<&'c str> {
    let named = codes.iter().flat_map(|code| {
        let kind = format!("in-{code}");
        let names: Vec<_> = phrases(&kind, language).skip(1).collect();
        names.into_iter().map(move |name| (*code, name))
    });
    let found = named.filter_map(|(code, name)| Some((code, places(rest, name).next()?)));
    let (code, place) = found.max_by_key(|(_, (start, end))| end - start)?;
    *rest = without(rest, place);
    Some(code)
}

/// A country as it is called in a language.
fn label(code: &str, language: Language) -> Option<&'static str> {
    phrases(&format!("in-{code}"), language).next()
}

/// A row of the table.
struct Row {
    rule: &'static str,
    since: i16,
    countries: &'static str,
    language: &'static str,
    names: &'static str,
}

impl Row {
    fn countries(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.countries.split_whitespace()
    }
}

fn table() -> impl Iterator<Item = Row> {
    let lines = include_str!("feasts.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let mut fields = line.split('\t');
        Some(Row {
            rule: fields.next()?,
            since: fields.next()?.parse().unwrap_or(i16::MIN),
            countries: fields.next()?,
            language: fields.next()?,
            names: fields.next()?,
        })
    })
}

/// The days of a language that have the same date everywhere.
fn everywhere(language: Language) -> impl Iterator<Item = Row> {
    lexicon::days_of(language).map(move |(rule, names)| Row {
        rule,
        since: i16::MIN,
        countries: "",
        language: language.code(),
        names,
    })
}

/// The rule that a row of the table names: `easter 39`, `2 sunday 5`, which is the second Sunday of May, `4 thursday 11 +1`, the day after
/// one, `sunday from 11-27`, `on 5-10`, or `chinese 1 1 -1`, the day before the Chinese new year.
fn rule(rule: &str) -> Option<YearlyRule> {
    let fields: Vec<_> = rule.split(' ').collect();
    let weekday = |name: &str| all_weekdays().find(|one| kind_of(*one) == name);
    let date = |date: &str| {
        let (month, day) = date.split_once('-')?;
        Some((month.parse().ok()?, day.parse().ok()?))
    };
    let easter = |church, days: &str| {
        let days = days.parse().ok()?;
        Some(YearlyRule::Easter { days, church })
    };
    let of_month = |nth: &str, day: &str, month: &str, later| {
        Some(YearlyRule::Weekday {
            nth: ORDINALS.into_iter().find(|(kind, _)| *kind == nth)?.1,
            weekday: weekday(day)?,
            month: month.parse().ok()?,
            later,
        })
    };
    let lunar = |calendar, month: &str, day: &str, later: &str| {
        Some(YearlyRule::Lunar {
            calendar,
            month: month.parse().ok()?,
            day: day.parse().ok()?,
            later: later.parse().ok()?,
        })
    };
    match fields[..] {
        ["chinese", month, day, later] => lunar(LunarCalendar::Chinese, month, day, later),
        ["korean", month, day, later] => lunar(LunarCalendar::Korean, month, day, later),
        ["easter", days] => easter(Church::Western, days),
        ["orthodox-easter", days] => easter(Church::Eastern, days),
        ["on", day] => date(day).map(|(month, day)| YearlyRule::Date { month, day }),
        [day, "from", from] => {
            let (month, from) = date(from)?;
            let weekday = weekday(day)?;
            Some(YearlyRule::From {
                weekday,
                month,
                day: from,
            })
        }
        [nth, day, month] => of_month(nth, day, month, 0),
        [nth, day, month, later] => of_month(nth, day, month, later.parse().ok()?),
        ["mothers-day-of-france"] => Some(YearlyRule::MothersDayOfFrance),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_read() {
        let lines = include_str!("feasts.tsv").lines().filter(|line| !line.starts_with('#'));
        assert_eq!(lines.clone().count(), table().count());
        for (line, row) in lines.zip(table()) {
            assert_eq!(line.split('\t').count(), 5, "{line}");
            assert!(rule(row.rule).is_some(), "{line}");
            let language: Language = row.language.parse().unwrap();
            for code in row.countries() {
                assert!(phrases(&format!("in-{code}"), language).count() > 1, "{line}: {code}");
            }
            assert!(
                row.names.split('|').all(|name| name == name.trim() && !name.is_empty()),
                "{line}"
            );
        }
    }

    #[test]
    fn a_name_of_several_countries_is_as_many_days_unless_one_is_named() {
        let take = |text: &str| {
            let mut rest = text.to_owned();
            take(&mut rest, Language::English).map(|feasts| (feasts, rest))
        };
        let (feasts, _) = take("when is mother's day").unwrap();
        assert_eq!(feasts.len(), 2);
        assert!(feasts[1].countries.contains(&"United Kingdom"));
        let (feasts, rest) = take("when is mother's day in the uk in 2027").unwrap();
        assert_eq!((feasts.len(), feasts[0].countries.len()), (1, 0));
        assert!(!rest.contains("uk") && !rest.contains("2027"), "{rest}");
        assert_eq!(take("when was thanksgiving in 1930"), None);
    }
}
