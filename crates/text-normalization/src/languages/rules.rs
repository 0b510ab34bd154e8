//! The shape of a language's tables: numbers, dates, units, currencies, abbreviations and symbols.

/// Grammatical agreement of a number word with the noun that it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Agreement {
    /// Counting: no noun follows.
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
pub(crate) struct Date {
    /// The year, if written.
    pub year: Option<u64>,
    /// 1 to 12.
    pub month: usize,
    /// 1 to 31, if written.
    pub day: Option<u64>,
    /// True inside a sentence that needs the oblique form ("am dritten", "третьего").
    pub oblique: bool,
    /// True after an article that takes the ending of the case ("der dritte").
    pub article: bool,
}

/// A unit of measurement or of money.
#[derive(Debug)]
pub(crate) struct Unit {
    /// The written symbols, separated by one space each; matched with their case.
    pub symbols: &'static str,
    /// One, few (or a fraction), many.
    pub forms: [&'static str; 3],
    /// The gender that the number agrees with.
    pub gender: Agreement,
}

/// A currency: its unit and its hundredth.
#[derive(Debug)]
pub(crate) struct Currency {
    /// The written symbols and codes, separated by one space each.
    pub symbols: &'static str,
    /// One, few, many.
    pub forms: [&'static str; 3],
    /// The gender of the unit.
    pub gender: Agreement,
    /// The hundredth: one, few, many. Empty strings if none is in use.
    pub cents: [&'static str; 3],
}

/// The places where an abbreviation is taken for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
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
pub(crate) type Abbreviation = (&'static str, &'static str, Place);

/// The words for symbols.
#[derive(Debug)]
pub(crate) struct Words {
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
    /// `:` between the numbers of a score or a ratio; a space if nothing is said.
    pub ratio: &'static str,
    /// "24/7".
    pub always: &'static str,
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

/// The reading of Roman numerals after a ruler's name; elsewhere they are cardinals or, before a century, `century`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rulers {
    /// Always cardinals.
    Cardinals,
    /// Always ordinals.
    Ordinals,
    /// Ordinals up to ten.
    OrdinalsToTen,
    /// Only the first is an ordinal.
    FirstOnly,
}

/// All tables and rules of a language.
pub(crate) struct Rules {
    /// Words for symbols.
    pub words: Words,
    /// The sign before decimals, `.` or `,`.
    pub decimal: char,
    /// True if the other of the two signs makes decimals too where it cannot group ("12,5" in Arabic beside "12.5").
    pub both_decimals: bool,
    /// True if an ordinary space groups digits ("1 234 567").
    pub space_groups: bool,
    /// True if 3/15 is the fifteenth of March.
    pub month_first: bool,
    /// The separator of words: a space, or nothing in Chinese.
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
    /// The index of the form that a unit takes after a count (0, 1 or 2).
    pub form: fn(u64) -> usize,
    /// The unit's form after decimals.
    pub form_of_decimals: usize,
    /// Units of measurement.
    pub units: &'static [Unit],
    /// Currencies.
    pub currencies: &'static [Currency],
    /// The word between the unit of a price and its hundredths, with its spaces.
    pub price_link: &'static str,
    /// Abbreviations of large numbers ("Mio.", "тыс."), with the forms and the gender of what they stand for.
    pub magnitudes: &'static [Unit],
    /// The word between millions and what they count, with its space ("un millón de euros"); empty if there is none.
    pub of: &'static str,
    /// Words such as "million" which stand between a price's number and its currency, as written → as said.
    pub scales: &'static [(&'static str, &'static str)],
    /// Abbreviations, longer ones before those that begin alike.
    pub abbreviations: &'static [Abbreviation],
    /// Names of rulers, in lower case.
    pub rulers: &'static [&'static str],
    /// The reading of their numerals.
    pub ruler_style: Rulers,
    /// Words (lower case) beside which a Roman numeral is read as an ordinal: centuries.
    pub centuries: &'static [&'static str],
    /// Words in capitals which are said letter by letter although they look like words.
    pub spelled: &'static [&'static str],
    /// Words (lower case) after which four digits are a year.
    pub year_cues: &'static [&'static str],
}

/// A unit with two forms, singular and plural.
pub(super) const fn unit(symbols: &'static str, one: &'static str, many: &'static str) -> Unit {
    Unit {
        symbols,
        forms: [one, many, many],
        gender: Agreement::Masculine,
    }
}

/// A feminine unit with two forms.
pub(super) const fn unit_f(symbols: &'static str, one: &'static str, many: &'static str) -> Unit {
    Unit {
        symbols,
        forms: [one, many, many],
        gender: Agreement::Feminine,
    }
}

/// A unit that never changes.
pub(super) const fn fixed(symbols: &'static str, form: &'static str) -> Unit {
    Unit {
        symbols,
        forms: [form; 3],
        gender: Agreement::Masculine,
    }
}

/// A currency with singular and plural of unit and hundredth.
pub(super) const fn money(symbols: &'static str, unit: [&'static str; 2], cents: [&'static str; 2]) -> Currency {
    Currency {
        symbols,
        forms: [unit[0], unit[1], unit[1]],
        gender: Agreement::Masculine,
        cents: [cents[0], cents[1], cents[1]],
    }
}

/// A feminine currency with singular and plural.
pub(super) const fn money_f(symbols: &'static str, unit: [&'static str; 2], cents: [&'static str; 2]) -> Currency {
    Currency {
        gender: Agreement::Feminine,
        ..money(symbols, unit, cents)
    }
}
