//! The header of a table: the row that names the columns.

use crate::cell::{is_nothing, is_number};

/// Years, which name columns.
const YEARS: std::ops::RangeInclusive<u32> = 1800..=2200;

/// The place of the row that names the columns, where there is one: the first that fills more than half of them, with no
/// number but years.
pub(crate) fn header(rows: &[Vec<String>]) -> Option<usize> {
    let width = rows.iter().map(Vec::len).max()?;
    let filled = |row: &Vec<String>| row.iter().filter(|cell| !is_nothing(cell)).count();
    let first = rows.iter().position(|row| filled(row) * 2 > width)?;
    let names = rows[first].iter().filter(|cell| !is_nothing(cell));
    let is_year = |cell: &String| cell.trim().parse().is_ok_and(|year| YEARS.contains(&year));
    let (years, texts): (Vec<&String>, Vec<&String>) = names.partition(|cell| is_year(cell));
    // A single one is more likely somebody's year of birth.
    let may_name = years.is_empty() || years.len() > 1;
    (may_name && !texts.is_empty() && texts.iter().all(|cell| !is_number(cell))).then_some(first)
}

/// Names of columns: each once, and none empty.
pub(crate) fn names(header: &[String], width: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for place in 0..width {
        // What quotes a name may not stand in it.
        let name = header.get(place).map_or("", |name| name.trim()).replace('`', "'");
        let name = if name.is_empty() {
            format!("Column {}", place + 1)
        } else {
            name
        };
        let mut unique = name.clone();
        let mut count = 1;
        while names.iter().any(|other| other.eq_ignore_ascii_case(&unique)) {
            count += 1;
            unique = format!("{name} {count}");
        }
        names.push(unique);
    }
    names
}
