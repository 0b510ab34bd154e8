//! What the numbers of a text count: units, money, coins, hundredths, hours of the morning or the afternoon.
//!
//! Made for comparing what is said with what is written, also across languages. So a kind is as wide as people's words are:
//! the dollars of all countries are one, and so are pounds of money and of weight; and where nothing that is known stands
//! beside a number, it counts anything.

use std::cmp::Reverse;

use quartet_api::Language;

use crate::units::{self, Unit};
use crate::{begins_word, currencies, ends_word, is_dense_char, names_in, rows};

/// A number in digits with what it counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// Its digits, without separators.
    pub digits: String,
    /// The kinds of things that it may count; none where what stands beside it is not known.
    kinds: Vec<&'static str>,
}

impl Quantity {
    /// Returns true if both count something that is known, and not the same.
    #[must_use]
    pub fn differs(&self, other: &Self) -> bool {
        let shared = self.kinds.iter().any(|kind| other.kinds.contains(kind));
        !shared && !self.kinds.is_empty() && !other.kinds.is_empty()
    }
}

/// The numbers of a text in digits, each with what stands beside it in a language.
#[must_use]
pub fn quantities(text: &str, language: Language) -> Vec<Quantity> {
    let text = text.to_lowercase();
    let inside = |c: char| c.is_numeric() || matches!(c, '.' | ',' | '\u{a0}' | '\u{202f}');
    let names = names(language);
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(from) = text[rest..].find(char::is_numeric) {
        let start = rest + from;
        let run = text[start..]
            .find(|c| !inside(c))
            .map_or(text.len(), |length| start + length);
        rest = run;
        let run = &text[start..run];
        let end = start + run.trim_end_matches(|c: char| !c.is_numeric()).len();
        found.push(Quantity {
            digits: run.chars().filter(|c| c.is_numeric()).collect(),
            kinds: kinds_beside(&text, start, end, &names),
        });
    }
    found
}

/// The side of a number on which a name stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

/// A name with the side of a number on which it stands, and the kinds of things that it is for.
struct Name {
    name: &'static str,
    side: Side,
    kinds: &'static [&'static str],
}

/// The kinds that stand beside the number at a place.
fn kinds_beside(text: &str, start: usize, end: usize, names: &[Name]) -> Vec<&'static str> {
    let before = text[..start].trim_end();
    let after = text[end..].trim_start_matches([' ', '-', '\u{2011}', '\u{a0}', '\u{202f}']);
    // What Chinese counts with.
    let after = after.strip_prefix(['个', '個']).unwrap_or(after);
    let beside = |name: &&Name| match name.side {
        Side::Before => before
            .strip_suffix(name.name)
            // "12 € 5" has the sign of its first number there.
            .is_some_and(|rest| begins_word(name.name, rest) && !rest.trim_end().ends_with(char::is_numeric)),
        Side::After => after
            .strip_prefix(name.name)
            .is_some_and(|rest| ends_word(name.name, rest)),
    };
    let mut kinds: Vec<&'static str> = Vec::new();
    for side in [Side::Before, Side::After] {
        // They are sorted by length: "kilometers per hour" comes before "kilometers".
        if let Some(name) = names.iter().filter(|name| name.side == side).find(beside) {
            kinds.extend(name.kinds);
        }
    }
    kinds
}

/// The names of a language, the longest first.
fn names(language: Language) -> Vec<Name> {
    let after = |(name, kinds)| Name {
        name,
        side: Side::After,
        kinds,
    };
    let measured = units::names_in(language)
        .filter(|(_, name)| is_clear(name))
        .map(|(unit, name)| after((name, kinds_of_unit(unit))));
    let money = currencies::names(language).flat_map(|(name, code)| {
        let kinds = kinds_of_money(name, code);
        let is_sign = name.len() == 3 && name.is_ascii() || !name.chars().all(char::is_alphabetic);
        let sign = is_sign.then_some(Name {
            name,
            side: Side::Before,
            kinds,
        });
        [Some(after((name, kinds))), sign]
            .into_iter()
            .flatten()
            .filter(|name| is_clear(name.name))
    });
    let mut all: Vec<Name> = measured.chain(money).chain(others(language)).collect();
    all.sort_by_key(|name| Reverse(name.name.len()));
    all
}

/// Returns false for a letter alone, which may stand for much else.
fn is_clear(name: &str) -> bool {
    let mut letters = name.chars();
    let alone = letters
        .next()
        .is_some_and(|first| first.is_alphabetic() && !is_dense_char(first));
    !alone || letters.next().is_some()
}

/// The names of the table `others.tsv` in a language.
fn others(language: Language) -> impl Iterator<Item = Name> {
    rows(include_str!("../others.tsv")).flat_map(move |row| {
        let mut fields = row.split('\t');
        let kinds: &[&str] = match fields.next() {
            Some("coin") => &["coin"],
            Some("pound") => &["pound"],
            Some("percent") => &["percent"],
            Some("morning") => &["morning"],
            Some("afternoon") => &["afternoon"],
            _ => &[],
        };
        let side = if fields.next() == Some("before") {
            Side::Before
        } else {
            Side::After
        };
        let names = names_in(fields.next().unwrap_or_default(), Some(language.code()));
        names.map(move |name| Name { name, side, kinds })
    })
}

