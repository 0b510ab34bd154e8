//! Cities that a question names, with their time zones: the table `cities.tsv`, made of GeoNames by `cities.py`. It is searched where it
//! lies: nothing is built at the start.

use std::cmp::Ordering;

use quartet_measures::is_dense_char;

use super::question::Question;

static TABLE: &str = include_str!("cities.tsv");

/// Words of a city's name at most, and signs of one in a script without spaces.
const MAX_WORDS: usize = 4;
const MAX_SIGNS: usize = 9;

/// A city in a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct City<'q> {
    /// Its name, as the question's text has it.
    pub name: &'q str,
    /// Its place in the text.
    pub place: (usize, usize),
    /// Its IANA zone.
    pub zone: &'static str,
}

/// The cities of a question in their order; of names within each other the longest.
pub(super) fn named(question: &Question) -> Vec<City<'_>> {
    let text = question.text();
    let joins = |c: char| c.is_alphabetic() || matches!(c, '\u{900}'..='\u{94f}');
    let mut found: Vec<City> = Vec::new();
    let mut before = ' ';
    for (start, c) in text.char_indices() {
        let is_inside = found.last().is_some_and(|city| start < city.place.1);
        let begins = joins(c) && (is_dense_char(c) || !joins(before) || is_dense_char(before));
        before = c;
        if is_inside || !begins {
            continue;
        }
        let ends = match is_dense_char(c) {
            true => ends_of_signs(&text[start..]),
            false => ends_of_words(&text[start..], joins),
        };
        let city = ends.into_iter().rev().find_map(|length| {
            let name = &text[start..start + length];
            let place = (start, start + length);
            zone_of(name).map(|zone| City { name, place, zone })
        });
        found.extend(city);
    }
    found
}

/// The lengths of the first signs of a text, of two and more.
fn ends_of_signs(text: &str) -> Vec<usize> {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    ends.take(MAX_SIGNS).skip(1).collect()
}

/// The lengths of the first words of a text.
fn ends_of_words(text: &str, joins: impl Fn(char) -> bool) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut letters = text.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        if !joins(c) && !matches!(c, ' ' | '-' | '\'' | '.') {
            break;
        }
        let goes_on = letters
            .peek()
            .is_some_and(|(_, next)| joins(*next) && !is_dense_char(*next));
        if joins(c) && !goes_on {
            ends.push(at + c.len_utf8());
            if ends.len() == MAX_WORDS {
                break;
            }
        }
    }
    ends
}

/// The zone of a city: a binary search for its line.
fn zone_of(name: &str) -> Option<&'static str> {
    let (zones, table) = TABLE.split_once('\n')?;
    let bytes = table.as_bytes();
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        // The line that the middle lies in.
        let middle = low + (high - low) / 2;
        let start = bytes[low..middle]
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(low, |at| low + at + 1);
        let end = bytes[middle..high]
            .iter()
            .position(|b| *b == b'\n')
            .map_or(high, |at| middle + at);
        let (found, zone) = table[start..end].split_once('\t')?;
        match found.cmp(name) {
            Ordering::Equal => return zones.split('|').nth(zone.parse().ok()?),
            Ordering::Less => low = end + 1,
            Ordering::Greater => high = start,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::tz::TimeZone;
    use quartet_api::Language;

    #[test]
    fn every_line_is_found() {
        let (zones, table) = TABLE.split_once('\n').unwrap();
        assert!(zones.split('|').all(|zone| TimeZone::get(zone).is_ok()));
        for line in table.lines() {
            let name = line.split_once('\t').unwrap().0;
            assert!(zone_of(name).is_some(), "{name}");
        }
        assert_eq!(zone_of("atlantis"), None);
    }

    #[test]
    fn cities_stand_in_questions() {
        for (question, language, cities) in [
            (
                "what time is it in abu dhabi",
                Language::English,
                &[("abu dhabi", "Asia/Dubai")][..],
            ),
            (
                "Wie spät ist es in Genf?",
                Language::German,
                &[("genf", "Europe/Zurich")],
            ),
            (
                "If it's 3 pm in Edinburgh, what time is it in Tel Aviv-Jaffa?",
                Language::English,
                &[("edinburgh", "Europe/London"), ("tel aviv-jaffa", "Asia/Jerusalem")],
            ),
            ("日内瓦现在几点？", Language::Chinese, &[("日内瓦", "Europe/Zurich")]),
            ("What is the weather like?", Language::English, &[]),
        ] {
            let question = Question::new(question, language);
            let found: Vec<_> = named(&question).iter().map(|city| (city.name, city.zone)).collect();
            assert_eq!(found, cities);
        }
    }
}
