//! Tables of plain text, whose cells are set apart by spaces and begin, or end, below each other.

use std::collections::HashMap;

use crate::draft::rows;

/// Spaces from which on a gap parts cells.
const MIN_GAP: usize = 2;
/// Fewest rows of a table.
const MIN_ROWS: usize = 2;
/// Part of the rows with several cells whose cells stand below each other, in percent. Lines that were filled with spaces to the width of
/// a page have gaps at any place.
const MIN_ALIGNED_PERCENT: usize = 60;

/// Longest figure.
const MAX_FIGURE_BYTES: usize = 16;

/// A table among the lines of a block.
#[derive(Debug, PartialEq)]
pub struct Table {
    /// Number of the lines before it.
    pub start: usize,
    /// Number of its last line, plus one.
    pub end: usize,
    /// Its rows as the text of a table.
    pub text: String,
}

/// A part of a line with the columns where it begins and ends.
struct Cell<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

impl Cell<'_> {
    /// Returns true for a figure, such as a price, which tables set below others by its end.
    fn is_figure(&self) -> bool {
        self.text.len() <= MAX_FIGURE_BYTES && self.text.contains(char::is_numeric)
    }
}

/// The table among the lines of a block, where there is one.
pub fn table(lines: &[&str]) -> Option<Table> {
    let cells: Vec<Vec<Cell<'_>>> = lines.iter().map(|line| cells(line)).collect();
    let has_several = |cells: &Vec<Cell<'_>>| cells.len() > 1;
    let start = cells.iter().position(has_several)?;
    let last = cells.iter().rposition(has_several)?;
    let several = || cells.iter().filter(|cells| has_several(cells));
    let count = several().count();
    let second = most(several().filter_map(|cells| Some(cells.get(1)?.start)));
    // Lines that are filled to the width of a page end below each other, too.
    let figures = several().filter_map(|cells| cells.last().filter(|cell| cell.is_figure()));
    let ends = most(figures.map(|cell| cell.end));
    let (column, begin_there) = second?;
    let aligned = begin_there.max(ends.map_or(0, |(_, end_there)| end_there));
    if count < MIN_ROWS || aligned < MIN_ROWS || aligned * 100 < count * MIN_ALIGNED_PERCENT {
        return None;
    }
    let goes_on = |cells: &[Cell<'_>]| matches!(cells, [cell] if cell.start + 1 >= column);
    let more = cells[last + 1..].iter().take_while(|cells| goes_on(cells)).count();
    let end = last + 1 + more;
    let mut table: Vec<Vec<String>> = Vec::new();
    for row in &cells[start..end] {
        let text = |cell: &Cell<'_>| cell.text.to_owned();
        match table.last_mut().and_then(|row| row.last_mut()) {
            Some(before) if goes_on(row) => {
                before.push(' ');
                before.extend(row.iter().map(text));
            }
            _ if row.iter().any(|cell| cell.text.contains(char::is_alphanumeric)) => {
                // The heads of columns have none above the names of rows.
                let is_shifted = row.first().is_some_and(|first| first.start + 1 >= column);
                let empty = is_shifted.then(String::new);
                table.push(empty.into_iter().chain(row.iter().map(text)).collect());
            }
            // A line of signs.
            _ => {}
        }
    }
    // Text with a gap here and there.
    if table.len() > 2 * count {
        return None;
    }
    Some(Table {
        start,
        end,
        text: rows(&table),
    })
}

/// Returns true if a line has cells.
pub fn has_cells(line: &str) -> bool {
    cells(line).len() > 1
}

/// The parts of a line between gaps. Two spaces behind the end of a sentence are none.
fn cells(line: &str) -> Vec<Cell<'_>> {
    let mut found: Vec<Cell<'_>> = Vec::new();
    let (mut begin, mut gap) = (None, 0);
    let mut last: (usize, usize, char) = (0, 0, ' ');
    for (column, (at, c)) in line.char_indices().enumerate() {
        if c.is_whitespace() {
            gap += if c == '\t' { MIN_GAP } else { 1 };
            continue;
        }
        if let Some((from, start)) = begin {
            let is_end = matches!(last.2, '.' | '!' | '?' | ':') && gap == MIN_GAP;
            if gap >= MIN_GAP && !is_end {
                found.push(Cell {
                    text: &line[from..last.0],
                    start,
                    end: last.1,
                });
                begin = Some((at, column));
            }
        } else {
            begin = Some((at, column));
        }
        gap = 0;
        last = (at + c.len_utf8(), column + 1, c);
    }
    if let Some((from, start)) = begin {
        found.push(Cell {
            text: &line[from..last.0],
            start,
            end: last.1,
        });
    }
    found
}

/// The most frequent of some columns, and how often it is there.
fn most(columns: impl Iterator<Item = usize>) -> Option<(usize, usize)> {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for column in columns {
        *counts.entry(column).or_default() += 1;
    }
    counts
        .into_iter()
        .max_by_key(|(column, count)| (*count, std::cmp::Reverse(*column)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_begin_or_end_below_each_other_are_a_table() {
        let text = "Code   Meaning            What to do\n------------------------------------\n\
                    E10    No water           Open the tap.\n\
                    E18    Does not drain     Clean the filter. Check that\n                          the hose is free.\n\
                    E31    Door open          Close the door.";
        let lines: Vec<&str> = text.lines().collect();
        let found = table(&lines).unwrap();
        assert_eq!((found.start, found.end), (0, lines.len()));
        assert_eq!(
            found.text,
            "Code\tMeaning\tWhat to do\nE10\tNo water\tOpen the tap.\n\
             E18\tDoes not drain\tClean the filter. Check that the hose is free.\nE31\tDoor open\tClose the door."
        );
        let prices = [
            "PRICES",
            "Adults            6.40",
            "Children          3.20",
            "Ten visits       54.00",
        ];
        let found = table(&prices).unwrap();
        assert_eq!((found.start, found.end), (1, 4));
        assert_eq!(found.text, "Adults\t6.40\nChildren\t3.20\nTen visits\t54.00");
        let heads = [
            "                One     Ten",
            "Pretzel         0.95    8.50",
            "Loaf            5.20    -",
        ];
        let found = table(&heads).unwrap();
        assert_eq!(found.text, "\tOne\tTen\nPretzel\t0.95\t8.50\nLoaf\t5.20\t-");
        let kanji = ["大人    五百円", "子供    三百円"];
        assert_eq!(table(&kanji).unwrap().text, "大人\t五百円\n子供\t三百円");
    }

    #[test]
    fn gaps_in_text_are_no_table() {
        for text in [
            "It was late.  He left the house,\nand nobody saw him.  The street\nwas empty.",
            "Lines  that were filled with spaces to\nthe  width of a   page have gaps where\nnobody   expects  them,  and go on  so.",
            "Name:  Ada",
            "Roses are red,\nviolets are blue.",
            "",
        ] {
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(table(&lines), None, "{text}");
        }
    }
}
