//! Time zones, and the names that bear them out: the table `zones.tsv`, and larger cities.

use jiff::tz::TimeZone;
use quartet_api::Language;

use super::cities;
use super::question::Question;
use super::times;

/// Difference in characters of two distances from which on a comma does not matter: "In Tokyo, 3 pm is what in London?"
const ABOUT_AS_NEAR: usize = 6;

/// The zones that a question names, each once.
pub(super) fn named(question: &Question) -> impl Iterator<Item = String> {
    let mut zones: Vec<&str> = rows()
        .filter(|(_, names)| names.split('|').any(|name| question.has_zone_name(name)))
        .map(|(zone, _)| zone)
        .collect();
    for (_, zone) in cities(question) {
        if !zones.contains(&zone) {
            zones.push(zone);
        }
    }
    zones.into_iter().map(str::to_owned)
}

/// The names of a zone that a question has.
pub(super) fn names<'q>(zone: &str, question: &'q Question) -> Vec<&'q str> {
    let rows = rows().filter(|(other, _)| other.eq_ignore_ascii_case(zone));
    let names = rows.flat_map(|(_, names)| names.split('|'));
    let cities = cities(question)
        .into_iter()
        .filter(|(_, other)| other.eq_ignore_ascii_case(zone));
    names
        .filter(|name| question.has_zone_name(name))
        .chain(cities.map(|(name, _)| name))
        .collect()
}

/// The cities that a question names, with their zones: not York in "New York".
fn cities(question: &Question) -> Vec<(&str, &'static str)> {
    let found = cities::named(question);
    if found.is_empty() {
        return Vec::new();
    }
    let all = rows().flat_map(|(_, names)| names.split('|'));
    let places: Vec<_> = all
        .filter(|name| question.has_zone_name(name))
        .filter_map(|name| question.find(&name.to_lowercase()))
        .collect();
    let is_free = |(start, end): (usize, usize)| places.iter().all(|place| end <= place.0 || place.1 <= start);
    let free = found.into_iter().filter(|city| is_free(city.place));
    free.map(|city| (city.name, city.zone)).collect()
}

/// A zone as a person names it: with the place of the question that lies in it, else with its own.
pub(super) fn shown(zone: &str, question: &Question) -> String {
    let asked = names(zone, question);
    let asked = asked.into_iter().max_by_key(|name| name.chars().count());
    // Russian declines the places, and the table has them as they are called first.
    let called = match (question.language(), asked) {
        (Language::Russian, Some(asked)) if cyrillic(&asked) => nominative(zone, asked),
        _ => None,
    };
    let asked = called.or_else(|| Some(question.as_written(asked?)));
    asked
        .map(capitalised)
        .unwrap_or_else(|| zone.rsplit('/').next().unwrap_or(zone).replace('_', " "))
}

fn cyrillic(name: &&str) -> bool {
    name.starts_with(|c: char| matches!(c, '\u{400}'..='\u{4ff}'))
}

/// The first Russian name of a zone in the table that has a form of it.
fn nominative(zone: &str, form: &str) -> Option<&'static str> {
    let (_, names) =
        rows().find(|(other, names)| other.eq_ignore_ascii_case(zone) && names.split('|').any(|name| name == form))?;
    names.split('|').find(cyrillic)
}

/// A name with capitals, where it has none.
fn capitalised(name: &str) -> String {
    if name.chars().any(char::is_uppercase) {
        return name.to_owned();
    }
    let mut before = ' ';
    let mut capital = |c: char| {
        let is_first = before == ' ';
        before = c;
        if is_first {
            c.to_uppercase().collect()
        } else {
            c.to_string()
        }
    };
    name.chars().map(&mut capital).collect()
}

