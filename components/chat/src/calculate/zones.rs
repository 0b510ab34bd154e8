//! Time zones, and the names that bear them out: the table `zones.tsv`.

use jiff::tz::TimeZone;

use super::question::Question;

/// The zones that a question names.
pub(super) fn named(question: &Question) -> impl Iterator<Item = String> {
    rows()
        .filter(|(_, names)| names.split('|').any(|name| question.has_zone_name(name)))
        .map(|(zone, _)| zone.to_owned())
}

/// The names of a zone in the table.
pub(super) fn names(zone: &str) -> impl Iterator<Item = &'static str> {
    let zone = zone.to_owned();
    rows()
        .filter(move |(other, _)| other.eq_ignore_ascii_case(&zone))
        .flat_map(|(_, names)| names.split('|'))
}

/// Returns true if every place that a question names lies in one of these zones.
pub(super) fn are_all(zones: &[&str], question: &Question) -> bool {
    let found = |names: &'static str| names.split('|').filter(|name| question.has_zone_name(name));
    let used: Vec<_> = rows()
        .filter(|(zone, _)| zones.iter().any(|used| used.eq_ignore_ascii_case(zone)))
        .flat_map(|(_, names)| found(names))
        .collect();
    // "New Mexico" is not Mexico, and CET is that of more than one zone.
    rows()
        .flat_map(|(_, names)| found(names))
        .all(|name| used.iter().any(|used| used.contains(name)))
}

fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = include_str!("zones.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| line.split_once('\t'))
}

/// The zone with this IANA name, if the question names it or a place in it.
pub(super) fn zone(name: &str, question: &Question) -> Option<TimeZone> {
    let named = match rows().find(|(zone, _)| zone.eq_ignore_ascii_case(name)) {
        Some((_, names)) => names.split('|').any(|name| question.has_zone_name(name)),
        None => false,
    };
    // The table has no zones that are others by another name, such as America/Montreal.
    let city = name.rsplit('/').next()?.replace('_', " ").to_lowercase();
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
