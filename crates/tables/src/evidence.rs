//! Parts of a question that its query leaves out: a small model drops conditions, and what it computes then is of other rows than were
//! asked about.

use std::collections::BTreeSet;

use crate::cell::Kind;
use crate::engine::folded;
use crate::query::Query;
use crate::schema::{numbers, values};
use crate::table::Table;

/// Limit in characters for a value that may stand in a question by chance.
const MAX_CHANCE_CHARS: usize = 3;

impl Query {
    /// Returns true if a number of the question, or a value of the table that it names, is not in the query, which was `written` like
    /// this.
    #[must_use]
    pub fn leaves_out(&self, written: &str, question: &str, table: &Table) -> bool {
        let query = written.to_lowercase();
        self.leaves_number(&query, question, table) || self.leaves_value(&query, question, table)
    }

    fn leaves_number(&self, query: &str, question: &str, table: &Table) -> bool {
        let texts = table
            .columns
            .iter()
            .enumerate()
            .filter(|(_, column)| column.kind == Kind::Text);
        let is_in_text = |number: &str| {
            let stands = |cell: &String| cell.contains(number);
            let names = table.columns.iter().any(|column| column.name.contains(number));
            names
                || texts
                    .clone()
                    .any(|(place, _)| table.rows.iter().any(|row| stands(&row[place])))
        };
        let from = format!(" from t{}", self.table + 1);
        let query = query.replacen(&from, "", 1);
        let written: BTreeSet<&str> = plain_numbers(&query).collect();
        // Words such as "million" make other numbers of each.
        let words: String = question.chars().filter(|c| !c.is_ascii_digit()).collect();
        let asked = question
            .split_whitespace()
            .filter(|word| word.contains(|c: char| c.is_ascii_digit()));
        asked.flat_map(parts).any(|part| {
            // "1,000" may be a thousand or one, and one of them is enough.
            let readings = numbers(&format!("{part} {words}"));
            let mut readings = readings.iter().map(|reading| reading.trim_start_matches('0'));
            let is_found = readings.clone().any(|reading| written.contains(reading));
            !is_found && !readings.any(is_in_text)
        })
    }

    fn leaves_value(&self, written: &str, question: &str, table: &Table) -> bool {
        let (asked, query) = (spaced(question), spaced(written));
        (0..table.columns.len()).any(|place| {
            let named = values(table, place, question).into_iter().map(spaced);
            let is_named =
                |value: &String| value.trim().chars().count() > MAX_CHANCE_CHARS && asked.contains(value.as_str());
            let named: Vec<String> = named.filter(is_named).collect();
            // Whoever names "New York" does not name "New".
            let is_part = |value: &String| {
                named
                    .iter()
                    .any(|other| other != value && other.contains(value.as_str()))
            };
            named
                .iter()
                .any(|value| !query.contains(value.as_str()) && !is_part(value))
        })
    }
}

/// Numbers in a query, without zeros before them: a date has three.
fn plain_numbers(query: &str) -> impl Iterator<Item = &str> {
    let parts = query.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    parts
        .map(|part| part.trim_matches('.').trim_start_matches('0'))
        .filter(|part| !part.is_empty())
}

/// Parts of a word that are numbers by themselves: "2010-2019".
fn parts(word: &str) -> impl Iterator<Item = &str> {
    let parts = word.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')));
    parts.filter(|part| part.contains(|c: char| c.is_ascii_digit()))
}

/// A text in lower case, its words with a space on either side.
fn spaced(text: &str) -> String {
    let folded = folded(text);
    let words = folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}
