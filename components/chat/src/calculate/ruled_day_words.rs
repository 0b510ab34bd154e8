//! The words of a day that a rule gives for each year: which rule, of which year, and the small words beside it. The words are in the
//! table `ruled_days.tsv`.

use jiff::civil::Weekday;
use quartet_api::Language;

use super::calendar;
use super::day_rule::{DayRule, Year, YearlyRule};
use super::question::{Question, find, places};

/// The kinds of ordinals in the table with their numbers, as the calendar counts: the last one of a month is -1.
pub(super) const ORDINALS: [(&str, i8); 6] = [("1", 1), ("2", 2), ("3", 3), ("4", 4), ("5", 5), ("last", -1)];

/// Takes a weekday with its ordinal, its month and its year out of a text.
pub(super) fn take_weekday_of_month(rest: &mut String, language: Language) -> Option<DayRule> {
    let (nth, weekday, place) = numbered_weekday(rest, language)?;
    *rest = without(rest, place);
    // "We pay on the last Friday of each month. When is the last Friday of May?"
    while let Some((other, day, place)) = numbered_weekday(rest, language) {
        if (other, day) != (nth, weekday) {
            return None;
        }
        *rest = without(rest, place);
    }
    take_month(rest, nth, weekday, language)
}

/// The one weekday of a text that an ordinal stands beside, and its place with the ordinal's.
pub(super) fn numbered_weekday(text: &str, language: Language) -> Option<(i8, Weekday, (usize, usize))> {
    let mut found: Option<(i8, Weekday, (usize, usize))> = None;
    for weekday in all_weekdays() {
        for name in names(weekday, language) {
            for (start, end) in places(text, &name) {
                let before = ordinal_before(text, start, language).map(|(nth, start)| (nth, weekday, (start, end)));
                let Some(this) = before.or_else(|| {
                    let (nth, end) = ordinal_behind(text, end, language)?;
                    Some((nth, weekday, (start, end)))
                }) else {
                    continue;
                };
                match found {
                    Some(other) if (other.0, other.1) != (this.0, this.1) => return None,
                    // "Sunday" is a part of a longer name in some languages.
                    Some((.., (start, end))) if end - start >= this.2.1 - this.2.0 => {}
                    _ => found = Some(this),
                }
            }
        }
    }
    found
}

/// The number of the ordinal that ends at a place, and where it starts; none where it is counted from the end.
fn ordinal_before(text: &str, end: usize, language: Language) -> Option<(i8, usize)> {
    let mut before = text[..end].trim_end();
    for filler in phrases("between", language) {
        before = before.strip_suffix(filler).map_or(before, str::trim_end);
    }
    let all = ORDINALS
        .into_iter()
        .flat_map(|(kind, nth)| phrases(kind, language).map(move |phrase| (nth, phrase)));
    let (nth, start) = all
        .filter_map(|(nth, phrase)| {
            let start = before.strip_suffix(phrase)?.len();
            let is_there = places(before, phrase).any(|place| place == (start, before.len()));
            // "The 21st Monday"
            let goes_on = phrase.starts_with(|c: char| c.is_ascii_digit())
                && before[..start].ends_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '/'));
            (is_there && !goes_on).then_some((nth, start))
        })
        .min_by_key(|(_, start)| *start)?;
    let counted_from = before[..start].trim_end();
    let from_end = phrases("from-end", language)
        .any(|phrase| places(counted_from, phrase).any(|(_, end)| end == counted_from.len()));
    (!from_end && !counted_from.ends_with('-')).then_some((nth, start))
}

/// The number of the ordinal that starts at a place, and where it ends: Arabic may have it behind.
fn ordinal_behind(text: &str, start: usize, language: Language) -> Option<(i8, usize)> {
    let rest = &text[start..];
    let at = start + rest.len() - rest.trim_start().len();
    let mut all = ORDINALS.into_iter().flat_map(|(kind, nth)| {
        let kind = format!("{kind} behind");
        let phrases: Vec<_> = phrases(&kind, language).collect();
        phrases.into_iter().map(move |phrase| (nth, phrase))
    });
    all.find_map(|(nth, phrase)| {
        let (_, end) = places(&text[at..], phrase).find(|place| place.0 == 0)?;
        Some((nth, at + end))
    })
}

/// Takes the one month, and the year, out of a text: the day that this weekday is there.
fn take_month(rest: &mut String, nth: i8, weekday: Weekday, language: Language) -> Option<DayRule> {
    if let Some((month, place)) = named_month(rest, language) {
        *rest = without(rest, place);
        let rule = YearlyRule::Weekday {
            nth,
            weekday,
            month,
            later: 0,
        };
        return Some(DayRule::Yearly(rule, year(rest, language)?));
    }
    let mut near = [("last-month", -1), ("this-month", 0), ("next-month", 1)].into_iter();
    let (kind, months) = near.find(|(kind, _)| has(rest, kind, language))?;
    cut(rest, kind, language);
    Some(DayRule::OfMonth { nth, weekday, months })
}

