//! Names of units, currencies and coins in twelve languages, and what the numbers of a text count.
//!
//! ```
//! use quartet_api::Language;
//! use quartet_measures::{quantities, units};
//!
//! assert_eq!(units::named("kilometres").map(|unit| unit.name), Some("km"));
//! let said = quantities("Das Abo kostet 40 Euro im Monat.", Language::German);
//! let written = quantities("The pass is £40 a month.", Language::English);
//! assert!(said[0].differs(&written[0]));
//! ```

pub mod currencies;
mod quantities;
mod script;
pub mod units;

pub use quantities::{Quantity, quantities};
pub use script::{begins_word, ends_word, is_dense_char, joins};

/// The rows of a table, without its comments.
fn rows(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#'))
}

/// The names in a field `en:a,b;es:c`: those of one language, or of each.
fn names_in(field: &'static str, code: Option<&'static str>) -> impl Iterator<Item = &'static str> {
    field
        .split(';')
        .filter_map(|names| names.split_once(':'))
        .filter(move |(of, _)| code.is_none_or(|code| *of == code))
        .flat_map(|(_, names)| names.split(','))
}
