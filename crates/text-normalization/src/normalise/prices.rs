//! Prices: the currency before or after its number, hundredths, "million" between.

use quartet_api::Language;

use super::super::languages::{Agreement, Currency};
use super::numerals::{Numeral, parse};
use super::{Scanner, after_space, begins_word};

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
        let Some(numeral) = parse(next, self.rules) else {
            return false;
        };
        let total = len + space + numeral.len;
        let (after, gap) = after_space(&next[numeral.len..]);
        if let Some((scale, read)) = self.scale_at(after) {
            let words = self.scaled(&numeral, scale, currency);
            self.say(&words, total + gap + read);
            return true;
        }
        let words = self.price(&numeral, currency);
        self.say(&words, total);
        true
    }

    /// The scale between number and currency: "5 million dollars", "5 Mio. €".
    pub(super) fn scaled_price(&mut self, numeral: &Numeral, rest: &str) -> bool {
        let (next, space) = after_space(rest);
        let Some((scale, read)) = self.scale_at(next) else {
            return false;
        };
        let (after, gap) = after_space(&next[read..]);
        let Some((currency, len)) = self.currency_at(after) else {
            return false;
        };
        let words = self.scaled(numeral, scale, currency);
        self.say(&words, numeral.len + space + read + gap + len);
        true
    }

    fn scaled(&self, numeral: &Numeral, scale: &str, currency: &Currency) -> String {
        let gap = self.rules.space;
        let unit = currency.forms[2];
        let number = self.plain(numeral, Agreement::Masculine);
        match scale.strip_suffix("de") {
            // "un million d'euros"
            Some(scale) if self.language == Language::French && unit.starts_with(['e', 'a', 'o']) => {
                format!("{number} {scale}d'{unit}")
            }
            _ => format!("{number}{gap}{scale}{gap}{unit}"),
        }
    }

    fn scale_at(&self, text: &str) -> Option<(&'static str, usize)> {
        let (written, said) = self.rules.scales.iter().find(|(written, _)| {
            text.strip_prefix(written)
                .is_some_and(|after| self.rules.space.is_empty() || !begins_word(after))
        })?;
        Some((said, written.len()))
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
        let gender = if currency.cents[0].ends_with(['a', 'а', 'e']) {
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
