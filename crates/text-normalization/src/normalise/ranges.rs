//! Ranges of numbers, and scores and ratios.

use quartet_api::Language;

use super::super::languages::{Agreement, counted, digits, russian_case, russian_declined};
use super::numerals::{Numeral, parse, run};
use super::{Scanner, after_space};

impl Scanner<'_> {
    /// Dates that are names ("6·25 전쟁", "9·11事件"): digit by digit.
    pub(super) fn named_date(&mut self, first: &Numeral) -> bool {
        let Some(after) = self.rest()[first.len..].strip_prefix('·') else {
            return false;
        };
        let second = run(after);
        let spaceless = matches!(self.language, Language::Korean | Language::Chinese);
        if !spaceless || !(1..=2).contains(&first.len) || !(1..=2).contains(&second) || after[second..].starts_with('·')
        {
            return false;
        }
        let words = [&first.integer, &after[..second]].map(|part| digits(part, self.rules.cardinal, ""));
        self.say(&words.concat(), first.len + '·'.len_utf8() + second);
        true
    }

    /// Scores and ratios ("3:2"): says the first number and the word between; the second is read next.
    pub(super) fn ratio(&mut self, first: &Numeral) -> bool {
        let Some(after) = self.rest()[first.len..].strip_prefix(':') else {
            return false;
        };
        let Some(second) = parse(after, self.rules) else {
            return false;
        };
        let tail = &after[second.len..];
        let whole = first.whole().is_some() && second.whole().is_some() && !first.grouped && !second.grouped;
        if !whole || tail.starts_with(':') && run(&tail[1..]) > 0 || tail.starts_with(|c: char| c.is_ascii_alphabetic())
        {
            return false;
        }
        let words = [first, &second].map(|numeral| self.plain(numeral, Agreement::Alone));
        let gap = self.rules.space;
        let ratio = self.rules.words.ratio;
        let between = if ratio == " " {
            ratio.to_owned()
        } else {
            format!("{gap}{ratio}{gap}")
        };
        self.say(&words.join(&between), first.len + 1 + second.len);
        true
    }

    /// Ranges ("3–5", "1939–1945", "10 – 12"): says the first number and the word between; the second is read next.
    pub(super) fn range(&mut self, first: &Numeral) -> bool {
        let rest = &self.rest()[first.len..];
        let spaced = rest.strip_prefix(' ').unwrap_or(rest);
        let Some(sign) = spaced
            .chars()
            .next()
            .filter(|c| matches!(c, '–' | '-' | '—' | '~' | '〜' | '～'))
        else {
            return false;
        };
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
            && (tail.starts_with('-') && tail[1..].starts_with(|c: char| c.is_ascii_alphanumeric())
                || self.text[..self.at].ends_with('-')
                    && self.text[..self.at - 1].ends_with(|c: char| c.is_ascii_alphabetic())
                || first.integer.starts_with('0') && first.integer.len() > 1);
        if chained || first.integer.len() > 9 {
            return false;
        }
        let years = first.is_year() && (numeral.is_year() || numeral.len == 2);
        let words = match first.whole() {
            Some(year) if years => self.year_in_range(year, numeral.is_year(), tail),
            Some(count) if self.language == Language::Russian => {
                russian_declined(count, Agreement::Masculine, russian_case(&self.governor()))
            }
            // "열에서 스무 명"
            Some(count) if self.language == Language::Korean => counted(self.language, count, "", after_space(tail).0)
                .map_or_else(
                    || self.plain(first, Agreement::Alone),
                    |(words, _)| words.trim_end().to_owned(),
                ),
            _ => self.plain(first, Agreement::Alone),
        };
        let skipped = self.rest().len() - second.len();
        self.say(&words, first.len);
        // Russian says ranges of small numbers by a pause ("три – пять минут").
        let link = match self.rules.words.to {
            "–" => " ",
            _ if self.language == Language::Korean
                && ['년', '월', '일', '시']
                    .iter()
                    .any(|unit| tail.starts_with(*unit) && !tail.starts_with("시간")) =>
            {
                "부터 "
            }
            _ if self.language == Language::Korean => "에서 ",
            to => to,
        };
        self.say(link.trim(), skipped - first.len);
        if link.ends_with(' ') {
            self.out.push(' ');
        }
        if years && numeral.is_year() {
            let year = numeral.whole().unwrap_or_default();
            let (next, _) = after_space(tail);
            if self.language == Language::Russian || counted(self.language, year, "", next).is_none() {
                self.say(&self.year_in_range(year, true, tail), numeral.len);
                return true;
            }
        }
        self.quantity(&numeral);
        true
    }

    /// A year of a range; Russian ones are ordinals in the case of their noun or preposition.
    fn year_in_range(&self, year: u64, both: bool, tail: &str) -> String {
        let (next, _) = after_space(tail);
        let suffix = match self.governor().as_str() {
            _ if next.starts_with("годах") => "м",
            _ if next.starts_with("годов") => "го",
            "в" | "во" if next.starts_with("гг") => "м",
            _ => "й",
        };
        let ordinal = (self.language == Language::Russian && both)
            .then(|| (self.rules.ordinal)(year, suffix))
            .flatten();
        ordinal.unwrap_or_else(|| (self.rules.year)(year))
    }
}
