//! The lexicon of questions in twelve languages: the tables `words.tsv`, `units.tsv` and `numerals.tsv`.

use std::sync::OnceLock;

use quartet_api::Language;
use rustc_hash::FxHashMap;

use super::calendar;

/// A meaning of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A filler that does not change the answer.
    Glue,
    /// `+`, `-`, `*`, `/` or `^`.
    Operator(char),
    /// A suffix of a number: `^2`, `^3`, `!`.
    Suffix(&'static str),
    /// A prefix function.
    Function(&'static str),
    /// The square root as a suffix.
    RootOfThat,
    Open,
    Close,
    Percent,
    Of,
    /// Between a whole and its part, in languages that name the whole first.
    Whose,
    Numeral(u8),
    Unit(&'static Unit),
    MonthOfYear(i8),
    Months,
    Years,
    Today,
    Tomorrow,
    Yesterday,
    AskWeekday,
    AskDate,
    AskTime,
    AskLeap,
    Until,
    Since,
    Between,
    After,
    Before,
}

/// A unit of measurement.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// Its name in the engine.
    pub name: &'static str,
    /// Its dimension.
    pub dimension: &'static str,
}

/// The phrases of a language, and the length of the longest in characters.
pub(super) struct Lexicon {
    phrases: FxHashMap<&'static str, Vec<Meaning>>,
    pub longest: usize,
}

impl Lexicon {
    /// The possible meanings of a phrase.
    pub fn find(&self, phrase: &str) -> Option<&[Meaning]> {
        self.phrases.get(phrase).map(Vec::as_slice)
    }

    fn add(&mut self, phrase: &'static str, meaning: Meaning) {
        if phrase.is_empty() {
            return;
        }
        self.longest = self.longest.max(phrase.chars().count());
        let meanings = self.phrases.entry(phrase).or_default();
        if !meanings.contains(&meaning) {
            meanings.push(meaning);
        }
    }
}

/// The lexicon of a language.
pub(super) fn of(language: Language) -> &'static Lexicon {
    static ALL: [OnceLock<Lexicon>; 12] = [const { OnceLock::new() }; 12];
    ALL[language as usize].get_or_init(|| read(language))
}

fn read(language: Language) -> Lexicon {
    let mut lexicon = Lexicon {
        phrases: FxHashMap::default(),
        longest: 0,
    };
    let code = language.code();
    for line in rows(include_str!("words.tsv")) {
        let mut fields = line.split('\t');
        let (Some(word), Some(of), Some(phrases)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        if let Some(meaning) = meaning(word).filter(|_| of == code) {
            phrases.split('|').for_each(|phrase| lexicon.add(phrase, meaning));
        }
    }
    for line in rows(include_str!("numerals.tsv")) {
        if let Some((_, words)) = line.split_once('\t').filter(|(of, _)| *of == code) {
            for (value, word) in (0..).zip(words.split('|')) {
                lexicon.add(word, Meaning::Numeral(value));
            }
        }
    }
    for (unit, line) in units() {
        let mut fields = line.split('\t').skip(2);
        let everywhere = fields.next().unwrap_or_default().split(',');
        everywhere.for_each(|name| lexicon.add(name, Meaning::Unit(unit)));
        let own = fields.next().unwrap_or_default().split(';');
        for names in own.filter_map(|names| names.strip_prefix(code)?.strip_prefix(':')) {
            names.split(',').for_each(|name| lexicon.add(name, Meaning::Unit(unit)));
        }
    }
    for (month, names) in (1..).zip(calendar::month_names(language)) {
        names
            .into_iter()
            .for_each(|name| lexicon.add(name, Meaning::MonthOfYear(month)));
    }
    for (sign, meaning) in SYMBOLS {
        lexicon.add(sign, meaning);
    }
    lexicon
}

const SYMBOLS: [(&str, Meaning); 22] = [
    ("+", Meaning::Operator('+')),
    ("-", Meaning::Operator('-')),
    ("−", Meaning::Operator('-')),
    ("*", Meaning::Operator('*')),
    ("×", Meaning::Operator('*')),
    ("·", Meaning::Operator('*')),
    ("x", Meaning::Operator('*')),
    ("/", Meaning::Operator('/')),
    ("÷", Meaning::Operator('/')),
    ("^", Meaning::Operator('^')),
    ("**", Meaning::Operator('^')),
    ("²", Meaning::Suffix("^2")),
    ("³", Meaning::Suffix("^3")),
    ("!", Meaning::Suffix("!")),
    ("√", Meaning::Function("sqrt")),
    ("sqrt", Meaning::Function("sqrt")),
    ("(", Meaning::Open),
    (")", Meaning::Close),
    ("%", Meaning::Percent),
    ("٪", Meaning::Percent),
    ("=", Meaning::Glue),
    (":", Meaning::Glue),
];

fn meaning(word: &str) -> Option<Meaning> {
    Some(match word {
        "glue" => Meaning::Glue,
        "+" => Meaning::Operator('+'),
        "-" => Meaning::Operator('-'),
        "*" => Meaning::Operator('*'),
        "/" => Meaning::Operator('/'),
        "^" => Meaning::Operator('^'),
        "^2" => Meaning::Suffix("^2"),
        "^3" => Meaning::Suffix("^3"),
        "sqrt" => Meaning::Function("sqrt"),
        "cbrt" => Meaning::Function("cbrt"),
        "sqrt<" => Meaning::RootOfThat,
        "percent" => Meaning::Percent,
        "of" => Meaning::Of,
        "whose" => Meaning::Whose,
        "month" => Meaning::Months,
        "year" => Meaning::Years,
        "today" => Meaning::Today,
        "tomorrow" => Meaning::Tomorrow,
        "yesterday" => Meaning::Yesterday,
        "weekday?" => Meaning::AskWeekday,
        "date?" => Meaning::AskDate,
        "time?" => Meaning::AskTime,
        "leap?" => Meaning::AskLeap,
        "until" => Meaning::Until,
        "since" => Meaning::Since,
        "between" => Meaning::Between,
        "after" => Meaning::After,
        "before" => Meaning::Before,
        _ => return None,
    })
}

fn rows(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#'))
}

/// Each unit with its row.
fn units() -> impl Iterator<Item = (&'static Unit, &'static str)> {
    static UNITS: OnceLock<Vec<Unit>> = OnceLock::new();
    let table = || rows(include_str!("units.tsv"));
    let units = UNITS.get_or_init(|| {
        table()
            .map(|row| {
                let mut fields = row.split('\t');
                Unit {
                    name: fields.next().unwrap_or_default(),
                    dimension: fields.next().unwrap_or_default(),
                }
            })
            .collect()
    });
    units.iter().zip(table())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_tables_is_read() {
        for row in rows(include_str!("words.tsv")) {
            let fields: Vec<_> = row.split('\t').collect();
            assert_eq!(fields.len(), 3, "{row}");
            assert!(meaning(fields[0]).is_some(), "{row}");
            assert!(fields[1].parse::<Language>().is_ok(), "{row}");
        }
        for row in rows(include_str!("units.tsv")) {
            let fields: Vec<_> = row.split('\t').collect();
            assert!((3..=4).contains(&fields.len()), "{row}");
            let names = fields
                .get(3)
                .copied()
                .unwrap_or_default()
                .split(';')
                .filter(|names| !names.is_empty());
            for names in names {
                let (code, _) = names.split_once(':').unwrap();
                assert!(code.parse::<Language>().is_ok(), "{row}");
            }
        }
    }
}
