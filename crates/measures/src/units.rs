//! Units of measurement with their names: the table `units.tsv`.

use std::cmp::Reverse;
use std::sync::OnceLock;

use quartet_api::Language;

use crate::rows;

/// A unit of measurement.
#[derive(Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its name in `fend-core`, or one of a chat's engine.
    pub name: &'static str,
    /// Its dimension, such as `length`.
    pub dimension: &'static str,
}

/// All units.
pub fn all() -> impl Iterator<Item = &'static Unit> {
    table().map(|(unit, _)| unit)
}

/// The unit with a name of the engine, or an English one.
#[must_use]
pub fn named(name: &str) -> Option<&'static Unit> {
    let lower = name.to_lowercase();
    let found = table().find(|(unit, _)| unit.name == name).or_else(|| {
        table().find(|(_, row)| {
            let (own, english) = names_of_row(row, Some("en"));
            own.chain(english).any(|known| known == lower)
        })
    });
    found.map(|(unit, _)| unit)
}

/// The names of a unit in all languages, longest first.
#[must_use]
pub fn names_of(unit: &Unit) -> Vec<&'static str> {
    let rows = table().filter(|(other, _)| *other == unit);
    let mut all: Vec<_> = rows
        .flat_map(|(_, row)| {
            let (everywhere, own) = names_of_row(row, None);
            everywhere.chain(own)
        })
        .filter(|name| !name.is_empty())
        .collect();
    all.sort_by_key(|name| Reverse(name.len()));
    all
}

/// The names of a unit that [`named`] knows.
pub fn english_names(unit: &'static Unit) -> impl Iterator<Item = &'static str> {
    let rows = table().filter(move |(other, _)| *other == unit);
    rows.flat_map(|(unit, row)| {
        let (everywhere, english) = names_of_row(row, Some("en"));
        everywhere.chain(english).chain([unit.name])
    })
    .filter(|name| !name.is_empty())
}

/// The names of units in a language, and those that they have everywhere.
pub fn names_in(language: Language) -> impl Iterator<Item = (&'static Unit, &'static str)> {
    table().flat_map(move |(unit, row)| {
        let (everywhere, own) = names_of_row(row, Some(language.code()));
        let all = everywhere.chain(own).filter(|name| !name.is_empty());
        all.map(move |name| (unit, name))
    })
}

/// The names of units that are a language's own.
pub fn own_names(language: Language) -> impl Iterator<Item = &'static str> {
    table().flat_map(move |(_, row)| names_of_row(row, Some(language.code())).1)
}

/// The names of all units in all languages.
pub fn every_name() -> impl Iterator<Item = &'static str> {
    table().flat_map(|(_, row)| {
        let (everywhere, own) = names_of_row(row, None);
        everywhere.chain(own).filter(|name| !name.is_empty())
    })
}

/// Names in a row: those of all languages, and those of one, or of each.
fn names_of_row(
    row: &'static str,
    code: Option<&'static str>,
) -> (impl Iterator<Item = &'static str>, impl Iterator<Item = &'static str>) {
    let mut fields = row.split('\t').skip(2);
    let everywhere = fields.next().unwrap_or_default().split(',');
    (everywhere, crate::names_in(fields.next().unwrap_or_default(), code))
}

/// Each unit with its row.
fn table() -> impl Iterator<Item = (&'static Unit, &'static str)> {
    static UNITS: OnceLock<Vec<Unit>> = OnceLock::new();
    let table = || rows(include_str!("../units.tsv"));
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
    fn every_row_of_the_table_is_read() {
        for row in rows(include_str!("../units.tsv")) {
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
