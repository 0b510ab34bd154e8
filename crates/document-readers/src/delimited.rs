//! Tables of values with separators (RFC 4180). The parser is the crate `csv`; the separator is told by the first lines.

use quartet_text_analysis::{Document, Kind as BlockKind};

use crate::columns::Table;
use crate::draft::{Draft, rows};
use crate::limits::MAX_COLUMNS;
use crate::options::Options;

/// Most rows of a block, so that a long table is not one.
const MAX_BLOCK_ROWS: usize = 1_000;
/// Bytes of which the separator is told.
const HEAD_BYTES: usize = 16 * 1024;

/// Fewest rows and cells of a table among the lines of a text: fewer signs may stand in prose.
const MIN_ROWS: usize = 3;
const MIN_CELLS: usize = 3;

/// The table among the lines of a block of plain text whose cells are set apart by semicolons, tabs or bars, where there is one.
pub fn table(lines: &[&str]) -> Option<Table> {
    [b';', b'\t', b'|'].into_iter().find_map(|separator| {
        let cells = |line: &str| line.bytes().filter(|byte| *byte == separator).count() + 1;
        let start = lines.iter().position(|line| cells(line) >= MIN_CELLS)?;
        let width = cells(lines[start]);
        let count = lines[start..].iter().take_while(|line| cells(line) == width).count();
        let end = start + count;
        if count < MIN_ROWS {
            return None;
        }
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .from_reader(std::io::Cursor::new(lines[start..end].join("\n")));
        let all = reader.records().flatten();
        let all: Vec<Vec<String>> = all.map(|record| record.iter().map(str::to_owned).collect()).collect();
        Some(Table {
            start,
            end,
            text: rows(&all),
        })
    })
}

/// Reads a table.
pub fn read(text: &str, options: &Options<'_>) -> Document {
    let mut draft = Draft::new(options);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator(text))
        .from_reader(text.as_bytes());
    let mut block: Vec<Vec<String>> = Vec::new();
    for record in reader.records().flatten() {
        block.push(record.iter().take(MAX_COLUMNS).map(str::to_owned).collect());
        if block.len() == MAX_BLOCK_ROWS {
            flush(&mut block, &mut draft);
        }
        if draft.is_full() {
            break;
        }
    }
    flush(&mut block, &mut draft);
    draft.finish(0)
}

fn flush(block: &mut Vec<Vec<String>>, draft: &mut Draft<'_>) {
    let all = std::mem::take(block);
    let kind = match all.iter().any(|row| row.len() > 1) {
        true => BlockKind::Table,
        false => BlockKind::Paragraph,
    };
    draft.block(kind, &rows(&all));
}

/// The sign that splits most of the first lines into the same number of cells.
fn separator(text: &str) -> u8 {
    let mut end = text.len().min(HEAD_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let score = |separator: u8| {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .from_reader(&text.as_bytes()[..end]);
        let lengths: Vec<usize> = reader.records().flatten().take(20).map(|record| record.len()).collect();
        let first = lengths.first().copied().unwrap_or(0);
        let same = lengths.iter().filter(|length| **length == first).count();
        if first < 2 { 0 } else { same * 1000 + first.min(999) }
    };
    // Of equals, the first.
    let mut best = (b',', score(b','));
    for separator in [b';', b'\t', b'|'] {
        let score = score(separator);
        if score > best.1 {
            best = (separator, score);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_among_lines_of_text_is_told_by_its_separators() {
        let lines = ["Hours in June", "Day;Name;Hours", "3 June;Ada;7,5", "4 June;Tom;8"];
        let found = table(&lines).unwrap();
        assert_eq!((found.start, found.end), (1, 4));
        assert_eq!(found.text, "Day\tName\tHours\n3 June\tAda\t7,5\n4 June\tTom\t8");
        assert_eq!(table(&["First this; then that; and so on.", "Another line."]), None);
    }

    #[test]
    fn separators_are_told_by_the_lines() {
        for (text, table) in [
            ("a,b\n\"1,5\",\"two\nlines\"\n", "a\tb\n1,5\ttwo lines"),
            (
                "Name;Preis\nBrot;3,20\nMilch;1,10\n",
                "Name\tPreis\nBrot\t3,20\nMilch\t1,10",
            ),
            ("a\tb, c\n1\t2\n", "a\tb, c\n1\t2"),
            ("one\ntwo\n", "one\ntwo"),
        ] {
            let document = read(text, &Options::default());
            assert_eq!(document.pages[0].blocks[0].text, table);
        }
    }
}
