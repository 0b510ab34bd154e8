//! Words that the forms of a question are told by, in the question's own language: the table `said.tsv`.

use std::cmp::Reverse;

use quartet_api::Language;
use quartet_measures::{begins_word, ends_word};

use super::question::Question;

/// A kind of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// Between two sides: "4 m by 3 m".
    By,
    /// Of a side.
    Long,
    /// Of a side.
    Wide,
    /// Of a side.
    High,
    /// Shapes that are no product of their sides, and parts of a surface.
    Shape,
    /// What makes one thing two, or half of one.
    Twice,
    /// Asks for a surface.
    Area,
    /// Asks for a volume.
    Volume,
    /// Before a unit that is asked for.
    HowMany,
    /// Before a unit that a result is wanted in.
    In,
    /// Between the two parts of a rate: "12 € per kg".
    Per,
    /// Between the two parts of a rate where the second comes first: "1kgあたり500円".
    PerAfter,
    /// Between a thing and its price.
    Costs,
    /// Asks for a sum of money.
    Cost,
    /// Asks for a distance.
    HowFar,
    /// Asks for a period.
    HowLong,
    /// Asks for a speed.
    Speed,
    /// Asks for an amount of fuel.
    Fuel,
    /// Asks for something that is compared, or left.
    Compare,
    /// Asks for a difference.
    Difference,
    /// Behind a temperature whose scale is not said.
    Degrees,
    /// Beside a temperature that is below zero.
    BelowZero,
    /// Of a day that is earlier.
    Before,
    /// Of a day that is later.
    After,
    /// Of the day that a period begins on.
    Starts,
    /// Of the day that a period ends on.
    Ends,
    /// Asks when somebody leaves, or something begins.
    Departs,
    /// Asks for change.
    Change,
    /// Behind a number of people.
    People,
    /// A root of the third degree.
    CubeRoot,
    /// Beside the ordinal of an exponent.
    PowerOf,
    /// Between a number and its exponent.
    Raised,
    /// Beside the ordinal of a root's degree.
    RootOf,
    /// Parts of one.
    Half,
    /// A half behind a number: "2 hours and a half".
    AndHalf,
    /// Asks for what a discount comes to.
    Saved,
    /// Asks for a price before its discount.
    Original,
    /// Asks for the time of day.
    WhatTime,
    /// Asks for the difference between the times of two places.
    TimeDifference,
    /// Beside one of two places.
    BetweenTwo,
    /// Asks if something is so.
    Whether,
    /// Of a number that has no factors.
    Prime,
    /// Asks for the factors of a number.
    Factors,
    /// Asks for a number to be rounded.
    Round,
    /// Beside a number of decimals.
    Decimals,
    /// A number without decimals.
    WholeNumber,
}

impl Said {
    fn name(self) -> &'static str {
        match self {
            Said::By => "by",
            Said::Long => "long",
            Said::Wide => "wide",
            Said::High => "high",
            Said::Shape => "shape",
            Said::Twice => "twice",
            Said::Area => "area",
            Said::Volume => "volume",
            Said::HowMany => "how-many",
            Said::In => "in",
            Said::Per => "per",
            Said::PerAfter => "per-after",
            Said::Costs => "costs",
            Said::Cost => "cost",
            Said::HowFar => "how-far",
            Said::HowLong => "how-long",
            Said::Speed => "speed?",
            Said::Fuel => "fuel",
            Said::Compare => "compare",
            Said::Difference => "difference",
            Said::Degrees => "degrees",
            Said::BelowZero => "below-zero",
            Said::Before => "before",
            Said::After => "after",
            Said::Starts => "starts",
            Said::Ends => "ends",
            Said::Departs => "departs",
            Said::Change => "change",
            Said::People => "people",
            Said::CubeRoot => "cube-root",
            Said::PowerOf => "power-of",
            Said::Raised => "raised",
            Said::RootOf => "root-of",
            Said::Half => "half",
            Said::AndHalf => "and-half",
            Said::Saved => "saved",
            Said::Original => "original",
            Said::WhatTime => "what-time",
            Said::TimeDifference => "time-difference",
            Said::BetweenTwo => "between-two",
            Said::Whether => "whether",
            Said::Prime => "prime",
            Said::Factors => "factors",
            Said::Round => "round",
            Said::Decimals => "decimals",
            Said::WholeNumber => "whole-number",
        }
    }
}

/// The phrases of a kind in a language; a space behind one makes it whole words.
pub(super) fn phrases(said: Said, language: Language) -> impl Iterator<Item = &'static str> {
    rows()
        .filter(move |(kind, code, _)| *kind == said.name() && *code == language.code())
        .flat_map(|(.., phrases)| phrases.split('|'))
}

