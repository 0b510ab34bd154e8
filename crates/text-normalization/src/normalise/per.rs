//! Slashes behind a price or a quantity, and the words after them: "$20/mo", "5 €/mois", "6 l/100 km".

use quartet_api::Language;

use super::super::languages::{feminine, may_be_noun};
use super::{Scanner, begins_word, first_word};

impl Scanner<'_> {
    /// "per" and the unit after a slash: "$20/mo", "€3/kg".
    pub(super) fn per(&mut self) {
        let Some(after) = self.rest().strip_prefix('/') else {
            return;
        };
        let per = match self.language {
            Language::English => "per",
            Language::German => "pro",
            Language::French => "par",
            Language::Spanish | Language::Portuguese => "por",
            Language::Italian => "al",
            Language::Russian => "в",
            _ => return,
        };
        const PERIODS: [(&str, &str); 7] = [
            ("month", "month"),
            ("mo", "month"),
            ("year", "year"),
            ("yr", "year"),
            ("week", "week"),
            ("wk", "week"),
            ("day", "day"),
        ];
        let period = PERIODS.iter().find(|(written, _)| {
            self.language == Language::English && after.strip_prefix(written).is_some_and(|rest| !begins_word(rest))
        });
        let (noun, len) = match period {
            Some((written, said)) => (*said, written.len()),
            None => match self.unit_at(after, false) {
                Some((unit, len)) => (unit.forms[0], len),
                None => return self.per_word(per, after),
            },
        };
        let per = if self.language == Language::Italian {
            self.italian_per(noun)
        } else {
            per
        };
        self.say(&format!("{per} {noun}"), 1 + len);
    }

    /// "per" before a noun or a number of something: "5 €/mois", "6 l/100 km".
    fn per_word(&mut self, per: &str, after: &str) {
        const RUSSIAN: [&str; 7] = ["час", "день", "месяц", "мес", "год", "сутки", "человек"];
        let noun = first_word(after);
        let counted = after.starts_with(|c: char| c.is_ascii_digit()) && self.language != Language::Russian;
        let said = match self.language {
            Language::Russian => RUSSIAN.contains(&noun),
            Language::German => noun.chars().count() > 2 && noun.starts_with(char::is_uppercase),
            Language::English => noun.chars().count() > 2 && noun.chars().all(char::is_lowercase),
            language => may_be_noun(language, noun),
        };
        if !(said || counted) {
            return;
        }
        match self.language {
            Language::Russian if noun == "мес" => self.say("в месяц", 1 + noun.len()),
            Language::Italian if counted => self.say("ogni", 1),
            Language::Italian => self.say(self.italian_per(noun), 1),
            _ => self.say(per, 1),
        }
        // "all'ora" is one word.
        if !self.out.ends_with('\'') {
            self.out.push(' ');
        }
        self.loose = false;
    }

    /// "Per" in Italian, with the article of the noun.
    fn italian_per(&self, noun: &str) -> &'static str {
        if noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
            "all'"
        } else if feminine(self.language, noun) {
            "alla"
        } else {
            "al"
        }
    }
}
