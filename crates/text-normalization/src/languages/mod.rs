//! What each language says for numbers, symbols, units and abbreviations: the shape of the tables and who owns which.
//!
//! The tables hold knowledge only. Finding a date or a price in running text is the matter of `normalise`.

mod arabic;
mod build;
mod chinese;
mod english;
mod french;
mod german;
mod hindi;
mod italian;
mod japanese;
mod korean;
mod portuguese;
mod russian;
mod spanish;

pub(super) use build::{digits, pure_number};
use quartet_api::Language;

/// What a number word must agree with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Agreement {
    /// No noun follows: counting.
    Alone,
    /// A masculine noun follows (or, where gender is unknown to the language, any noun).
    Masculine,
    /// A feminine noun follows.
    Feminine,
    /// A neuter noun follows.
    Neuter,
}

/// A day of the calendar, as far as the text names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Date {
    /// The year, if written.
    pub year: Option<u64>,
    /// 1 to 12.
    pub month: usize,
    /// 1 to 31, if written.
    pub day: Option<u64>,
    /// Whether the words stand inside a sentence that needs the oblique form ("am dritten", "третьего").
    pub oblique: bool,
}

/// A unit of measurement or of money.
#[derive(Debug)]
pub(super) struct Unit {
    /// The written symbols, separated by one space each; matched with their case.
    pub symbols: &'static str,
    /// One, few (or a fraction), many.
    pub forms: [&'static str; 3],
    /// The gender that the number agrees with.
    pub gender: Agreement,
}

/// A currency: its unit and its hundredth.
#[derive(Debug)]
pub(super) struct Currency {
    /// The written symbols and codes, separated by one space each.
    pub symbols: &'static str,
    /// One, few, many.
    pub forms: [&'static str; 3],
    /// The gender of the unit.
    pub gender: Agreement,
    /// The hundredth: one, few, many. Empty strings if none is in use.
    pub cents: [&'static str; 3],
}

/// When an abbreviation is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Anywhere; its full stop may be the sentence's, too.
    Anywhere,
    /// Before a name: its full stop never ends a sentence.
    Title,
    /// Only before a number.
    BeforeNumber,
    /// Only after a number.
    AfterNumber,
}

/// One abbreviation. A space in `written` stands for an optional space in the text.
pub(super) type Abbreviation = (&'static str, &'static str, Place);

/// The words for symbols.
#[derive(Debug)]
pub(super) struct Words {
    /// Before negative numbers.
    pub minus: &'static str,
    /// `+`.
    pub plus: &'static str,
    /// `=`.
    pub equals: &'static str,
    /// `×`.
    pub times: &'static str,
    /// `÷`.
    pub divided: &'static str,
    /// Between the ends of a range.
    pub to: &'static str,
    /// Between numerator and denominator without a name of their own.
    pub over: &'static str,
    /// `&`.
    pub and: &'static str,
    /// `@`.
    pub at: &'static str,
    /// `.` in an address.
    pub dot: &'static str,
    /// `/` in an address.
    pub slash: &'static str,
    /// `-` in an address.
    pub hyphen: &'static str,
    /// `_` in an address.
    pub underscore: &'static str,
    /// `#` before a tag.
    pub hashtag: &'static str,
    /// `№`, or `#` before a number.
    pub number: &'static str,
    /// Before and after the number of a percentage.
    pub percent: (&'static str, &'static str),
    /// After the number of a `‰`.
    pub permille: &'static str,
    /// `.` of a version number.
    pub point: &'static str,
    /// `§`.
    pub section: &'static str,
    /// `<` between numbers.
    pub less: &'static str,
    /// `>` between numbers.
    pub greater: &'static str,
    /// `±`.
    pub plus_minus: &'static str,
    /// `≈` or `~` before a number.
    pub about: &'static str,
}

/// How Roman numerals are read after a ruler's name; elsewhere they are cardinals or, before a century, `century`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rulers {
    /// Always cardinals.
    Cardinals,
    /// Always ordinals.
    Ordinals,
    /// Ordinals up to ten.
    OrdinalsToTen,
    /// Only the first is an ordinal.
    FirstOnly,
}

/// Everything one language knows.
pub(super) struct Rules {
    /// Words for symbols.
    pub words: Words,
    /// The sign before decimals, `.` or `,`.
    pub decimal: char,
    /// Whether an ordinary space groups digits ("1 234 567").
    pub space_groups: bool,
    /// Whether 3/15 is the fifteenth of March.
    pub month_first: bool,
    /// What stands between words: a space, or nothing in Chinese.
    pub space: &'static str,
    /// Month names as written in texts, in lower case, with their numbers.
    pub months: &'static [(&'static str, usize)],
    /// Spells an integer.
    pub cardinal: fn(u64, Agreement) -> String,
    /// Spells a number with decimals (integer and decimals as digits).
    pub fraction: fn(&str, &str) -> String,
    /// Spells an ordinal written as digits plus `suffix` (without it, as "3." is in German); `None` if the suffix is no ordinal's.
    pub ordinal: fn(u64, &str) -> Option<String>,
    /// Spells a year.
    pub year: fn(u64) -> String,
    /// Spells a date.
    pub date: fn(Date) -> String,
    /// Spells a time of day: hours, minutes, seconds.
    pub time: fn(u64, u64, Option<u64>) -> String,
    /// Spells numerator and denominator, if the pair has a name.
    pub part: fn(u64, u64) -> Option<String>,
    /// Which of a unit's forms a count takes (0, 1 or 2).
    pub form: fn(u64) -> usize,
    /// The unit's form after decimals.
    pub form_of_decimals: usize,
    /// Units of measurement.
    pub units: &'static [Unit],
    /// Currencies.
    pub currencies: &'static [Currency],
    /// The word between the unit of a price and its hundredths, with its spaces.
    pub price_link: &'static str,
    /// Words such as "million" which stand between a price's number and its currency, as written → as said.
    pub scales: &'static [(&'static str, &'static str)],
    /// Abbreviations, longer ones before those that begin alike.
    pub abbreviations: &'static [Abbreviation],
    /// Names of rulers, in lower case.
    pub rulers: &'static [&'static str],
    /// How they are counted.
    pub ruler_style: Rulers,
    /// Words (lower case) beside which a Roman numeral is read as an ordinal: centuries.
    pub centuries: &'static [&'static str],
    /// Words in capitals which are said letter by letter although they look like words.
    pub spelled: &'static [&'static str],
    /// Words (lower case) after which four digits are a year.
    pub year_cues: &'static [&'static str],
}

