//! Prices: the currency before or after its number, hundredths, "million" between.

use quartet_api::Language;

use super::super::languages::{Agreement, Currency};
use super::numerals::{Numeral, parse, run};
use super::{Scanner, after_space, begins_word};

/// A word for a large number between a number and what it counts.
struct Scale {
    /// As it is said.
    said: &'static str,
    /// Its forms and gender, if it was abbreviated.
    forms: Option<(&'static [&'static str; 3], Agreement)>,
    gender: Agreement,
    /// Bytes read.
    len: usize,
    /// True for a whole word.
    written: bool,
}

impl Scanner<'_> {
    /// The currency whose symbol `text` begins with.
    pub(super) fn currency_at(&self, text: &str) -> Option<(&'static Currency, usize)> {
        let first = text.chars().next()?;
        let mut best: Option<(&Currency, usize)> = None;
        for currency in self.rules.currencies {
            for symbol in currency.symbols.split(' ').filter(|symbol| symbol.starts_with(first)) {
                let Some(after) = text.strip_prefix(symbol) else {
                    continue;
                };
                let cut = symbol.ends_with(char::is_alphabetic)
                    && after.starts_with(|c: char| c.is_alphabetic())
                    && !(after.starts_with(|c: char| !c.is_ascii()) && self.rules.space.is_empty());
                if !cut && best.is_none_or(|(_, len)| symbol.len() > len) {
                    best = Some((currency, symbol.len()));
                }
            }
        }
        best
    }

    /// A currency sign before its number: "$5.99", "R$ 10". Says both and returns true, or does nothing.
    pub(super) fn price_first(&mut self) -> bool {
        let Some((currency, len)) = self.currency_at(self.rest()) else {
            return false;
        };
        let (next, space) = after_space(&self.rest()[len..]);
        let leading = next.starts_with('.') && self.rules.decimal == '.';
        let digits = if leading { run(&next[1..]) } else { 0 };
        let found = match digits {
            0 => parse(next, self.rules),
            // "$.05"
            _ => Some(Numeral {
                integer: "0".into(),
                decimals: Some(next[1..1 + digits].to_owned()),
                grouped: false,
                len: 1 + digits,
            }),
        };
        let Some(numeral) = found else {
            return false;
        };
        let total = len + space + numeral.len;
        let (after, gap) = after_space(&next[numeral.len..]);
        if let Some(scale) = self.scale_at(after) {
            let words = self.with_scale(&numeral, &scale, currency.forms[2]);
            self.say(&words, total + gap + scale.len);
            return true;
        }
        let words = self.price(&numeral, currency);
        self.say(&words, total);
        self.per();
        true
    }

    /// A large number with its abbreviation or word, and the currency or unit after it: "5 Mio. €", "22 тыс. км", "3 million
    /// dollars". Words without anything after them are left to be read as they are written.
    pub(super) fn scaled(&mut self, numeral: &Numeral, rest: &str) -> bool {
        let (next, space) = after_space(rest);
        let Some(scale) = self.scale_at(next) else {
            return false;
        };
        let (after, gap) = after_space(&next[scale.len..]);
        let read = numeral.len + space + scale.len;
        let counted = match self.currency_at(after) {
            Some((currency, len)) => Some((currency.forms[2], len)),
            None => self.unit_at(after, gap > 0).map(|(unit, len)| (unit.forms[2], len)),
        };
        if let Some((noun, len)) = counted {
            let words = self.with_scale(numeral, &scale, noun);
            self.say(&words, read + gap + len);
            return true;
        }
        if scale.written {
            return false;
        }
        let dot = next[..scale.len].ends_with('.');
        let ends = dot
            && (after.is_empty()
                || after.starts_with('\n')
                || after.starts_with(char::is_uppercase) && self.language != Language::German);
        let words = self.with_scale(numeral, &scale, "");
        self.say(&words, read);
        self.number_end = self.at;
        if ends {
            self.stop();
        }
        true
    }

    fn with_scale(&self, numeral: &Numeral, scale: &Scale, noun: &str) -> String {
        let gap = self.rules.space;
        let number = match scale.forms {
            Some((forms, gender)) => self.counted_noun(numeral, forms, gender),
            None => {
                let half = self.half(numeral).map(str::to_owned);
                let number = half.unwrap_or_else(|| self.plain(numeral, scale.gender));
                format!("{number}{gap}{}", scale.said)
            }
        };
        if noun.is_empty() {
            return number;
        }
        // The word between is part of some words already ("millones de").
        let said = number
            .strip_suffix(self.rules.of.trim_end())
            .filter(|_| !self.rules.of.is_empty());
        let number = said.unwrap_or(&number).trim_end();
        let thousand = scale.said.starts_with("mil") && scale.said.len() <= 5 || scale.said == "tausend";
        let of = if thousand { "" } else { self.of_before(noun) };
        format!("{number}{gap}{of}{noun}")
    }

    fn scale_at(&self, text: &str) -> Option<Scale> {
        for unit in self.rules.magnitudes {
            for symbol in unit.symbols.split(' ') {
                let fits = text
                    .strip_prefix(symbol)
                    .is_some_and(|after| symbol.ends_with('.') || !begins_word(after));
                if fits {
                    return Some(Scale {
                        said: unit.forms[2],
                        forms: Some((&unit.forms, unit.gender)),
                        gender: unit.gender,
                        len: symbol.len(),
                        written: false,
                    });
                }
            }
        }
        let (written, said) = self.rules.scales.iter().find(|(written, _)| {
            let head = text.get(..written.len());
            let same =
                head.is_some_and(|head| head == *written || written.len() > 4 && head.eq_ignore_ascii_case(written));
            same && (self.rules.space.is_empty() || !begins_word(&text[written.len()..]))
        })?;
        let gender = match self.language {
            Language::German if said.starts_with("Mil") => Agreement::Feminine,
            Language::Russian if said.starts_with("тысяч") => Agreement::Feminine,
            _ => Agreement::Masculine,
        };
        Some(Scale {
            said,
            forms: None,
            gender,
            len: written.len(),
            written: true,
        })
    }

    pub(super) fn price(&self, numeral: &Numeral, currency: &Currency) -> String {
        let hundredths = numeral
            .decimals
            .as_ref()
            .filter(|decimals| decimals.len() <= 2 && !currency.cents[0].is_empty());
        let Some(decimals) = hundredths else {
            return self.counted_noun(numeral, &currency.forms, currency.gender);
        };
        let whole = Numeral {
            decimals: None,
            ..numeral.clone()
        };
        let units = self.counted_noun(&whole, &currency.forms, currency.gender);
        let cents: u64 = format!("{decimals:0<2}").parse().unwrap_or(0);
        if cents == 0 {
            return units;
        }
        let gender = if currency.cents[0].ends_with(['a', 'а'])
            || currency.cents[0].ends_with('e') && self.language == Language::German
        {
            Agreement::Feminine
        } else {
            Agreement::Masculine
        };
        let cents = format!(
            "{} {}",
            (self.rules.cardinal)(cents, gender),
            currency.cents[(self.rules.form)(cents)]
        );
        if whole.whole() == Some(0) {
            cents
        } else {
            format!("{units}{}{cents}", self.rules.price_link)
        }
    }
}
