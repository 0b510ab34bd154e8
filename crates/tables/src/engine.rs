//! The engine: rows that a query takes, and values that are computed of them.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use crate::cell::{Kind, is_nothing};
use crate::query::{Aggregate, Comparison, Condition, Item, Order, Query};
use crate::table::Table;

/// The result of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The rows that it was found in or computed from, in order.
    pub rows: Vec<usize>,
    /// A line for each row or group, with the value of each item.
    pub(crate) lines: Vec<Line>,
}

/// Values of a row, or of a group.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    /// The row, or the first one of the group.
    pub row: usize,
    pub values: Vec<Value>,
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// A cell as it stands there.
    Cell(String),
    /// A number of rows or of different values.
    Count(usize),
    /// A computed number of a column.
    Number(f64),
    /// Nothing: no row has a value.
    Nothing,
}

impl Query {
    /// Computes what the query finds in its table; nothing where no row fits, or a sum is asked for of what is no number.
    #[must_use]
    pub fn run(&self, table: &Table) -> Option<Found> {
        if self.has_bare_columns() {
            return self.of_the_extreme()?.run(table);
        }
        let rows: Vec<usize> = (0..table.rows.len()).filter(|row| self.takes(table, *row)).collect();
        let is_computed = |item: &Item| !matches!(item, Item::Column(_));
        let groups = match self.group {
            Some(column) => grouped(table, rows, column),
            None if self.items.iter().any(is_computed) => vec![rows],
            None => rows.into_iter().map(|row| vec![row]).collect(),
        };
        let mut groups: Vec<Vec<usize>> = groups;
        if let Some(order) = self.order {
            let by = groups.into_iter().map(|group| (value(table, &group, order.by), group));
            // Rows without a value come last either way.
            let mut keyed: Vec<_> = by.filter(|(key, _)| *key != Value::Nothing).collect();
            keyed.sort_by(|(one, _), (other, _)| {
                let by_value = compare(table, order.by, one, other);
                if order.descending { by_value.reverse() } else { by_value }
            });
            groups = keyed.into_iter().map(|(_, group)| group).collect();
        }
        let mut known = HashSet::new();
        let mut lines: Vec<(Line, Vec<usize>)> = Vec::new();
        for group in groups {
            let values: Vec<Value> = self.items.iter().map(|item| value(table, &group, *item)).collect();
            let is_known = self.distinct && !known.insert(format!("{values:?}"));
            if values.iter().all(|value| *value == Value::Nothing) || is_known {
                continue;
            }
            let row = group.first().copied().unwrap_or_default();
            lines.push((Line { row, values }, group));
            if self.limit.is_some_and(|limit| lines.len() >= limit) {
                break;
            }
        }
        let (lines, rows): (Vec<Line>, Vec<Vec<usize>>) = lines.into_iter().unzip();
        let found = Found {
            rows: rows.into_iter().flatten().collect(),
            lines,
        };
        // That no row fits is an answer to how many do, and to nothing else.
        (!found.lines.is_empty()).then_some(found)
    }

    /// Returns true if it selects cells beside what is computed of many rows.
    fn has_bare_columns(&self) -> bool {
        let is_column = |item: &Item| matches!(item, Item::Column(_));
        let is_bare = |item: &Item| is_column(item) && self.group.is_none_or(|group| *item != Item::Column(group));
        let is_computed = self.group.is_some() || !self.items.iter().all(is_column);
        is_computed && self.items.iter().any(is_bare)
    }

    /// The query for the row with the smallest or largest value, where that is all that it computes: as SQLite reads "SELECT name,
    /// MAX(age)". Else nobody knows whose cells are meant.
    fn of_the_extreme(&self) -> Option<Self> {
        let mut computed = self.items.iter().filter(|item| !matches!(item, Item::Column(_)));
        let (Some(Item::Of(aggregate, column)), None, None) = (computed.next(), computed.next(), self.group) else {
            return None;
        };
        let descending = match aggregate {
            Aggregate::Largest => true,
            Aggregate::Smallest => false,
            Aggregate::Sum | Aggregate::Average => return None,
        };
        let as_column = |item: &Item| match item {
            Item::Of(_, column) => Item::Column(*column),
            other => *other,
        };
        Some(Self {
            items: self.items.iter().map(as_column).collect(),
            order: Some(Order {
                by: Item::Column(*column),
                descending,
            }),
            limit: Some(1),
            ..self.clone()
        })
    }

    fn takes(&self, table: &Table, row: usize) -> bool {
        let holds = |condition: &Condition| holds(table, row, condition);
        self.alternatives.is_empty() || self.alternatives.iter().any(|all| all.iter().all(holds))
    }
}

