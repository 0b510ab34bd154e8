//! Workbooks of Excel (SpreadsheetML of ECMA-376, part 1): a sheet is a page, with its name as a heading and a table for
//! each group of rows between empty ones.
//!
//! Cells have the values that were computed when the file was saved, as text. Only cells that are there take memory: a
//! sheet with one cell in its last corner is one line.

mod formats;

use quartet_text_analysis::{Document, Kind as BlockKind};

use self::formats::Formats;
use crate::archive::Archive;
use crate::draft::{Draft, rows};
use crate::error::Error;
use crate::limits::MAX_COLUMNS;
use crate::options::Options;
use crate::package::{self, Relationships};
use crate::xml::{Node, Xml};
use quartet_document_kinds::Kind;

/// Most rows of a block, so that a long sheet is not one.
const MAX_BLOCK_ROWS: usize = 1_000;
/// Most bytes of the cells that a row of a block has; wide rows that are nearly empty are cut off.
const MAX_EMPTY_CELLS: usize = 64;

/// Reads a workbook.
pub fn read(bytes: &[u8], options: &Options<'_>) -> Result<Document, Error> {
    let mut archive = Archive::open(bytes, Kind::Xlsx, &options.limits)?;
    let main = package::main_part(&mut archive, "xl/workbook.xml")?;
    let text = archive.needed(&main)?;
    let relationships = package::relationships(&mut archive, &main)?;
    let (sheets, from_1904) = sheets(&text, &relationships)?;
    let mut related = |kind: &str| -> Result<String, Error> {
        let part = package::of_kind(&relationships, kind).map(str::to_owned);
        part.map_or(Ok(String::new()), |part| Ok(archive.text(&part)?.unwrap_or_default()))
    };
    let strings = strings(&related("sharedStrings")?, options)?;
    let formats = Formats::read(&related("styles")?, from_1904)?;
    let mut draft = Draft::new(options);
    package::properties(&mut archive, &mut draft)?;
    let (mut charts, mut uncomputed) = (0, 0);
    for (name, part) in &sheets {
        draft.begin_page();
        if draft.is_full() {
            break;
        }
        draft.heading(1, name);
        let Some(text) = archive.text(part)? else {
            draft.warn_page("The sheet is missing in the file.");
            continue;
        };
        let relationships = package::relationships(&mut archive, part)?;
        charts += relationships
            .values()
            .filter(|related| related.kind == "drawing")
            .count();
        uncomputed += sheet(&text, &strings, &formats, &relationships, &mut draft)?;
    }
    if charts > 0 {
        draft.warn(&format!(
            "Charts and pictures are not read; sheets that have some: {charts}."
        ));
    }
    if uncomputed > 0 {
        draft.warn(&format!("Formulas without a saved value are empty: {uncomputed}."));
    }
    archive.warnings().iter().for_each(|warning| draft.warn(warning));
    Ok(draft.finish(sheets.len()))
}

/// Names and parts of the sheets in order, and true if dates count from 1904.
fn sheets(text: &str, relationships: &Relationships) -> Result<(Vec<(String, String)>, bool), Error> {
    let (mut all, mut from_1904) = (Vec::new(), false);
    let mut xml = Xml::new(text);
    while let Some(node) = xml.next()? {
        let Node::Open(tag) = node else { continue };
        match tag.name() {
            "workbookPr" => from_1904 = matches!(tag.attribute("date1904").as_deref(), Some("1" | "true")),
            "sheet" => {
                let name = tag.attribute("name").unwrap_or_default();
                let part = tag.qualified("r:id").and_then(|id| relationships.get(&id));
                // Sheets of charts have no cells.
                if let Some(part) = part.filter(|part| part.kind == "worksheet") {
                    all.push((name, part.target.clone()));
                }
            }
            _ => {}
        }
    }
    Ok((all, from_1904))
}

/// The texts that cells share. Readings of ideographs are left out.
fn strings(text: &str, options: &Options<'_>) -> Result<Vec<String>, Error> {
    let mut all = Vec::new();
    let mut bytes = 0;
    let mut xml = Xml::new(text);
    while let Some(node) = xml.next()? {
        if matches!(&node, Node::Open(tag) if tag.name() == "si") {
            let text = inline(&mut xml, "si")?;
            bytes += text.len() + size_of::<String>();
            if bytes as u64 > options.limits.max_part_bytes {
                return Err(Error::Limit {
                    what: "bytes in the texts of its cells",
                    limit: options.limits.max_part_bytes,
                });
            }
            all.push(text);
        }
    }
    Ok(all)
}

/// The text in an element that just began.
fn inline(xml: &mut Xml<'_>, element: &str) -> Result<String, Error> {
    let mut out = String::new();
    let mut in_text = false;
    while let Some(node) = xml.next()? {
        match node {
            Node::Open(tag) if tag.name() == "rPh" => xml.skip()?,
            Node::Open(tag) => in_text = tag.name() == "t",
            Node::Text(text) if in_text => out.push_str(&text),
            Node::Text(_) => {}
            Node::Close(end) if end.name() == element => break,
            Node::Close(_) => in_text = false,
        }
    }
    Ok(unescaped(out))
}

