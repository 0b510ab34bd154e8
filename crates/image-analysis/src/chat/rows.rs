//! Rows of printed text: lines beside each other, as on a receipt.

use quartet_api::image::TextLine;

use super::amounts::{Amount, amounts};

/// Row of a receipt: lines beside each other.
pub struct Row<'a> {
    /// Its lines, from left to right.
    pub lines: Vec<&'a TextLine>,
    /// Their text.
    pub text: String,
}

impl Row<'_> {
    /// Last number that is written as a price.
    pub fn price(&self) -> Option<Amount> {
        self.amount().filter(|amount| amount.is_price)
    }

    /// Last price, or else the last number.
    pub fn amount(&self) -> Option<Amount> {
        let found = amounts(&self.text);
        found
            .iter()
            .rev()
            .find(|amount| amount.is_price || amount.sign.is_some())
            .or(found.last())
            .cloned()
    }

    /// Its letters and digits, in lower case.
    pub fn squeezed(&self) -> String {
        self.text
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric())
            .collect()
    }

    /// True if one of its words begins with a word, singular or plural.
    pub fn is_about(&self, word: &str) -> bool {
        let stem = word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(word);
        self.text
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .any(|of_row| of_row.starts_with(stem))
    }
}

/// Groups lines into rows.
pub fn rows(lines: &[TextLine]) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    let mut before = None;
    for line in lines {
        match rows.last_mut().filter(|_| before == Some(line.row)) {
            Some(row) => {
                row.lines.push(line);
                row.text = format!("{} {}", row.text, line.text);
            }
            None => rows.push(Row {
                lines: vec![line],
                text: line.text.clone(),
            }),
        }
        before = Some(line.row);
    }
    rows
}
