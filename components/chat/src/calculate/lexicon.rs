//! The lexicon of questions in twelve languages: the tables `words.tsv` and `numerals.tsv`, and the names of units. Its words are certain;
//! what they mean together is not for tables to say.

use std::sync::OnceLock;

use quartet_api::Language;
use quartet_measures::units::{self, Unit};
use rustc_hash::FxHashMap;

use super::calendar;
use super::term::Operation;

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
    Open,
    Close,
    Percent,
    Of,
    Numeral(u8),
    Unit(&'static Unit),
    MonthOfYear(i8),
    Months,
    Years,
    Today,
    Tomorrow,
    Yesterday,
    Overmorrow,
    Ereyesterday,
    AskWeekday,
    AskDate,
    AskTime,
    AskLeap,
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
    for (unit, name) in units::names_in(language) {
        lexicon.add(name, Meaning::Unit(unit));
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
        "percent" => Meaning::Percent,
        "of" => Meaning::Of,
        "month" => Meaning::Months,
        "year" => Meaning::Years,
        "today" => Meaning::Today,
        "tomorrow" => Meaning::Tomorrow,
        "yesterday" => Meaning::Yesterday,
        "overmorrow" => Meaning::Overmorrow,
        "ereyesterday" => Meaning::Ereyesterday,
        "weekday?" => Meaning::AskWeekday,
        "date?" => Meaning::AskDate,
        "time?" => Meaning::AskTime,
        "leap?" => Meaning::AskLeap,
        _ => return None,
    })
}

/// A kind of rows of `words.tsv` that bear something out.
#[derive(Debug, Clone, Copy)]
pub(super) enum Row<'a> {
    /// Words for a plus.
    Plus,
    /// Words for a minus.
    Minus,
    /// Words that relate a day to today: 1 for tomorrow.
    Relative(i64),
    /// Words for a number.
    Value(&'a str),
    /// Names of a day of the year, `MM-DD`.
    On(&'a str),
    /// Words for hundredths.
    Percent,
    /// Beginnings of words for an operation.
    Operation(Operation),
    /// Words for an age.
    Ages,
    /// Words, or parts of words, for the end of a period or for what is left of it.
    End,
    /// Words for the week that today is in.
    ThisWeek,
    /// Words, or parts of words, for a price that is less than before.
    PriceCut,
    /// Words, or parts of words, for a share that a sum has in it already.
    Included,
    /// Words, or parts of words, for a sum without its tax.
    Without,
    /// Words, or parts of words, for each of those who share.
    Each,
    /// Words by which something is done with a result, or which ask for more.
    Further,
    /// Words that ask for the weekday.
    AskWeekday,
    /// Words, or parts of words, for days of work, which are not counted here.
    Workdays,
    /// Words that ask for leap years.
    AskLeap,
    /// Words before a statement that do not belong to it, such as "so".
    Leads,
    /// Words for powers of ten, such as "million".
    Magnitudes,
}

/// The phrases of a kind of rows, in all languages.
pub(super) fn rows_of(row: Row<'_>) -> impl Iterator<Item = &'static str> {
    let wanted = move |word: &str| match row {
        Row::Plus => word == "+",
        Row::Minus => word == "-",
        Row::Relative(days) => {
            let all = ["ereyesterday", "yesterday", "today", "tomorrow", "overmorrow"];
            usize::try_from(days + 2).ok().and_then(|index| all.get(index)) == Some(&word)
        }
        Row::Value(value) => word.strip_prefix('=').or_else(|| word.strip_prefix("part ")) == Some(value),
        Row::On(day) => word.strip_prefix("on ") == Some(day),
        Row::Percent => word == "percent",
        Row::Operation(Operation::Division) => matches!(word, "/" | "divide" | "each"),
        Row::Operation(Operation::Subtraction) => matches!(word, "-" | "subtract"),
        Row::Operation(Operation::Power) => matches!(word, "^" | "^2" | "^3" | "power"),
        Row::Operation(Operation::Root) => matches!(word, "sqrt" | "cbrt" | "root"),
        Row::Operation(Operation::Mean) => word == "mean",
        Row::Operation(Operation::Factorial) => word == "factorial",
        Row::Operation(Operation::Common) => word == "common",
        Row::Ages => word == "age",
        Row::End => word == "end",
        Row::ThisWeek => word == "this-week",
        Row::PriceCut => word == "price-cut",
        Row::Included => word == "included",
        Row::Without => word == "without",
        Row::Each => word == "each",
        Row::Further => word == "further",
        Row::AskWeekday => word == "weekday?",
        Row::Workdays => word == "workdays",
        Row::AskLeap => word == "leap?",
        Row::Leads => word == "lead",
        Row::Magnitudes => word.strip_prefix('e').is_some_and(|power| power.parse::<u32>().is_ok()),
    };
    words()
        .filter(move |(word, ..)| wanted(word))
        .flat_map(|(.., phrases)| phrases.split('|'))
}

/// Names of days of the year, `MM-DD`, in all languages.
pub(super) fn named_days() -> impl Iterator<Item = (&'static str, &'static str)> {
    words()
        .filter_map(|(word, _, phrases)| Some((word.strip_prefix("on ")?, phrases)))
        .flat_map(|(day, phrases)| phrases.split('|').map(move |phrase| (day, phrase)))
}

/// Days of the year, as `on MM-DD`, with their names in a language.
pub(super) fn days_of(language: Language) -> impl Iterator<Item = (&'static str, &'static str)> {
    words()
        .filter(move |(word, code, _)| word.starts_with("on ") && *code == language.code())
        .map(|(word, _, phrases)| (word, phrases))
}

/// Words of a language for parts of one, such as a third, with the number that is divided by.
pub(super) fn parts(language: Language) -> impl Iterator<Item = (&'static str, &'static str)> {
    words()
        .filter(move |(_, code, _)| *code == language.code())
        .filter_map(|(word, _, phrases)| Some((word.strip_prefix("part ")?, phrases)))
        .flat_map(|(value, phrases)| phrases.split('|').map(move |phrase| (value, phrase)))
}

/// Words of a language for years.
pub(super) fn years(language: Language) -> impl Iterator<Item = &'static str> {
    words()
        .filter(move |(word, code, _)| *word == "year" && *code == language.code())
        .flat_map(|(.., phrases)| phrases.split('|'))
}

/// Words of a language without which a question that has no digits has nothing to compute.
pub(super) fn marks(language: Language) -> impl Iterator<Item = &'static str> {
    const NAMES: [&str; 11] = [
        "mark",
        "age",
        "today",
        "tomorrow",
        "yesterday",
        "overmorrow",
        "ereyesterday",
        "month",
        "year",
        "leap?",
        "time?",
    ];
    let marking = |word: &str| NAMES.contains(&word) || word.starts_with(['=', 'e', 'o']) && word != "of";
    let words = words()
        .filter(move |(word, code, _)| *code == language.code() && marking(word))
        .flat_map(|(.., phrases)| phrases.split('|'));
    let units = units::own_names(language);
    words.chain(units).chain(
        numerals_of(language)
            .filter(|(value, _)| *value > 1)
            .map(|(_, word)| word),
    )
}

