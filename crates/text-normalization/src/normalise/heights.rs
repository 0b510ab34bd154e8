//! Feet and inches in English: "5'10"", "6 ft 2 in".

use quartet_api::Language;

use super::super::languages::Agreement;
use super::numerals::{Numeral, run};
use super::{Scanner, after_space, begins_word};

impl Scanner<'_> {
    /// Inches after feet: "6 ft 2 in".
    pub(super) fn inches(&mut self) {
        let (next, space) = after_space(self.rest().strip_prefix('.').unwrap_or(self.rest()));
        let digits = run(next);
        let (after, gap) = after_space(&next[digits..]);
        let Some(tail) = after.strip_prefix("in") else { return };
        let count = next[..digits].parse::<u64>().ok().filter(|count| *count < 12);
        let (Some(count), true) = (count, space > 0 && !begins_word(tail)) else {
            return;
        };
        let noun = if count == 1 { "inch" } else { "inches" };
        let number = (self.rules.cardinal)(count, Agreement::Alone);
        let read = self.rest().len() - next.len() + digits + gap + 2;
        // Its full stop is the sentence's where nothing or a capital follows.
        let follows = tail.strip_prefix('.').map(str::trim_start);
        let dot = follows.is_some_and(|next| !next.is_empty() && !next.starts_with(char::is_uppercase));
        self.say(&format!("{number} {noun}"), read + usize::from(dot));
    }

    /// English: 5'10" is a height.
    pub(super) fn feet(&mut self, numeral: &Numeral, rest: &str) -> bool {
        let Some((next, space)) = rest.strip_prefix('\'').map(after_space) else {
            return false;
        };
        let inches = run(next);
        // "6' 2 tall" had its sign for inches; "the '80s' 5 hits" have other marks.
        let height =
            numeral.whole().is_some_and(|feet| feet < 10) && next[..inches].parse().is_ok_and(|count: u64| count < 12);
        if self.language != Language::English
            || !(1..=2).contains(&inches)
            || space > 0 && !height
            || numeral.decimals.is_some()
        {
            return false;
        }
        let Ok(count) = next[..inches].parse() else {
            return false;
        };
        let words = format!(
            "{} foot {}",
            self.plain(numeral, Agreement::Alone),
            (self.rules.cardinal)(count, Agreement::Alone)
        );
        self.say(&words, numeral.len + 1 + space + inches);
        true
    }
}