/// The tables of a language.
pub(super) fn rules(language: Language) -> &'static Rules {
    match language {
        Language::English => &english::RULES,
        Language::Hindi => &hindi::RULES,
        Language::Spanish => &spanish::RULES,
        Language::French => &french::RULES,
        Language::German => &german::RULES,
        Language::Italian => &italian::RULES,
        Language::Portuguese => &portuguese::RULES,
        Language::Russian => &russian::RULES,
        Language::Japanese => &japanese::RULES,
        Language::Chinese => &chinese::RULES,
        Language::Korean => &korean::RULES,
        Language::Arabic => &arabic::RULES,
    }
}

/// How a number before a noun is said where that differs from counting: Korean native numbers, Chinese 两, Russian cases,
/// the gender of one in the Romance languages and in German. `previous` is the word before, in lower case; `following` the
/// text after the number and its space. Returns the words and how many bytes of `following` they say too.
pub(super) fn counted(language: Language, number: u64, previous: &str, following: &str) -> Option<(String, usize)> {
    match language {
        Language::Korean => korean::counted(number, previous, following),
        Language::Chinese => chinese::counted(number, previous, following),
        Language::Russian => russian::counted(number, previous, following),
        Language::Spanish | Language::Portuguese | Language::Italian | Language::German => {
            let agreement = build::agreement(language, number, following)?;
            Some(((rules(language).cardinal)(number, agreement), 0))
        }
        _ => None,
    }
}
