//! Tables of a document.

use std::collections::BTreeSet;

use quartet_api::Language;
use quartet_text_analysis::{Block, Document, Kind as BlockKind};

use crate::cell::{Kind, is_nothing};
use crate::header::{header, names};

/// Limits for a table that questions are asked about.
const MIN_ROWS: usize = 2;
const MIN_COLUMNS: usize = 2;
const MAX_COLUMNS: usize = 24;
/// Rows from which on a last row of sums is told.
const MIN_ROWS_OF_SUM: usize = 3;
/// Limit in characters for the name of a table.
const MAX_NAME_CHARS: usize = 80;

/// A table with a name for each column.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The heading or caption above it.
    pub name: Option<String>,
    /// Its page, from 1.
    pub page: usize,
    pub(crate) columns: Vec<Column>,
    /// Its rows below the header, each with a cell for each column.
    pub(crate) rows: Vec<Vec<String>>,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Column {
    pub name: String,
    pub kind: Kind,
}

impl Table {
    /// The tables of a document in `language` that have names for their columns, in order, and the share of the document's text that
    /// stands in them, from 0 to 1.
    #[must_use]
    pub fn all_of(document: &Document, language: Language) -> (Vec<Self>, f32) {
        let mut tables = Vec::new();
        let (mut all, mut inside) = (0, 0);
        for page in &document.pages {
            let mut blocks = page.blocks.iter().filter(|block| !block.kind.repeats()).peekable();
            let mut name = None;
            while let Some(block) = blocks.next() {
                all += block.text.len();
                if block.kind != BlockKind::Table {
                    if matches!(block.kind, BlockKind::Title | BlockKind::Heading | BlockKind::Caption) {
                        name = Some(block.text.as_str());
                    }
                    continue;
                }
                let mut rows = rows(block);
                let mut bytes = block.text.len();
                // A long table comes in several blocks, of which one has the header.
                while let Some(next) = blocks.next_if(|next| next.kind == BlockKind::Table && goes_on(&rows, next)) {
                    rows.extend(self::rows(next));
                    all += next.text.len();
                    bytes += next.text.len();
                }
                if let Some(table) = Self::of(&rows, name, page.number, language) {
                    inside += bytes;
                    tables.push(table);
                }
            }
        }
        (tables, inside as f32 / all.max(1) as f32)
    }

    fn of(rows: &[Vec<String>], name: Option<&str>, page: usize, language: Language) -> Option<Self> {
        let first = header(rows)?;
        let (header, below) = (&rows[first], &rows[first + 1..]);
        let width = below.iter().map(Vec::len).max()?.max(header.len()).min(MAX_COLUMNS);
        if width < MIN_COLUMNS {
            return None;
        }
        let mut rows: Vec<Vec<String>> = below
            .iter()
            .map(|row| {
                let mut row: Vec<String> = row.iter().take(width).cloned().collect();
                row.resize(width, String::new());
                row
            })
            .filter(|row| row.iter().any(|cell| !is_nothing(cell)))
            .collect();
        let columns: Vec<Column> = names(header, width)
            .into_iter()
            .enumerate()
            .map(|(place, name)| Column {
                name,
                kind: Kind::of(rows.iter().map(|row| row[place].as_str()), language),
            })
            .collect();
        if ends_with_sums(&rows, &columns) {
            rows.pop();
        }
        let name = name.map(|name| name.chars().take(MAX_NAME_CHARS).collect());
        (rows.len() >= MIN_ROWS).then_some(Self {
            name,
            page,
            columns,
            rows,
        })
    }

    /// The tables that share most words with a question, in the order of the document, at most so many.
    #[must_use]
    pub fn nearest(mut tables: Vec<Self>, question: &str, most: usize) -> Vec<Self> {
        if tables.len() <= most {
            return tables;
        }
        let asked = words(question);
        let shared = |table: &Self| {
            let names = table
                .columns
                .iter()
                .map(|column| column.name.as_str())
                .chain(table.name.as_deref());
            let cells = table.rows.iter().flatten().map(String::as_str);
            let said: BTreeSet<String> = names.chain(cells).flat_map(words).collect();
            asked.iter().filter(|word| said.contains(*word)).count()
        };
        let mut order: Vec<(usize, usize)> = tables.iter().map(shared).enumerate().collect();
        order.sort_by_key(|(place, shared)| (std::cmp::Reverse(*shared), *place));
        let kept: Vec<usize> = order.into_iter().take(most).map(|(place, _)| place).collect();
        let mut place = 0;
        tables.retain(|_| {
            place += 1;
            kept.contains(&(place - 1))
        });
        tables
    }

    /// A row as it stands there, in one line.
    #[must_use]
    pub fn line(&self, row: usize) -> String {
        let cells = self.rows[row]
            .iter()
            .map(|cell| cell.trim())
            .filter(|cell| !cell.is_empty());
        cells.collect::<Vec<_>>().join(" ")
    }

    /// The number of rows.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.rows.len()
    }
}

fn words(text: &str) -> BTreeSet<String> {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Rows of a block: lines with tabs between the cells.
fn rows(block: &Block) -> Vec<Vec<String>> {
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect();
    block.text.lines().map(cells).collect()
}

/// Returns true if a block has further rows of a table, and no header of its own.
fn goes_on(rows: &[Vec<String>], next: &Block) -> bool {
    let width = |rows: &[Vec<String>]| rows.iter().map(Vec::len).max();
    let others = self::rows(next);
    width(rows) == width(&others) && header(&others) != Some(0)
}

/// Returns true if the numbers of the last row are the sums of those above: counted with them, they would be counted twice.
fn ends_with_sums(rows: &[Vec<String>], columns: &[Column]) -> bool {
    let Some((last, above)) = rows.split_last() else {
        return false;
    };
    if above.len() < MIN_ROWS_OF_SUM {
        return false;
    }
    let mut sums = columns.iter().enumerate().filter_map(|(place, column)| {
        let stated = column.kind.number(&last[place])?;
        let sum: f64 = above.iter().filter_map(|row| column.kind.number(&row[place])).sum();
        Some((stated, sum))
    });
    let is_sum = |(stated, sum): (f64, f64)| stated != 0.0 && (stated - sum).abs() <= 0.005 * above.len() as f64;
    let Some(first) = sums.next() else { return false };
    is_sum(first) && sums.all(is_sum)
}