/// The rows of `words.tsv`: what they mean, the language's code, the phrases.
fn words() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    rows(include_str!("words.tsv")).filter_map(|line| {
        let mut fields = line.splitn(3, '\t');
        Some((fields.next()?, fields.next()?, fields.next()?))
    })
}

/// Words for a number, in all languages.
pub(super) fn value_words() -> impl Iterator<Item = &'static str> {
    words()
        .filter(|(word, ..)| word.starts_with('=') || word.starts_with("part "))
        .flat_map(|(.., phrases)| phrases.split('|'))
}

/// Powers of ten with their words, in all languages.
pub(super) fn scales() -> impl Iterator<Item = (f64, &'static str)> {
    let table = words().filter_map(|(word, _, phrases)| {
        let power: i32 = word.strip_prefix('e')?.parse().ok()?;
        Some((10_f64.powi(power), phrases))
    });
    table.flat_map(|(scale, words)| words.split('|').map(move |word| (scale, word)))
}

/// Powers of ten that other number words are written together with.
pub(super) const FUSED: [&str; 4] = ["hundert", "tausend", "cento", "mila"];

/// Small numbers with their words, in all languages.
pub(super) fn numerals() -> impl Iterator<Item = (u8, &'static str)> {
    rows(include_str!("numerals.tsv"))
        .filter_map(|line| line.split_once('\t'))
        .flat_map(|(_, words)| (0..).zip(words.split('|')))
}

/// Small numbers with their words in one language.
pub(super) fn numerals_of(language: Language) -> impl Iterator<Item = (u8, &'static str)> {
    rows(include_str!("numerals.tsv"))
        .filter_map(|line| line.split_once('\t'))
        .filter(move |(code, _)| *code == language.code())
        .flat_map(|(_, words)| (0..).zip(words.split('|')))
}

fn rows(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_tables_is_read() {
        for row in rows(include_str!("words.tsv")) {
            let fields: Vec<_> = row.split('\t').collect();
            assert_eq!(fields.len(), 3, "{row}");
            let evidence = fields[0].starts_with(['=', 'e', 'o'])
                || fields[0].starts_with("part ")
                || matches!(
                    fields[0],
                    "mark"
                        | "lead"
                        | "age"
                        | "divide"
                        | "power"
                        | "root"
                        | "mean"
                        | "factorial"
                        | "this-week"
                        | "price-cut"
                        | "included"
                        | "without"
                        | "each"
                        | "further"
                        | "workdays"
                        | "subtract"
                        | "common"
                );
            assert!(meaning(fields[0]).is_some() || evidence, "{row}");
            assert!(fields[1].parse::<Language>().is_ok(), "{row}");
        }
    }
}
