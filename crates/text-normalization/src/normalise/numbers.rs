//! Numbers in running text and what stands beside them: ordinals, percentages, ranges, fractions, units, years, versions.

use quartet_api::Language;

use super::super::languages::{Agreement, Unit, counted, pure_number};
use super::numerals::{Numeral, parse, run};
use super::{Scanner, after_space, begins_word, dates, is_mark};

impl Scanner<'_> {
    /// Says the number that comes next.
    pub(super) fn number(&mut self) {
        if self.date_or_time() || self.telephone() || self.version() || self.part() {
            return;
        }
        let Some(numeral) = parse(self.rest(), self.rules) else {
            return;
        };
        if !self.range(&numeral) {
            self.quantity(&numeral);
        }
    }

    /// The number alone.
    pub(super) fn plain(&self, numeral: &Numeral, agreement: Agreement) -> String {
        if self.language == Language::Japanese {
            let decimals = numeral
                .decimals
                .as_ref()
                .map(|decimals| format!(".{decimals}"))
                .unwrap_or_default();
            return numeral.integer.clone() + &decimals;
        }
        match &numeral.decimals {
            Some(decimals) => (self.rules.fraction)(&numeral.integer, decimals),
            None => pure_number(&numeral.integer, agreement, self.rules.cardinal, self.rules.space),
        }
    }

    /// Number and noun.
    pub(super) fn counted_noun(&self, numeral: &Numeral, forms: &[&str; 3], gender: Agreement) -> String {
        let form = match numeral.whole() {
            Some(count) => (self.rules.form)(count),
            None if numeral.decimals.is_some() => self.rules.form_of_decimals,
            None => 2,
        };
        format!("{}{}{}", self.plain(numeral, gender), self.rules.space, forms[form])
    }

    /// The number with whatever follows that changes how it is said.
    fn quantity(&mut self, numeral: &Numeral) {
        let rest = &self.rest()[numeral.len..];
        // "MP3s", "A4": nothing is counted by a number that letters precede.
        if self.previous().is_some_and(|c| c.is_ascii_alphabetic()) {
            return self.say(&self.plain(numeral, Agreement::Alone), numeral.len);
        }
        // "5,- €"
        let dash = [",-", ",–", ",—"].iter().find(|dash| rest.starts_with(**dash));
        if let Some(dash) = dash.filter(|_| self.rules.decimal == ',') {
            let round = Numeral {
                len: numeral.len + dash.len(),
                ..numeral.clone()
            };
            return self.quantity(&round);
        }
        if self.ordinal(numeral, rest) || self.percentage(numeral, rest) || self.scaled_price(numeral, rest) {
            return;
        }
        let (next, space) = after_space(rest);
        if let Some((currency, len)) = self.currency_at(next) {
            let words = self.price(numeral, currency);
            self.say(&words, numeral.len + space + len);
            return;
        }
        let counted = numeral
            .whole()
            .and_then(|number| counted(self.language, number, &self.previous_word(), next));
        // A form that says the noun too ("1999 г." is a year) goes before a unit ("г" is a gram).
        let unit = if counted.as_ref().is_some_and(|(_, said)| *said > 0) {
            None
        } else {
            self.unit_at(next, space > 0)
        };
        if let Some((unit, len)) = unit {
            let words = self.counted_noun(numeral, &unit.forms, unit.gender);
            self.say(&words, numeral.len + space + len);
            return;
        }
        if self.feet(numeral, rest) {
            return;
        }
        if let Some(number) = numeral.whole() {
            if let Some((words, said)) = counted {
                let gap = if said > 0 { space } else { 0 };
                self.say(words.trim_end(), numeral.len + gap + said);
                if words.ends_with(' ') && !self.rest().starts_with(' ') {
                    self.out.push(' ');
                }
                return;
            }
            if numeral.is_year() && self.is_year(number, next) {
                self.say(&(self.rules.year)(number), numeral.len);
                return;
            }
        }
        self.say(&self.plain(numeral, Agreement::Alone), numeral.len);
        // "20-year-old": the hyphen joins words now.
        if self.rest().starts_with('-') && self.rest()[1..].starts_with(char::is_alphabetic) {
            self.at += 1;
        }
    }

    /// English: 5'10" is a height.
    fn feet(&mut self, numeral: &Numeral, rest: &str) -> bool {
        let inches = rest.strip_prefix('\'').map_or(0, run);
        if self.language != Language::English || !(1..=2).contains(&inches) || numeral.decimals.is_some() {
            return false;
        }
        let Ok(count) = rest[1..1 + inches].parse() else {
            return false;
        };
        let words = format!(
            "{} foot {}",
            self.plain(numeral, Agreement::Alone),
            (self.rules.cardinal)(count, Agreement::Alone)
        );
        self.say(&words, numeral.len + 1 + inches);
        true
    }

    /// Four digits are a year after words such as "in", and in our time unless they count something.
    fn is_year(&self, number: u64, next: &str) -> bool {
        if self.rules.year_cues.is_empty() {
            return false;
        }
        let cue = self.rules.year_cues.contains(&self.previous_word().as_str());
        let counts = next.starts_with(char::is_lowercase)
            && next
                .split(|c: char| !c.is_alphabetic())
                .next()
                .is_some_and(|word| word.ends_with('s') && word.len() > 3);
        cue || (1900..2100).contains(&number) && !counts
            || (1100..1900).contains(&number) && self.previous() == Some('(')
    }

    fn ordinal(&mut self, numeral: &Numeral, rest: &str) -> bool {
        let Some(number) = numeral.whole() else { return false };
        if self.language == Language::German && rest.starts_with('.') {
            return self.german_ordinal(number, numeral.len, rest);
        }
        let dot = usize::from(rest.starts_with('.') || rest.starts_with('-') && self.language == Language::Russian);
        let letters: usize = rest[dot..]
            .chars()
            .take_while(|c| c.is_alphabetic() || is_mark(*c) || matches!(c, 'º' | 'ª' | '°'))
            .take(6)
            .map(char::len_utf8)
            .sum();
        let mut suffix = &rest[..dot + letters];
        // "5 °C" is no ordinal, nor is the degree sign alone unless the language writes it for º.
        if letters == 0 || suffix.contains('°') && rest[dot + letters..].starts_with(['C', 'F']) {
            return false;
        }
        if suffix.starts_with('\'') {
            suffix = &suffix[1..];
        }
        let Some(words) = (self.rules.ordinal)(number, suffix) else {
            return false;
        };
        self.say(&words, numeral.len + dot + letters);
        true
    }

    /// German ordinals, "3." before a noun: only where an article or preposition, or another ordinal's word, shows that no
    /// sentence ends.
    fn german_ordinal(&mut self, number: u64, len: usize, rest: &str) -> bool {
        let follows = rest
            .strip_prefix(". ")
            .is_some_and(|next| next.starts_with(char::is_alphabetic));
        let before = self.previous_word();
        let dative = dates::is_dative(&before);
        // "vom 1.–3. Mai"
        let range = ['–', '-']
            .into_iter()
            .find_map(|dash| rest[1..].strip_prefix(dash).map(|next| (dash, next)))
            .filter(|(_, next)| run(next) > 0 && next[run(next)..].starts_with('.'));
        if let Some((dash, _)) = range {
            let Some(words) = (self.rules.ordinal)(number, if dative { ".n" } else { "." }) else {
                return false;
            };
            let words = format!("{words} {}", self.rules.words.to);
            self.say(&words, len + 1 + dash.len_utf8());
            return true;
        }
        let cued = dative
            || matches!(
                before.as_str(),
                "der" | "die" | "das" | "zur" | "jeder" | "jede" | "jedes" | "ein" | "eine"
            );
        let lower = rest
            .strip_prefix(". ")
            .is_some_and(|next| next.starts_with(char::is_lowercase));
        if !follows || !(cued || lower) {
            return false;
        }
        let suffix = if dative { ".n" } else { "." };
        let Some(words) = (self.rules.ordinal)(number, suffix) else {
            return false;
        };
        self.say(&words, len + 1);
        true
    }

    fn percentage(&mut self, numeral: &Numeral, rest: &str) -> bool {
        let (before, after) = self.rules.words.percent;
        let (next, space) = after_space(rest);
        let sign = next.chars().next().filter(|c| matches!(c, '%' | '‰' | '％'));
        let Some(sign) = sign.filter(|sign| *sign == '‰' || !(before.is_empty() && after.is_empty())) else {
            return false;
        };
        if self.unit_at(next, space > 0).is_some() {
            return false;
        }
        let number = self.plain(numeral, Agreement::Alone);
        let gap = self.rules.space;
        let words = match (sign, before) {
            ('‰', _) if gap.is_empty() => format!("{}{number}", self.rules.words.permille),
            ('‰', _) => format!("{number}{gap}{}", self.rules.words.permille),
            (_, "") => format!("{number}{gap}{after}"),
            _ => format!("{before}{number}"),
        };
        self.say(&words, numeral.len + space + sign.len_utf8());
        true
    }

    /// The unit whose symbol `text` begins with, and the symbol's length.
    fn unit_at(&self, text: &str, spaced: bool) -> Option<(&'static Unit, usize)> {
        let mut best: Option<(&Unit, usize)> = None;
        for unit in self.rules.units {
            for symbol in unit.symbols.split(' ') {
                let Some(after) = text.strip_prefix(symbol) else {
                    continue;
                };
                let ends_in_letter = symbol.ends_with(char::is_alphabetic);
                let cut = ends_in_letter
                    && (after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '\'')
                        || after.starts_with(char::is_alphabetic) && !(symbol.is_ascii() && self.latin_is_foreign()));
                // "5 m-long" is one, "5 t-shirts" is none; "5 s" after a space may be anything.
                let joined = ends_in_letter
                    && symbol.chars().count() == 1
                    && spaced
                    && after.starts_with(['-', '.', '/'])
                    && after[1..].starts_with(char::is_alphabetic);
                if !cut && !joined && best.is_none_or(|(_, len)| symbol.len() > len) {
                    best = Some((unit, symbol.len()));
                }
            }
        }
        best
    }

    /// Ranges ("3–5", "1939–1945", "10 – 12"): says the first number and the word between; the second is read next.
    fn range(&mut self, first: &Numeral) -> bool {
        let rest = &self.rest()[first.len..];
        let spaced = rest.strip_prefix(' ').unwrap_or(rest);
        let Some(sign) = spaced
            .chars()
            .next()
            .filter(|c| matches!(c, '–' | '-' | '—' | '~' | '〜' | '～' | ':'))
        else {
            return false;
        };
        // "1:2" is a ratio; only Chinese has a word for it here.
        if sign == ':' && self.language != Language::Chinese {
            return false;
        }
        let is_spaced = spaced.len() < rest.len();
        if is_spaced && sign != '–' {
            return false;
        }
        let after = &spaced[sign.len_utf8()..];
        let second = if is_spaced {
            after.strip_prefix(' ').unwrap_or("")
        } else {
            after
        };
        let Some(numeral) = parse(second, self.rules) else {
            return false;
        };
        let tail = &second[numeral.len..];
        // A chain of digits and hyphens is an identifier, and so is a number that letters follow at once.
        let chained = sign == '-'
            && (tail.starts_with('-') && run(&tail[1..]) > 0
                || first.integer.starts_with('0') && first.integer.len() > 1);
        if chained || first.integer.len() > 9 {
            return false;
        }
        let years = first.is_year() && (numeral.is_year() || numeral.len == 2);
        let words = match first.whole() {
            Some(year) if years => (self.rules.year)(year),
            _ => self.plain(first, Agreement::Alone),
        };
        let skipped = self.rest().len() - second.len();
        self.say(&words, first.len);
        // Russian says ranges of small numbers by a pause ("три – пять минут").
        let link = match self.rules.words.to {
            _ if sign == ':' => self.rules.words.over,
            "–" => " ",
            to => to,
        };
        self.say(link.trim(), skipped - first.len);
        if link == " " {
            self.out.push(' ');
        }
        if years && numeral.is_year() {
            let year = numeral.whole().unwrap_or_default();
            let (next, _) = after_space(tail);
            if counted(self.language, year, "", next).is_none() {
                self.say(&(self.rules.year)(year), numeral.len);
                return true;
            }
        }
        self.quantity(&numeral);
        true
    }

    /// Fractions ("1/2", "3/4"); other pairs are read over each other.
    fn part(&mut self) -> bool {
        let text = self.rest();
        let first = run(text);
        let Some(after) = text[first..].strip_prefix('/') else {
            return false;
        };
        let second = run(after);
        let tail = &after[second..];
        if second == 0 || first > 4 || second > 4 || tail.starts_with('/') || begins_word(tail) {
            return false;
        }
        let (Ok(numerator), Ok(denominator)) = (text[..first].parse::<u64>(), after[..second].parse::<u64>()) else {
            return false;
        };
        let named = (numerator < denominator && denominator <= 100)
            .then(|| (self.rules.part)(numerator, denominator))
            .flatten();
        let words = named.unwrap_or_else(|| {
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
        true
    }

    /// Versions and the like ("2.0.1", "192.168.0.1"): parts with points between.
    fn version(&mut self) -> bool {
        let text = self.rest();
        let len = text.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
        let written = text[..len].trim_end_matches('.');
        let parts: Vec<&str> = written.split('.').collect();
        let grouped = parse(text, self.rules).is_some_and(|numeral| numeral.len >= written.len());
        if parts.len() < 3 || parts.iter().any(|part| part.is_empty()) || grouped {
            return false;
        }
        let gap = self.rules.space;
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
