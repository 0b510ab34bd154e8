//! Parts of a question that its query leaves out: a small model drops conditions, and what it computes then is of other rows than were
//! asked about.

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
        // "1,000" may be a thousand or one, and one of them is enough.
        let mut all = numbers(question)
            .into_iter()
            .filter(|number| !is_in_text(number))
            .peekable();
        all.peek().is_some() && !all.any(|number| query.contains(&number))
    }

    fn leaves_value(&self, written: &str, question: &str, table: &Table) -> bool {
        let (asked, query) = (spaced(question), spaced(written));
        (0..table.columns.len()).any(|place| {
            let named = values(table, place, question).into_iter().map(spaced);
            let mut named =
                named.filter(|value| value.trim().chars().count() > MAX_CHANCE_CHARS && asked.contains(value));
            // Of "New" and "New York" one is enough.
            let mut is_named = false;
            let is_left = named.all(|value| {
                is_named = true;
                !query.contains(&value)
            });
            is_named && is_left
        })
    }
}

/// A text in lower case, its words with a space on either side.
fn spaced(text: &str) -> String {
    let folded = folded(text);
    let words = folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}