/// Rows with the same cell in a column, in the order of the first of each.
fn grouped(table: &Table, rows: Vec<usize>, column: usize) -> Vec<Vec<usize>> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for row in rows {
        let place = *places.entry(folded(&table.rows[row][column])).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(row);
    }
    groups
}

fn value(table: &Table, rows: &[usize], item: Item) -> Value {
    let filled = |column: usize| {
        let cells = rows.iter().map(move |row| &table.rows[*row][column]);
        cells.filter(|cell| !is_nothing(cell))
    };
    match item {
        Item::Column(column) => filled(column)
            .next()
            .map_or(Value::Nothing, |cell| Value::Cell(cell.trim().to_owned())),
        Item::Count => Value::Count(rows.len()),
        Item::CountDistinct(column) => {
            let mut all: Vec<String> = filled(column).map(|cell| folded(cell)).collect();
            all.sort_unstable();
            all.dedup();
            Value::Count(all.len())
        }
        Item::Of(aggregate @ (Aggregate::Smallest | Aggregate::Largest), column) => {
            let kind = &table.columns[column].kind;
            let best = filled(column).reduce(|best, cell| match (compare_cells(kind, cell, best), aggregate) {
                (Ordering::Greater, Aggregate::Largest) | (Ordering::Less, Aggregate::Smallest) => cell,
                _ => best,
            });
            best.map_or(Value::Nothing, |cell| Value::Cell(cell.trim().to_owned()))
        }
        Item::Of(aggregate, column) => {
            let kind = &table.columns[column].kind;
            let numbers: Vec<f64> = filled(column).filter_map(|cell| kind.number(cell)).collect();
            let sum: f64 = numbers.iter().sum();
            match (numbers.is_empty(), aggregate) {
                (true, _) => Value::Nothing,
                (false, Aggregate::Average) => Value::Number(sum / numbers.len() as f64),
                (false, _) => Value::Number(sum),
            }
        }
    }
}

fn compare(table: &Table, item: Item, one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.total_cmp(other),
        (Value::Count(one), Value::Count(other)) => one.cmp(other),
        (Value::Cell(one), Value::Cell(other)) => {
            let (Item::Column(column) | Item::CountDistinct(column) | Item::Of(_, column)) = item else {
                return Ordering::Equal;
            };
            compare_cells(&table.columns[column].kind, one, other)
        }
        _ => Ordering::Equal,
    }
}

fn compare_cells(kind: &Kind, one: &str, other: &str) -> Ordering {
    if let (Some(one), Some(other)) = (kind.number(one), kind.number(other)) {
        return one.total_cmp(&other);
    }
    if let (Some(one), Some(other)) = (kind.date(one), kind.date(other)) {
        return one.cmp(&other);
    }
    folded(one).cmp(&folded(other))
}

fn holds(table: &Table, row: usize, condition: &Condition) -> bool {
    let cell = &table.rows[row][condition.column];
    let kind = &table.columns[condition.column].kind;
    if is_nothing(cell) {
        return false;
    }
    let wanted = condition.value.as_str();
    if condition.comparison == Comparison::Like {
        let text = kind.date(cell).unwrap_or_else(|| folded(cell));
        return is_like(&text, &folded(wanted));
    }
    let ordering = match (kind.number(cell), wanted.trim().parse::<f64>(), kind.date(cell)) {
        (Some(number), Ok(wanted), _) => number.total_cmp(&wanted),
        // Compared with a year, a date is one.
        (_, _, Some(date)) => date.get(..wanted.trim().len()).unwrap_or(&date).cmp(wanted.trim()),
        _ => folded(cell).cmp(&folded(wanted)),
    };
    match condition.comparison {
        Comparison::Equal => ordering.is_eq(),
        Comparison::Unequal => ordering.is_ne(),
        Comparison::More => ordering.is_gt(),
        Comparison::Less => ordering.is_lt(),
        Comparison::AtLeast => ordering.is_ge(),
        Comparison::AtMost => ordering.is_le(),
        Comparison::Like => false,
    }
}

/// Text for comparing: in lower case, with single spaces.
pub(crate) fn folded(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns true if a text is like a pattern with `%` for any text.
fn is_like(text: &str, pattern: &str) -> bool {
    let parts: Vec<&str> = pattern.split('%').collect();
    let [first, middle @ .., last] = parts.as_slice() else {
        return text == pattern;
    };
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    for part in middle {
        match rest.find(part) {
            Some(place) => rest = &rest[place + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}
