//! The answer in words: values with the names of their columns, and what they were computed of.

use quartet_api::Language;
use quartet_messages::Catalogs;

use crate::cell::Kind;
use crate::engine::{Found, Line, Value};
use crate::query::{Aggregate, Comparison, Condition, Item, Query};
use crate::table::Table;

static MESSAGES: Catalogs = quartet_messages::catalogs!("../messages");

/// Limit for the lines of an answer.
const MAX_LINES: usize = 30;
/// Decimals of an average beyond those of its numbers.
const MORE_DECIMALS: usize = 2;

impl Found {
    /// The answer in `language`: cells as they stand in the table, and numbers as the language writes them.
    #[must_use]
    pub fn text(&self, query: &Query, table: &Table, language: Language) -> String {
        let lines: Vec<String> = self
            .lines
            .iter()
            .take(MAX_LINES)
            .map(|line| self.line(line, query, table, language))
            .collect();
        let left = self.lines.len().saturating_sub(MAX_LINES);
        let mut text = match (&query.items[..], lines.len()) {
            // "Order: 1003, 1004"
            ([Item::Column(column)], 2..) if query.group.is_none() => {
                let values: Vec<String> = self
                    .lines
                    .iter()
                    .take(MAX_LINES)
                    .map(|line| shown(&line.values[0], query.items[0], table, language))
                    .collect();
                format!("{}: {}", table.columns[*column].name, values.join(", "))
            }
            _ => lines.join("\n"),
        };
        if left > 0 {
            text.push('\n');
            text += &MESSAGES.of(language).format("more", &[("count", &left.to_string())]);
        }
        text
    }

    fn line(&self, line: &Line, query: &Query, table: &Table, language: Language) -> String {
        let parts = query.items.iter().zip(&line.values).map(|(item, value)| {
            let value = shown(value, *item, table, language);
            format!("{}: {value}", label(*item, table, language))
        });
        let mut text = parts.collect::<Vec<_>>().join("; ");
        let is_row = query.group.is_none() && query.items.iter().all(|item| matches!(item, Item::Column(_)));
        let around = match is_row {
            true => beside(line.row, query, table),
            false => basis(self, query, table, language),
        };
        if !around.is_empty() {
            text += &format!(" ({around})");
        }
        text
    }
}

/// Cells of a row that tell which one it is: of the first column, and of what was asked by, as far as they are not selected.
fn beside(row: usize, query: &Query, table: &Table) -> String {
    let mut columns = vec![0];
    columns.extend(query.alternatives.iter().flatten().map(|condition| condition.column));
    if let Some(order) = query.order
        && let Item::Column(column) = order.by
    {
        columns.push(column);
    }
    let mut told: Vec<usize> = Vec::new();
    for column in columns {
        let is_selected = query.items.contains(&Item::Column(column));
        if !is_selected && !told.contains(&column) && !table.rows[row][column].trim().is_empty() {
            told.push(column);
        }
    }
    let cells = told
        .into_iter()
        .map(|column| format!("{}: {}", table.columns[column].name, table.rows[row][column].trim()));
    cells.collect::<Vec<_>>().join(", ")
}

/// The rows that a number was computed of: how many, and which.
fn basis(found: &Found, query: &Query, table: &Table, language: Language) -> String {
    let mut parts = Vec::new();
    // A count says it itself.
    if query.items != [Item::Count] && query.group.is_none() {
        let count = found.rows.len();
        parts.push(
            MESSAGES
                .of(language)
                .plural("rows", count as u64, &[("count", &count.to_string())]),
        );
    }
    let alternatives = query.alternatives.iter().map(|all| {
        let conditions = all.iter().map(|condition| written(condition, table));
        conditions.collect::<Vec<_>>().join(", ")
    });
    let alternatives = alternatives.collect::<Vec<_>>().join(" | ");
    if !alternatives.is_empty() {
        parts.push(alternatives);
    }
    parts.join("; ")
}

fn written(condition: &Condition, table: &Table) -> String {
    let name = &table.columns[condition.column].name;
    let value = condition.value.trim_matches('%');
    let sign = match condition.comparison {
        Comparison::Equal => "=",
        Comparison::Unequal => "≠",
        Comparison::More => ">",
        Comparison::Less => "<",
        Comparison::AtLeast => "≥",
        Comparison::AtMost => "≤",
        Comparison::Like => return format!("{name}: … {value} …"),
    };
    format!("{name} {sign} {value}")
}

fn label(item: Item, table: &Table, language: Language) -> String {
    let name = |column: usize| table.columns[column].name.as_str();
    let (key, column) = match item {
        Item::Column(column) => return name(column).to_owned(),
        Item::Count => return MESSAGES.of(language).get("count").to_owned(),
        Item::CountDistinct(column) => ("distinct", column),
        Item::Of(Aggregate::Sum, column) => ("sum", column),
        Item::Of(Aggregate::Average, column) => ("average", column),
        Item::Of(Aggregate::Smallest, column) => ("smallest", column),
        Item::Of(Aggregate::Largest, column) => ("largest", column),
    };
    MESSAGES.of(language).format(key, &[("column", name(column))])
}

fn shown(value: &Value, item: Item, table: &Table, language: Language) -> String {
    match (value, item) {
        (Value::Cell(cell), _) => cell.clone(),
        (Value::Count(count), _) => count.to_string(),
        (Value::Nothing, _) => "–".to_owned(),
        (Value::Number(number), Item::Of(aggregate, column)) => {
            number_of(*number, aggregate, &table.columns[column].kind, language)
        }
        (Value::Number(number), _) => number.to_string(),
    }
}

/// A computed number as a language writes it, with the currency or unit of its column.
fn number_of(number: f64, aggregate: Aggregate, kind: &Kind, language: Language) -> String {
    let Kind::Number {
        decimals,
        before,
        after,
        ..
    } = kind
    else {
        return number.to_string();
    };
    let digits = match aggregate {
        Aggregate::Average => {
            let long = format!("{number:.*}", decimals + MORE_DECIMALS);
            match long.contains('.') {
                true => long.trim_end_matches('0').trim_end_matches('.').to_owned(),
                false => long,
            }
        }
        _ => format!("{number:.*}", *decimals),
    };
    let digits = match has_decimal_comma(language) {
        true => digits.replace('.', ","),
        false => digits,
    };
    let gap = if after.is_empty() || after == "%" && !has_decimal_comma(language) {
        ""
    } else {
        " "
    };
    format!("{before}{digits}{gap}{after}")
}

fn has_decimal_comma(language: Language) -> bool {
    matches!(
        language,
        Language::Spanish
            | Language::French
            | Language::German
            | Language::Italian
            | Language::Portuguese
            | Language::Russian
    )
}