/// A text with characters in place of their codes, such as `_x000D_`.
fn unescaped(text: String) -> String {
    if !text.contains("_x") {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("_x") {
        let code = rest
            .get(at + 2..at + 6)
            .and_then(|code| u32::from_str_radix(code, 16).ok());
        let ends = rest.as_bytes().get(at + 6) == Some(&b'_');
        match code.and_then(char::from_u32).filter(|_| ends) {
            Some(c) => {
                out.push_str(&rest[..at]);
                out.push(c);
                rest = &rest[at + 7..];
            }
            None => {
                out.push_str(&rest[..at + 2]);
                rest = &rest[at + 2..];
            }
        }
    }
    out + rest
}

/// A cell that is being read.
#[derive(Debug, Default)]
struct Cell {
    column: usize,
    kind: String,
    style: usize,
    value: String,
    has_formula: bool,
}

/// Reads a sheet into its page. Returns the number of formulas without a value.
fn sheet(
    text: &str,
    strings: &[String],
    formats: &Formats,
    relationships: &Relationships,
    draft: &mut Draft<'_>,
) -> Result<usize, Error> {
    let mut block: Vec<Vec<String>> = Vec::new();
    let mut row: Vec<String> = Vec::new();
    let (mut last_row, mut this_row) = (0, 0);
    let mut cell = Cell::default();
    let mut uncomputed = 0;
    let mut xml = Xml::new(text);
    while let Some(node) = xml.next()? {
        match node {
            Node::Open(tag) => match tag.name() {
                "row" => this_row = tag.number("r").unwrap_or(this_row + 1),
                "c" => {
                    let place = tag.attribute("r").and_then(|place| column(&place));
                    cell = Cell {
                        column: place.unwrap_or(row.len()).min(MAX_COLUMNS - 1),
                        kind: tag.attribute("t").unwrap_or_default(),
                        style: tag.number("s").unwrap_or(0),
                        ..Cell::default()
                    };
                }
                "f" => {
                    cell.has_formula = true;
                    xml.skip()?;
                }
                "v" => cell.value = xml.text()?,
                "is" => cell.value = inline(&mut xml, "is")?,
                "hyperlink" => {
                    let target = tag.qualified("r:id").and_then(|id| relationships.get(&id));
                    if let Some(target) = target.filter(|target| target.is_external) {
                        draft.link(&tag.attribute("display").unwrap_or_default(), &target.target);
                    }
                }
                _ => {}
            },
            Node::Text(_) => {}
            Node::Close(end) => match end.name() {
                "c" => {
                    let text = match cell.kind.as_str() {
                        "s" => {
                            let index = cell.value.trim().parse::<usize>().ok();
                            index.and_then(|index| strings.get(index)).cloned().unwrap_or_default()
                        }
                        "b" => if cell.value.trim() == "1" { "TRUE" } else { "FALSE" }.to_owned(),
                        "" | "n" => formats.show(&cell.value, cell.style),
                        "str" => unescaped(std::mem::take(&mut cell.value)),
                        _ => std::mem::take(&mut cell.value),
                    };
                    uncomputed += usize::from(cell.has_formula && text.is_empty());
                    if !text.trim().is_empty() {
                        place(&mut row, cell.column, text);
                    }
                }
                "row" => {
                    let row = std::mem::take(&mut row);
                    let is_apart = this_row > last_row + 1;
                    if row.is_empty() || is_apart || block.len() >= MAX_BLOCK_ROWS {
                        flush(&mut block, draft);
                    }
                    if !row.is_empty() {
                        block.push(row);
                        last_row = this_row;
                    }
                    if draft.is_full() {
                        return Ok(uncomputed);
                    }
                }
                _ => {}
            },
        }
    }
    block.extend((!row.is_empty()).then_some(row));
    flush(&mut block, draft);
    if xml.is_broken() {
        draft.warn_page("The sheet ends early or is damaged; it was read as far as it goes.");
    }
    Ok(uncomputed)
}

/// Puts a text into its column. Where many are empty before it, they are not kept.
fn place(row: &mut Vec<String>, column: usize, text: String) {
    let column = column.min(row.len() + MAX_EMPTY_CELLS);
    if row.len() < column {
        row.resize(column, String::new());
    }
    if row.len() == column {
        row.push(text);
    } else {
        row[column] = text;
    }
}

/// Adds a group of rows: a table, or where it has one column, paragraphs.
fn flush(block: &mut Vec<Vec<String>>, draft: &mut Draft<'_>) {
    let all = std::mem::take(block);
    // Tables seldom begin in the first column.
    let is_filled = |row: &Vec<String>| row.iter().position(|cell| !cell.trim().is_empty());
    let first = all.iter().filter_map(is_filled).min().unwrap_or(0);
    let all: Vec<Vec<String>> = all
        .into_iter()
        .map(|row| row.into_iter().skip(first).collect())
        .collect();
    if all.iter().any(|row| row.len() > 1) {
        draft.block(BlockKind::Table, &rows(&all));
    } else {
        for row in &all {
            row.iter().for_each(|cell| draft.block(BlockKind::Paragraph, cell));
        }
    }
}

/// The column of a place such as `AB12`, from 0.
fn column(place: &str) -> Option<usize> {
    let letters = place.bytes().take_while(u8::is_ascii_alphabetic).take(4);
    let number = letters.fold(0, |number, letter| {
        number * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1
    });
    number.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_codes_are_understood() {
        assert_eq!(
            [column("A1"), column("AB12"), column("XFD9"), column("12")],
            [Some(0), Some(27), Some(16_383), None]
        );
        assert_eq!(unescaped("a_x000D_b_x_xZZZZ_".to_owned()), "a\rb_x_xZZZZ_");
        let mut row = Vec::new();
        place(&mut row, 1, "b".to_owned());
        place(&mut row, 16_000, "z".to_owned());
        assert_eq!((row.len(), row[1].as_str(), row[66].as_str()), (67, "b", "z"));
    }
}