/// The kinds of a unit: units that share a name, or that are written alike, are one.
fn kinds_of_unit(unit: &'static Unit) -> &'static [&'static str] {
    match unit.name {
        "lb" => &["pound"],
        "km" | "km/h" | "km^2" => &["km"],
        "m" | "m/s" | "m^2" | "m^3" => &["m"],
        "cm" | "cm^2" => &["cm"],
        "mile" | "nmi" | "mph" | "mi^2" => &["mile"],
        "foot" | "ft^2" => &["foot"],
        "inch" | "inch^2" => &["inch"],
        "yard" | "yd^2" => &["yard"],
        "oz" | "floz" => &["oz"],
        "teaspoon" | "metric_teaspoon" => &["teaspoon"],
        "tablespoon" | "metric_tablespoon" => &["tablespoon"],
        "hp" | "metric_horsepower" => &["hp"],
        "MB" | "MiB" => &["MB"],
        "GB" | "GiB" => &["GB"],
        _ => std::slice::from_ref(&unit.name),
    }
}

/// The kinds of a currency's name: currencies of several countries with one short name are one.
fn kinds_of_money(name: &str, code: &'static str) -> &'static [&'static str] {
    match code {
        // The sign of both.
        _ if name == "$" => &["dollar", "peso"],
        "USD" | "CAD" | "AUD" => &["dollar"],
        "MXN" | "ARS" | "COP" | "CLP" => &["peso"],
        "GBP" | "EGP" => &["pound"],
        "SEK" | "NOK" | "DKK" | "CZK" => &["krone"],
        "JPY" | "CNY" => &["yen"],
        "SAR" | "BRL" => &["real"],
        "AED" | "MAD" => &["dirham"],
        "EUR" => &["euro"],
        "CHF" => &["franc"],
        "INR" => &["rupee"],
        "RUB" => &["rouble"],
        "KRW" => &["won"],
        _ => &["money"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str, language: Language) -> Quantity {
        quantities(text, language).swap_remove(0)
    }

    #[test]
    fn every_row_of_the_table_is_read() {
        for row in rows(include_str!("../others.tsv")) {
            let fields: Vec<_> = row.split('\t').collect();
            assert_eq!(fields.len(), 3, "{row}");
            assert!(["before", "after"].contains(&fields[1]), "{row}");
            for names in fields[2].split(';') {
                let (code, _) = names.split_once(':').unwrap();
                assert!(code.parse::<Language>().is_ok(), "{row}");
            }
        }
        for language in Language::ALL {
            assert!(others(language).all(|name| !name.kinds.is_empty()));
            for kind in ["coin", "percent"] {
                assert!(others(language).any(|name| name.kinds == [kind]), "{language:?} {kind}");
            }
        }
    }

    #[test]
    fn what_counts_something_else_differs() {
        use Language::{Chinese, English, French, German, Italian, Japanese, Spanish};
        for (said, language, written, of) in [
            ("40 Pfennig", German, "£40", English),
            ("40 Euro", German, "£40 a month", English),
            ("It costs 40 euros.", English, "40 USD", English),
            ("3 Tage", German, "within 3 hours", English),
            ("15 minutes", English, "15 %", English),
            ("25 percent", English, "25 people? 25 km", English),
            ("5 miles", English, "5 Kilometer", German),
            ("10 am", English, "until 10 p.m.", English),
            ("午後3時", Japanese, "午前3時", Japanese),
            ("3个小时", Chinese, "3 days", English),
            ("8 jours", French, "8 mois", French),
            ("20 libras", Spanish, "20 kg", English),
            ("12 centesimi", Italian, "12 €", Italian),
        ] {
            let written = quantities(written, of).pop().unwrap();
            assert!(first(said, language).differs(&written), "{said}: {written:?}");
        }
    }

    #[test]
    fn the_same_in_other_words_and_what_is_not_known_do_not_differ() {
        use Language::{
            Arabic, Chinese, English, French, German, Hindi, Japanese, Korean, Portuguese, Russian, Spanish,
        };
        for (said, language, written, of) in [
            ("40 Pfund", German, "£40", English),
            ("40 livres sterling", French, "£40", English),
            ("40 dollars", English, "C$40", English),
            ("40 pesos", Spanish, "$40", Spanish),
            ("40 dólares", Portuguese, "US$40", English),
            ("40 евро", Russian, "40 €", German),
            ("40ユーロ", Japanese, "EUR 40", English),
            ("40欧元", Chinese, "€ 40", English),
            ("40 يورو", Arabic, "40-euro ticket", English),
            ("40 यूरो", Hindi, "40 euros", English),
            ("40유로", Korean, "40 euros", English),
            ("40 Prozent", German, "40%", English),
            ("百分之40", Chinese, "40 per cent", English),
            ("90 minutes", English, "90-minute", English),
            ("100 km per hour", English, "100 km/h", English),
            ("50 Quadratmeter", German, "50 m²", English),
            ("3 Tage", German, "3", English),
            ("3 Eier", German, "3 hours", English),
            ("3 hours", English, "1 to 3 large eggs", English),
            ("5 metres", English, "5 m", English),
        ] {
            let written = quantities(written, of).pop().unwrap();
            assert!(!first(said, language).differs(&written), "{said}: {written:?}");
        }
    }

    #[test]
    fn numbers_are_found_with_their_separators() {
        let digits = |text| -> Vec<String> {
            let all = quantities(text, Language::English).into_iter();
            all.map(|quantity| quantity.digits).collect()
        };
        assert_eq!(digits("$1,250.50, then 3. In 2024"), ["125050", "3", "2024"]);
        assert_eq!(digits("none"), [""; 0]);
    }
}