/// Ordinals from the second to the twelfth with their words.
pub(super) fn ordinals(language: Language) -> impl Iterator<Item = (u8, &'static str)> {
    rows()
        .filter(move |(_, code, _)| *code == language.code())
        .filter_map(|(kind, _, phrases)| Some((kind.strip_prefix("nth ")?.parse().ok()?, phrases)))
        .flat_map(|(value, phrases): (u8, _)| phrases.split('|').map(move |phrase| (value, phrase)))
}

fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let lines = include_str!("said.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let mut fields = line.splitn(3, '\t');
        Some((fields.next()?, fields.next()?, fields.next()?))
    })
}

/// Length of the longest phrase of a kind that a text begins with, as whole words.
pub(super) fn at_start(text: &str, said: Said, language: Language) -> Option<usize> {
    let starts = |phrase: &&str| text.strip_prefix(*phrase).is_some_and(|rest| ends_word(phrase, rest));
    phrases(said, language)
        .map(str::trim)
        .filter(starts)
        .map(str::len)
        .max()
}

/// Returns true if a text ends with a phrase of a kind, as whole words.
pub(super) fn is_at_end(text: &str, said: Said, language: Language) -> bool {
    let ends = |phrase: &str| text.strip_suffix(phrase).is_some_and(|rest| begins_word(phrase, rest));
    phrases(said, language).map(str::trim).any(ends)
}

/// Returns true if a text is nothing but a phrase of a kind.
pub(super) fn is_all(text: &str, said: Said, language: Language) -> bool {
    phrases(said, language).any(|phrase| phrase.trim() == text)
}

/// Returns true if a phrase of a kind stands in a text.
pub(super) fn is_in(text: &str, said: Said, language: Language) -> bool {
    phrases(said, language).any(|phrase| place(text, phrase).is_some())
}

/// The first place of a phrase in a text, at the beginning of a word.
pub(super) fn place(text: &str, phrase: &str) -> Option<(usize, usize)> {
    let stem = phrase.trim_end();
    let is_whole = stem.len() < phrase.len();
    let mut found = text.match_indices(stem).map(|(start, _)| (start, start + stem.len()));
    found.find(|(start, end)| begins_word(stem, &text[..*start]) && (!is_whole || ends_word(stem, &text[*end..])))
}

/// Takes all phrases of a kind out of a text, the longest first, with what ends a word that only begins like one. Returns true if there
/// was one.
pub(super) fn cut(text: &mut String, said: Said, language: Language) -> bool {
    let mut all: Vec<_> = phrases(said, language).collect();
    all.sort_by_key(|phrase| Reverse(phrase.trim_end().len()));
    let mut is_any = false;
    for phrase in all {
        while let Some((start, end)) = place(text, phrase) {
            let ending = match ends_word(phrase, &text[end..]) {
                true => 0,
                false => text[end..]
                    .find(|c: char| !c.is_alphabetic())
                    .unwrap_or(text.len() - end),
            };
            text.replace_range(start..end + ending, " , ");
            is_any = true;
        }
    }
    is_any
}

impl Question {
    /// Returns true if it has words of a kind in its own language.
    pub fn says(&self, said: Said) -> bool {
        is_in(self.text(), said, self.language())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_read() {
        for line in include_str!("said.tsv").lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<_> = line.split('\t').collect();
            assert_eq!(fields.len(), 3, "{line}");
            assert!(fields[1].parse::<Language>().is_ok(), "{line}");
            assert!(fields[2].split('|').all(|phrase| !phrase.trim().is_empty()), "{line}");
        }
        for language in Language::ALL {
            for said in [
                Said::By,
                Said::Area,
                Said::Per,
                Said::Cost,
                Said::Before,
                Said::CubeRoot,
                Said::Departs,
                Said::Change,
                Said::WhatTime,
                Said::Prime,
                Said::Factors,
                Said::Round,
                Said::WholeNumber,
            ] {
                assert!(phrases(said, language).next().is_some(), "{language}: {said:?}");
            }
        }
    }

    #[test]
    fn words_begin_like_a_phrase_or_are_one() {
        let says = |text: &str, said| Question::new(text, Language::English).says(said);
        assert!(says("a triangular plot", Said::Shape) && !says("rectangular", Said::Shape));
        assert!(says("3 m by 4 m", Said::By) && !says("a bypass", Said::By));
        assert_eq!(
            ordinals(Language::Portuguese).filter(|(value, _)| *value == 5).count(),
            2
        );
    }
}