/// Returns true if every place that a question names lies in one of these zones.
pub(super) fn are_all(zones: &[&str], question: &Question) -> bool {
    let found = |names: &'static str| names.split('|').filter(|name| question.has_zone_name(name));
    let used: Vec<_> = rows()
        .filter(|(zone, _)| zones.iter().any(|used| used.eq_ignore_ascii_case(zone)))
        .flat_map(|(_, names)| found(names))
        .collect();
    let is_used = |zone: &str| zones.iter().any(|used| used.eq_ignore_ascii_case(zone));
    // "New Mexico" is not Mexico, and CET is that of more than one zone.
    rows()
        .flat_map(|(_, names)| found(names))
        .all(|name| used.iter().any(|used| used.contains(name)))
        && cities(question)
            .into_iter()
            .all(|(name, zone)| is_used(zone) || zones.iter().any(|used| is_named(used, name)))
}

/// The one of two zones that the only time of a question is given in: that whose place stands nearer to it, and of two that stand
/// about as near, the one in the same clause.
pub(super) fn given_in<'z>(zones: [&'z str; 2], question: &Question) -> Option<&'z str> {
    let mentions = times::mentions(question);
    let [time] = &mentions[..] else { return None };
    let text = question.text();
    let between = |zone: &str, before: bool| {
        // "EST" has capitals, the text that is looked in has none.
        let named = names(zone, question).into_iter();
        let places = named.filter_map(|name| question.find(&name.to_lowercase()));
        let gaps = places.filter_map(|(start, end)| match (end <= time.start, time.end <= start && !before) {
            (true, _) => Some(&text[end..time.start]),
            (_, true) => Some(&text[time.end..start]),
            _ => None,
        });
        gaps.min_by_key(|gap| gap.len())
    };
    // "北京时间晚上8点伦敦是几点": a place stands before its time in these languages, and nothing but a place between two others.
    let comes_first = matches!(
        question.language(),
        Language::Chinese | Language::Japanese | Language::Korean
    );
    if comes_first {
        match zones.map(|zone| between(zone, true)) {
            [Some(_), None] => return Some(zones[0]),
            [None, Some(_)] => return Some(zones[1]),
            _ => {}
        }
    }
    let gaps = [between(zones[0], false)?, between(zones[1], false)?];
    let [first, second] = gaps.map(|gap| gap.chars().count());
    let [first_apart, second_apart] = gaps.map(|gap| gap.contains([',', ';', '、', '，', '،']));
    let is_first = if first_apart != second_apart && first.abs_diff(second) <= ABOUT_AS_NEAR {
        second_apart
    } else if first != second {
        first < second
    } else {
        return None;
    };
    Some(zones[usize::from(!is_first)])
}

fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = include_str!("zones.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| line.split_once('\t'))
}

/// The city that a zone is named after, in lower case.
fn city_of(zone: &str) -> String {
    zone.rsplit('/').next().unwrap_or(zone).replace('_', " ").to_lowercase()
}

/// Returns true if a zone is named after a city, whatever marks its letters have.
fn is_named(zone: &str, city: &str) -> bool {
    Question::new(city, Language::English).has_unmarked(&city_of(zone))
}

