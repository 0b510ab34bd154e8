//! What the languages' number spellers have in common.

use super::{Agreement, Currency, Unit};
use quartet_api::Language;

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

/// The form of languages that know one and many.
pub(super) fn one_or_many(count: u64) -> usize {
    if count == 1 { 0 } else { 2 }
}

/// Joins the pieces that are not empty with one space.
pub(super) fn join(pieces: &[&str]) -> String {
    let mut text = String::new();
    for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(piece);
    }
    text
}

/// Each digit by its name, separated by spaces.
pub(crate) fn digits(written: &str, cardinal: fn(u64, Agreement) -> String, space: &str) -> String {
    let names: Vec<String> = written
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|d| cardinal(u64::from(d - b'0'), Agreement::Alone))
        .collect();
    names.join(space)
}

/// Integer digits of any length: spelled up to eighteen digits, digit by digit beyond or after a leading zero.
pub(crate) fn pure_number(
    written: &str,
    agreement: Agreement,
    cardinal: fn(u64, Agreement) -> String,
    space: &str,
) -> String {
    match written.parse() {
        Ok(number) if written.len() <= 18 && (written.len() == 1 || !written.starts_with('0')) => {
            cardinal(number, agreement)
        }
        _ => digits(written, cardinal, space),
    }
}

/// Decimals read digit by digit after `point`.
pub(super) fn decimals_by_digit(
    integer: &str,
    decimals: &str,
    point: &str,
    cardinal: fn(u64, Agreement) -> String,
) -> String {
    let whole = pure_number(integer, Agreement::Alone, cardinal, " ");
    join(&[&whole, point, &digits(decimals, cardinal, " ")])
}

/// Decimals read as one number after `point` (leading zeros first), or digit by digit when more than two.
pub(super) fn decimals_as_number(
    integer: &str,
    decimals: &str,
    point: &str,
    cardinal: fn(u64, Agreement) -> String,
) -> String {
    let rest = decimals.trim_start_matches('0');
    if decimals.len() > 2 || rest.is_empty() {
        return decimals_by_digit(integer, decimals, point, cardinal);
    }
    let zeros = &decimals[..decimals.len() - rest.len()];
    let whole = pure_number(integer, Agreement::Alone, cardinal, " ");
    let tail = pure_number(rest, Agreement::Alone, cardinal, " ");
    join(&[&whole, point, &digits(zeros, cardinal, " "), &tail])
}

/// The number's groups of three digits, most significant first, with the power of a thousand of each; zero groups left out.
pub(super) fn thousands(number: u64) -> impl Iterator<Item = (usize, u64)> {
    (0..7)
        .rev()
        .map(move |power| (power, number / 1000_u64.pow(power as u32) % 1000))
        .filter(|(_, group)| *group > 0)
}

/// Masculine nouns in -a, and words that are no nouns.
const NOT_FEMININE: &[&str] = &[
    "día",
    "días",
    "problema",
    "problemas",
    "sistema",
    "sistemas",
    "programa",
    "programas",
    "tema",
    "temas",
    "clima",
    "mapa",
    "mapas",
    "planeta",
    "planetas",
    "idioma",
    "idiomas",
    "dia",
    "dias",
    "poeta",
    "poetas",
    "atleta",
    "atletas",
];
const NOT_NOUNS: &[&str] = &[
    "para", "contra", "hasta", "hacia", "desde", "como", "con", "que", "por", "del", "della", "alla", "nella", "sulla",
    "dalla", "per", "che", "non", "una", "cada", "sobre", "entre", "sin", "los", "las", "les", "más", "mais", "era",
    "ora", "com", "sem", "dos", "das", "nos", "nas", "pela", "pelo", "até", "quando", "cuando", "mil", "anche", "dopo",
    "prima", "di", "von", "und", "bis", "oder", "mit", "ist", "war",
];

/// The gender of a noun by its ending, if the number changes with it: Spanish, Portuguese, Italian and German.
pub(super) fn agreement(language: Language, number: u64, following: &str) -> Option<Agreement> {
    let changes = match language {
        Language::German | Language::Italian => number == 1,
        Language::Portuguese => matches!(number % 10, 1 | 2) && number % 100 / 10 != 1 || number % 1000 >= 200,
        _ => number % 10 == 1 && number % 100 != 11 || number % 1000 >= 200,
    };
    let noun: String = following.chars().take_while(|c| c.is_alphabetic()).take(30).collect();
    let capitalised = noun.starts_with(char::is_uppercase);
    let is_noun = noun.chars().count() >= 3 && capitalised == (language == Language::German);
    if !changes || !is_noun || NOT_NOUNS.contains(&noun.as_str()) {
        return None;
    }
    let feminine_endings: &[&str] = match language {
        Language::German => &["e", "ung", "heit", "keit", "ion", "schaft", "tät"],
        Language::Spanish => &["a", "as", "ción", "ciones", "dad", "dades"],
        Language::Portuguese => &["a", "as", "ção", "ções", "dade", "dades"],
        _ => &["a", "zione", "tà"],
    };
    let feminine = !NOT_FEMININE.contains(&noun.as_str()) && feminine_endings.iter().any(|end| noun.ends_with(end));
    Some(if feminine {
        Agreement::Feminine
    } else {
        Agreement::Masculine
    })
}