/// The one month that a text names, and its place.
pub(super) fn named_month(text: &str, language: Language) -> Option<(i8, (usize, usize))> {
    if let Language::Japanese | Language::Chinese | Language::Korean = language {
        let (sign, _) = text
            .match_indices(['月', '월'])
            .find(|(at, _)| in_digits_before(text, *at).is_some())?;
        let (month, start) = in_digits_before(text, sign)?;
        let end = sign + text[sign..].chars().next()?.len_utf8();
        return Some((month, (start, end)));
    }
    let all = (1..=12).flat_map(|month| {
        let names = calendar::names_of_month(month);
        names.into_iter().map(move |name| (month, name))
    });
    // Short forms are other words, too.
    let long = all.filter(|(_, name)| name.chars().count() > 2 || !name.is_ascii());
    let mut found: Vec<_> = long
        .filter_map(|(month, name)| Some((month, find(text, &name)?)))
        .collect();
    found.sort_by_key(|(_, (start, end))| std::cmp::Reverse(end - start));
    let first = *found.first()?;
    found.iter().all(|(month, _)| *month == first.0).then_some(first)
}

/// The number of a month that ends at a place, in digits or in the numerals of Chinese, and where it starts.
fn in_digits_before(text: &str, end: usize) -> Option<(i8, usize)> {
    const NUMERALS: [&str; 12] = [
        "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二",
    ];
    let before = &text[..end];
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 {
        let start = end - digits;
        let month = before[start..].parse().ok().filter(|month| (1..=12).contains(month))?;
        return Some((month, start));
    }
    let all = (1..).zip(NUMERALS).filter(|(_, numeral)| before.ends_with(numeral));
    let (month, numeral) = all.max_by_key(|(_, numeral)| numeral.len())?;
    Some((month, end - numeral.len()))
}

/// Takes the year out of a text: the one that is given, this one or the one beside it, else the coming one. None where a number is
/// no year.
pub(super) fn year(rest: &mut String, language: Language) -> Option<Year> {
    for (kind, years) in [("last-year", -1), ("this-year", 0), ("next-year", 1)] {
        if cut(rest, kind, language) {
            return Some(Year::After(years));
        }
    }
    let given = {
        let question = Question::new(rest, language);
        let numbers: Vec<_> = question.places().collect();
        match numbers[..] {
            [] => None,
            [(start, end, Some(value))] if end - start == 4 => Some((value.parse().ok()?, (start, end))),
            _ => return None,
        }
    };
    let Some((year, place)) = given else {
        return Some(Year::Coming);
    };
    *rest = without(rest, place);
    cut(rest, "year", language);
    Some(Year::Given(year))
}

pub(super) fn all_weekdays() -> impl Iterator<Item = Weekday> {
    Weekday::Monday.cycle_forward().take(7)
}

/// The names of a weekday.
pub(super) fn names(weekday: Weekday, language: Language) -> impl Iterator<Item = String> {
    calendar::whole_names_of_weekday(weekday).chain(phrases(kind_of(weekday), language).map(str::to_owned))
}

/// The weekday in the table.
pub(super) const fn kind_of(weekday: Weekday) -> &'static str {
    match weekday {
        Weekday::Monday => "monday",
        Weekday::Tuesday => "tuesday",
        Weekday::Wednesday => "wednesday",
        Weekday::Thursday => "thursday",
        Weekday::Friday => "friday",
        Weekday::Saturday => "saturday",
        Weekday::Sunday => "sunday",
    }
}

/// The rows of the table: the kind, the language's code, the phrases.
fn table() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    include_str!("ruled_days.tsv").lines().filter_map(|line| {
        let mut fields = line.splitn(3, '\t');
        Some((fields.next()?, fields.next()?, fields.next()?))
    })
}

/// The phrases of a kind in a language.
pub(super) fn phrases(kind: &str, language: Language) -> impl Iterator<Item = &'static str> {
    table()
        .filter(move |(of, code, _)| *of == kind && *code == language.code())
        .flat_map(|(.., phrases)| phrases.split('|'))
}

pub(super) fn has(text: &str, kind: &str, language: Language) -> bool {
    phrases(kind, language).any(|phrase| find(text, phrase).is_some())
}

/// Takes all phrases of a kind out of a text, the longest first. Returns true if there was one.
pub(super) fn cut(text: &mut String, kind: &str, language: Language) -> bool {
    let mut all: Vec<_> = phrases(kind, language).collect();
    all.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
    let mut is_any = false;
    for phrase in all {
        is_any |= cut_all(text, phrase);
    }
    is_any
}

/// Takes a phrase out of a text wherever it stands. Returns true if it did.
pub(super) fn cut_all(text: &mut String, phrase: &str) -> bool {
    let mut is_any = false;
    while let Some(place) = find(text, phrase) {
        *text = without(text, place);
        is_any = true;
    }
    is_any
}

/// A text without what stands at a place; what stood beside it does not come together. It is as a normalised one is.
pub(super) fn without(text: &str, (start, end): (usize, usize)) -> String {
    let joined = format!("{} , {}", text[..start].trim_end(), text[end..].trim_start());
    joined.trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_read() {
        for line in include_str!("ruled_days.tsv")
            .lines()
            .filter(|line| !line.starts_with('#'))
        {
            let fields: Vec<_> = line.split('\t').collect();
            assert_eq!(fields.len(), 3, "{line}");
            assert!(fields[1].parse::<Language>().is_ok(), "{line}");
            assert!(
                fields[2]
                    .split('|')
                    .all(|phrase| phrase == phrase.trim() && !phrase.is_empty()),
                "{line}"
            );
        }
        for language in Language::ALL {
            for (kind, _) in ORDINALS {
                assert!(phrases(kind, language).next().is_some(), "{language}: {kind}");
            }
            assert!(phrases("asks", language).next().is_some(), "{language}");
        }
    }
}