/// The zone with this IANA name, if the question names it or a place in it.
pub(super) fn zone(name: &str, question: &Question) -> Option<TimeZone> {
    let named = !names(name, question).is_empty();
    // The table has no zones that are others by another name, such as America/Montreal.
    let city = city_of(name);
    (named || question.has_unmarked(&city))
        .then(|| TimeZone::get(name).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartet_api::Language;

    #[test]
    fn every_zone_of_the_table_is_known() {
        for line in include_str!("zones.tsv").lines().filter(|line| !line.starts_with('#')) {
            let (name, names) = line.split_once('\t').unwrap();
            assert!(TimeZone::get(name).is_ok(), "{name}");
            assert!(names.split('|').all(|name| !name.is_empty()), "{line}");
        }
    }

    #[test]
    fn all_places_are_in_the_zones() {
        let all = |zones: &[&str], question: &str| are_all(zones, &Question::new(question, Language::English));
        assert!(all(
            &["America/Los_Angeles"],
            "What time is it in Los Angeles, California?"
        ));
        assert!(all(
            &["Europe/Rome", "Asia/Seoul"],
            "It's 8 pm in Rome, what time is it in Seoul?"
        ));
        assert!(!all(
            &["America/Los_Angeles"],
            "What is the time difference between California and Tokyo?"
        ));
        assert!(all(&[], "What time is it?"));
    }

    #[test]
    fn a_time_is_given_in_the_zone_beside_it() {
        let given = |text: &str, language| {
            let zones = ["Europe/London", "Asia/Tokyo"];
            given_in(zones, &Question::new(text, language)).map(str::to_owned)
        };
        for (text, language) in [
            (
                "When it is 3 pm in Tokyo, what time is it in London?",
                Language::English,
            ),
            ("In Tokyo, 3 pm is what in London?", Language::English),
            ("What time is it in London when it is 3 pm in Tokyo?", Language::English),
            (
                "Wenn es in Tokio 15 Uhr ist, wie spät ist es in London?",
                Language::German,
            ),
            ("東京で午後3時は、ロンドンで何時？", Language::Japanese),
            ("東京が15時のとき、ロンドンは何時ですか？", Language::Japanese),
            ("东京时间下午3点伦敦是几点", Language::Chinese),
            ("도쿄 시간으로 오후 3시면 런던은 몇 시야", Language::Korean),
        ] {
            assert_eq!(given(text, language).as_deref(), Some("Asia/Tokyo"), "{text}");
        }
        assert_eq!(given("What time is it in London and Tokyo?", Language::English), None);
    }

    #[test]
    fn a_zone_is_called_as_it_was_asked_for() {
        for (question, language, zone, called) in [
            ("What time is it in tokyo?", Language::English, "Asia/Tokyo", "Tokyo"),
            (
                "what time is it in new york",
                Language::English,
                "America/New_York",
                "New York",
            ),
            ("What time is it in EST?", Language::English, "America/New_York", "EST"),
            ("what time is it in est", Language::English, "America/New_York", "EST"),
            ("What time is it in Japan?", Language::English, "Asia/Tokyo", "Japan"),
            (
                "Wie spät ist es in Neu-Delhi?",
                Language::German,
                "Asia/Kolkata",
                "Neu-Delhi",
            ),
            (
                "Сколько времени в Москве?",
                Language::Russian,
                "Europe/Moscow",
                "Москва",
            ),
            ("东京现在几点？", Language::Chinese, "Asia/Tokyo", "东京"),
            ("كم الساعة الآن في القاهرة؟", Language::Arabic, "Africa/Cairo", "القاهرة"),
            (
                "Quelle heure est-il à Montréal ?",
                Language::French,
                "America/Montreal",
                "Montreal",
            ),
        ] {
            assert_eq!(shown(zone, &Question::new(question, language)), called, "{question}");
        }
    }

    #[test]
    fn a_zone_must_be_named() {
        let of = |question: &str, name: &str| zone(name, &Question::new(question, Language::English)).is_some();
        assert!(of("What time is it in Tokyo?", "Asia/Tokyo"));
        assert!(of("東京は今何時ですか", "Asia/Tokyo"));
        assert!(of("What is the time in pacific standard time?", "America/Los_Angeles"));
        assert!(of("Quelle heure est-il à Montréal ?", "America/Montreal"));
        assert!(of("What time is it in EST", "America/New_York") && of("what time is it in est", "America/New_York"));
        let named = |question: &str, language| named(&Question::new(question, language)).collect::<Vec<_>>();
        assert_eq!(
            named("Quelle heure est-il à Lima ?", Language::French),
            ["America/Lima"]
        );
        assert_eq!(
            named("Wie spät ist es in Sydney?", Language::German),
            ["Australia/Sydney"]
        );
        assert!(!of("What time is it in Tokyo?", "Asia/Seoul"));
        assert!(!of("What time is it?", "Europe/London"));
        assert!(!of("What time is it in Atlantis?", "Atlantic/Atlantis"));
    }
}
