//! The conversation in which a language model writes a query: instructions, examples, the tables, and last the question, so that
//! what stays the same is read once.

use std::collections::BTreeSet;

use crate::cell::{Kind, is_nothing};
use crate::engine::folded;
use crate::schema::{Asked, MAX_SHOWN, values};
use crate::table::{Column, Table};

/// Instructions that are the same for every table.
pub const INSTRUCTIONS: &str = "You write SQL that answers a question about tables, or NONE if the tables do not hold what is asked. \
Names of columns stand in backticks. Select what is asked for and nothing else. Compare texts with values as they stand in the \
table.";

/// The table of the examples.
const EXAMPLE_TABLE: &str = "Table t1, 7 rows:\n\
`Name`: text, such as 'Ada Reed', 'Tom Holt', 'Ines Cruz'\n\
`City`: text: 'Arden', 'Holm'\n\
`Born`: number, from 1950 to 1999\n\
`Fee (EUR)`: number, from 12.5 to 80\n\
`Paid on`: date, from 2024-01-05 to 2024-03-28\n";

/// Values that are shown of a column with more.
const SHOWN_VALUES: usize = 3;
/// Limit in characters for a value that is shown.
const MAX_VALUE_CHARS: usize = 40;

/// Examples of messages and the replies to them.
pub fn examples() -> impl Iterator<Item = (String, String)> {
    let lines = include_str!("examples.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once('\t'));
    pairs.enumerate().map(|(place, (question, query))| {
        let table = if place == 0 { EXAMPLE_TABLE } else { "" };
        let reply = serde_json::Value::from(query).to_string();
        (format!("{table}Question: {question}"), reply)
    })
}

/// Instructions for checking a query.
pub const CHECK_INSTRUCTIONS: &str = "You check a query over a table. Does it find exactly what the question asks for, in the column that \
says it? Reply with JSON.";

/// Examples of queries to check, and whether they find what is asked.
pub fn checked_examples() -> impl Iterator<Item = (String, bool)> {
    let lines = include_str!("checked_examples.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let mut cells = line.split('\t');
        let (question, query, says) = (cells.next()?, cells.next()?, cells.next()?);
        Some((checked(question, query), says == "yes"))
    })
}

/// The message about a query to check.
#[must_use]
pub fn checked(question: &str, query: &str) -> String {
    format!("Question: {question}\nQuery: {query}")
}

/// The message about some tables and a question.
#[must_use]
pub fn message(tables: &[Table], question: &str) -> String {
    let mut message = described(tables);
    for (place, table) in tables.iter().enumerate() {
        for (column, values) in meant(table, question) {
            let values: Vec<String> = values.into_iter().map(quoted).collect();
            message += &format!(
                "t{}.`{}` has {}.\n",
                place + 1,
                table.columns[column].name,
                values.join(", ")
            );
        }
    }
    format!("{message}Question: {question}")
}

/// Values that a question may mean, of columns whose values a model is not all shown.
fn meant<'t>(table: &'t Table, question: &str) -> Vec<(usize, Vec<&'t str>)> {
    let asked = Asked::new(question);
    let texts = (0..table.columns.len()).filter(|place| table.columns[*place].kind == Kind::Text);
    let meant = texts.filter_map(|place| {
        let mut meant = values(table, place, question);
        meant.retain(|value| asked.shares_word(value));
        let is_all_shown = different(table, place) <= MAX_SHOWN;
        (!is_all_shown && (1..=MAX_SHOWN).contains(&meant.len())).then_some((place, meant))
    });
    meant.collect()
}

fn quoted(value: &str) -> String {
    let value: String = value.chars().take(MAX_VALUE_CHARS).collect();
    format!("'{}'", value.replace('\'', "''"))
}

/// The description of some tables.
fn described(tables: &[Table]) -> String {
    let mut message = "Now about other tables.\n".to_owned();
    for (place, table) in tables.iter().enumerate() {
        let name = table
            .name
            .as_deref()
            .map_or_else(String::new, |name| format!(" “{name}”"));
        message += &format!("Table t{}{name}, {} rows:\n", place + 1, table.rows.len());
        for (place, column) in table.columns.iter().enumerate() {
            message += &format!("`{}`: {}\n", column.name, kind(table, place, column));
        }
    }
    message
}

fn kind(table: &Table, place: usize, column: &Column) -> String {
    let cells = || {
        let cells = table.rows.iter().map(|row| row[place].trim());
        cells.filter(|cell| !is_nothing(cell))
    };
    match column.kind {
        Kind::Number {
            ref before, ref after, ..
        } => {
            let numbers = || cells().filter_map(|cell| column.kind.number(cell));
            let least = numbers().reduce(f64::min).unwrap_or_default();
            let most = numbers().reduce(f64::max).unwrap_or_default();
            let unit = match before.is_empty() && after.is_empty() {
                true => String::new(),
                false => format!(" ({before}{after})"),
            };
            format!("number{unit}, from {least} to {most}")
        }
        Kind::Date(_) => {
            let dates = || cells().filter_map(|cell| column.kind.date(cell));
            let least = dates().min().unwrap_or_default();
            let most = dates().max().unwrap_or_default();
            format!("date, from {least} to {most}")
        }
        Kind::Text => {
            let mut values: Vec<&str> = Vec::new();
            for cell in cells() {
                if values.iter().all(|value| folded(value) != folded(cell)) {
                    values.push(cell);
                }
                if values.len() > MAX_SHOWN {
                    break;
                }
            }
            let (lead, shown) = match values.len() > MAX_SHOWN {
                true => ("text, such as ", SHOWN_VALUES),
                false => ("text: ", MAX_SHOWN),
            };
            let quoted = values.iter().take(shown).map(|value| quoted(value));
            format!("{lead}{}", quoted.collect::<Vec<_>>().join(", "))
        }
    }
}

/// The number of different values of a column.
fn different(table: &Table, column: usize) -> usize {
    let cells = table
        .rows
        .iter()
        .map(|row| &row[column])
        .filter(|cell| !is_nothing(cell));
    cells.map(|cell| folded(cell)).collect::<BTreeSet<_>>().len()
}
