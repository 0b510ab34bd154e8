//! Fractions and other numbers with a slash, versions and addresses of the internet.

use quartet_api::Language;

use super::super::languages::{Agreement, digits, german_half, pure_number};
use super::numerals::{Numeral, parse, run};
use super::{Scanner, begins_word};

impl Scanner<'_> {
    /// The Korean particle after a number in the form that the number's last sound asks for: 삼분의 이가, not 이이.
    fn particle(&mut self, words: &str) {
        const PARTICLES: [(char, char); 4] = [('이', '가'), ('은', '는'), ('을', '를'), ('과', '와')];
        let Some(next) = self.peek().filter(|_| self.language == Language::Korean) else {
            return;
        };
        let Some((closed, open)) = PARTICLES.iter().find(|(closed, open)| next == *closed || next == *open) else {
            return;
        };
        let after = self.rest()[next.len_utf8()..].chars().next();
        let last = words.chars().next_back().map_or(0, u32::from);
        if after.is_some_and(char::is_alphabetic) || !(0xac00..=0xd7a3).contains(&last) {
            return;
        }
        // A syllable has no final consonant where its number is a multiple of 28.
        let said = if (last - 0xac00).is_multiple_of(28) {
            open
        } else {
            closed
        };
        self.out.push(*said);
        self.at += next.len_utf8();
    }

    /// "24/7": all day, every day.
    pub(super) fn always(&mut self) -> bool {
        let Some(after) = self.rest().strip_prefix("24/7") else {
            return false;
        };
        if after.starts_with(|c: char| c.is_ascii_digit() || c == '/') || self.previous().is_some_and(|c| c == '/') {
            return false;
        }
        self.say(self.rules.words.always, 4);
        true
    }

    /// A whole number and a fraction: "3 1/2", "2 3/4".
    pub(super) fn mixed(&mut self, numeral: &Numeral) -> bool {
        let Some(count) = numeral.whole().filter(|count| *count < 1000 && !numeral.grouped) else {
            return false;
        };
        let Some(text) = self.rest()[numeral.len..].strip_prefix(' ') else {
            return false;
        };
        let first = run(text);
        let Some(after) = text[first..].strip_prefix('/') else {
            return false;
        };
        let second = run(after);
        let tail = &after[second..];
        if !(1..=2).contains(&first) || !(1..=4).contains(&second) || tail.starts_with('/') || self.joins(tail) {
            return false;
        }
        let (Ok(numerator), Ok(denominator)) = (text[..first].parse(), after[..second].parse()) else {
            return false;
        };
        let words = self.and_part(count, numerator, denominator);
        self.say(&words, numeral.len + 1 + first + 1 + second);
        true
    }

    /// A number and a part: "three and a half".
    pub(super) fn and_part(&self, count: u64, numerator: u64, denominator: u64) -> String {
        let number = (self.rules.cardinal)(count, Agreement::Alone);
        let part = (self.rules.part)(numerator, denominator).unwrap_or_else(|| {
            let name = |number| (self.rules.cardinal)(number, Agreement::Alone);
            format!("{} {} {}", name(numerator), self.rules.words.over, name(denominator))
        });
        let and = self.rules.words.and;
        let half = (numerator, denominator) == (1, 2);
        match self.language {
            Language::English if half => format!("{number} and a half"),
            Language::English if (numerator, denominator) == (1, 4) => format!("{number} and a quarter"),
            Language::German if half => {
                format!("{}einhalb", (self.rules.cardinal)(count, Agreement::Masculine))
            }
            Language::French if half => format!("{number} et demi"),
            Language::Spanish if half => format!("{number} y medio"),
            Language::Italian if half => format!("{number} e mezzo"),
            Language::Portuguese if half => format!("{number} e meio"),
            Language::Russian if half => format!("{number} с половиной"),
            Language::Hindi if half && count == 1 => "डेढ़".into(),
            Language::Hindi if half && count == 2 => "ढाई".into(),
            Language::Hindi if half => format!("साढ़े {number}"),
            Language::Chinese => format!("{number}又{part}"),
            Language::Japanese => format!("{number}と{part}"),
            Language::Korean => format!("{number}과 {part}"),
            _ => format!("{number} {and} {part}"),
        }
    }

    /// Returns true if `tail` goes on with letters or digits that belong to the number before it: in scripts without spaces,
    /// only Latin ones.
    fn joins(&self, tail: &str) -> bool {
        if self.latin_is_foreign() {
            tail.starts_with(|c: char| c.is_ascii_alphanumeric())
        } else {
            begins_word(tail)
        }
    }

    /// Fractions ("1/2", "3/4"); other pairs are read over each other.
    pub(super) fn part(&mut self) -> bool {
        let text = self.rest();
        let first = run(text);
        let Some(after) = text[first..].strip_prefix('/') else {
            return false;
        };
        let second = run(after);
        let tail = &after[second..];
        let named_later = self.unit_at(tail, false).is_some();
        if second == 0 || first > 18 || second > 9 || tail.starts_with('/') || self.joins(tail) && !named_later {
            return false;
        }
        let (Ok(numerator), Ok(denominator)) = (text[..first].parse::<u64>(), after[..second].parse::<u64>()) else {
            return false;
        };
        // The attacks of 2001.
        if (numerator, denominator) == (9, 11) && self.language == Language::English {
            self.say("nine eleven", first + 1 + second);
            return true;
        }
        let named = (numerator < denominator
            || denominator <= 10
            || matches!(self.language, Language::Chinese | Language::Japanese | Language::Korean))
        .then(|| (self.rules.part)(numerator, denominator))
        .flatten();
        let half = (numerator, denominator) == (1, 2) && self.language == Language::German;
        let half = if half {
            german_half(tail.trim_start_matches(' '))
        } else {
            None
        };
        let words = half.map(str::to_owned).or(named).unwrap_or_else(|| {
            let gap = self.rules.space;
            let name = |number| (self.rules.cardinal)(number, Agreement::Alone);
            format!(
                "{}{gap}{}{gap}{}",
                name(numerator),
                self.rules.words.over,
                name(denominator)
            )
        });
        self.say(&words, first + 1 + second);
        self.particle(&words);
        if self.latin_is_foreign()
            && let Some((unit, len)) = self.unit_at(self.rest(), false)
        {
            self.say(unit.forms[2], len);
        }
        true
    }

    /// Versions and the like ("2.0.1", "192.168.0.1"): parts with points between.
    pub(super) fn version(&mut self) -> bool {
        let text = self.rest();
        let len = text.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
        let written = text[..len].trim_end_matches('.');
        let parts: Vec<&str> = written.split('.').collect();
        let grouped = parse(text, self.rules).is_some_and(|numeral| numeral.len >= written.len());
        if parts.len() < 3 || parts.iter().any(|part| part.is_empty()) || grouped {
            return false;
        }
        let gap = self.rules.space;
        // An address of the internet is read digit by digit, as it is dictated.
        let address = parts.len() == 4
            && parts.iter().all(|part| part.len() <= 3)
            && parts.iter().any(|part| part.len() == 3)
            && self.language != Language::Japanese;
        if address {
            let spoken: Vec<String> = parts
                .iter()
                .map(|part| digits(part, self.rules.cardinal, gap))
                .collect();
            let between = format!("{gap}{}{gap}", self.rules.words.dot);
            self.say(&spoken.join(&between), written.len());
            return true;
        }
        let spoken: Vec<String> = parts
            .iter()
            .map(|part| pure_number(part, Agreement::Alone, self.rules.cardinal, gap))
            .collect();
        self.say(
            &spoken.join(&format!("{gap}{}{gap}", self.rules.words.point)),
            written.len(),
        );
        true
    }
}
