//! The content of an OpenDocument file: paragraphs, lists, tables, notes, slides and sheets.

use quartet_text_analysis::Kind as BlockKind;
use rustc_hash::FxHashMap;

use crate::draft::{Draft, rows};
use crate::error::Error;
use crate::limits::MAX_COLUMNS;
use crate::xml::{Node, Tag, Xml};
use quartet_document_kinds::Kind;

/// Most times that a cell or row with text is repeated: more is a background.
const MAX_REPEATS: usize = 100;
/// Most empty cells before one with text that are kept.
const MAX_EMPTY_CELLS: usize = 64;
/// Most rows of a block of a sheet.
const MAX_BLOCK_ROWS: usize = 1_000;

/// A paragraph that is being read.
#[derive(Debug, Default)]
struct Paragraph {
    text: String,
    style: String,
    /// The level of a heading, from 1.
    level: Option<u8>,
    links: Vec<(String, String)>,
    notes: Vec<String>,
    breaks: usize,
}

/// A table that is being read.
#[derive(Debug, Default)]
struct Table {
    rows: Vec<Vec<String>>,
    row: Vec<String>,
    cell: String,
    cell_repeats: usize,
    row_repeats: usize,
    /// True for a sheet, whose rows become blocks as they come.
    is_sheet: bool,
}

/// A list that is being read: the number of the next item, where it has numbers.
#[derive(Debug, Default)]
struct List {
    /// True until the first paragraph of an item was read.
    is_first: bool,
}

/// The content.
pub struct Content<'c> {
    xml: Xml<'c>,
    kind: Kind,
    /// Named styles by automatic ones, and program text by both.
    parents: FxHashMap<String, String>,
    paragraphs: Vec<Paragraph>,
    tables: Vec<Table>,
    lists: Vec<List>,
    /// The open link: its address and where its text begins.
    link: Option<(String, usize)>,
    /// Depth of paragraphs outside of the notes that are open.
    notes: Vec<(usize, String)>,
    in_notes_page: bool,
    in_title: bool,
    page_breaks: FxHashMap<String, ()>,
    has_soft_breaks: bool,
    body: bool,
    last_note: usize,
    pictures: usize,
    charts: usize,
    comments: usize,
}

impl<'c> Content<'c> {
    /// Begins a content.
    pub fn new(text: &'c str, kind: Kind) -> Self {
        Self {
            xml: Xml::new(text),
            kind,
            parents: FxHashMap::default(),
            paragraphs: Vec::new(),
            tables: Vec::new(),
            lists: Vec::new(),
            link: None,
            notes: Vec::new(),
            in_notes_page: false,
            in_title: false,
            page_breaks: FxHashMap::default(),
            has_soft_breaks: text.contains("text:soft-page-break"),
            body: false,
            last_note: 0,
            pictures: 0,
            charts: 0,
            comments: 0,
        }
    }

    /// Reads the content into a document.
    pub fn read(&mut self, draft: &mut Draft<'_>) -> Result<(), Error> {
        let mut style = String::new();
        while let Some(node) = self.xml.next()? {
            match node {
                Node::Open(tag) if !self.body => match tag.name() {
                    "body" => self.body = true,
                    "style" => {
                        style = tag.attribute("name").unwrap_or_default();
                        if let Some(parent) = tag.attribute("parent-style-name") {
                            self.parents.insert(style.clone(), parent);
                        }
                    }
                    "paragraph-properties" if tag.attribute("break-before").as_deref() == Some("page") => {
                        self.page_breaks.insert(style.clone(), ());
                    }
                    _ => {}
                },
                Node::Open(tag) => self.open(&tag, draft)?,
                Node::Text(text) => self.text(&text),
                Node::Close(end) => self.close(end.name(), draft),
            }
            if draft.is_full() {
                return Ok(());
            }
        }
        while !self.paragraphs.is_empty() {
            self.close("p", draft);
        }
        while !self.tables.is_empty() {
            for name in ["table-cell", "table-row", "table"] {
                self.close(name, draft);
            }
        }
        if self.xml.is_broken() {
            draft.warn("The document ends early or is damaged; it was read as far as it goes.");
        }
        Ok(())
    }

    /// Warnings about what is in the document and was not read.
    pub fn left_out(&self) -> Vec<String> {
        [
            (self.pictures, "Pictures in the document are not read"),
            (self.charts, "Charts and other embedded objects are not read"),
            (self.comments, "Comments in the margin are left out"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{what}: {count}."))
        .collect()
    }

    fn open(&mut self, tag: &Tag<'_>, draft: &mut Draft<'_>) -> Result<(), Error> {
        match tag.name() {
            "p" | "h" => {
                let level = (tag.name() == "h").then(|| tag.number("outline-level").unwrap_or(1).clamp(1, 9));
                self.paragraphs.push(Paragraph {
                    style: tag.attribute("style-name").unwrap_or_default(),
                    level: level.and_then(|level| u8::try_from(level).ok()),
                    ..Paragraph::default()
                });
            }
            "s" => {
                let count = tag.number("c").unwrap_or(1).min(100);
                self.add(&" ".repeat(count));
            }
            "tab" => self.add("\t"),
            "line-break" => self.add("\n"),
            "soft-page-break" => {
                let is_between = self.paragraphs.is_empty();
                match self.paragraphs.last_mut() {
                    // A sentence is not torn: the page begins after the paragraph.
                    Some(paragraph) => paragraph.breaks += 1,
                    None if is_between && self.tables.is_empty() => draft.begin_page(),
                    None => {}
                }
            }
            "a" => {
                self.end_link();
                let url = tag.attribute("href").filter(|url| !url.starts_with('#'));
                self.link = url.map(|url| (url, self.here()));
            }
            "list" => self.lists.push(List::default()),
            "list-item" | "list-header" => {
                if let Some(list) = self.lists.last_mut() {
                    list.is_first = true;
                }
            }
            // The mark in the text, which is counted here anew.
            "note-citation" => self.xml.skip()?,
            "note" => {
                self.last_note += 1;
                self.add(&format!("[{}]", self.last_note));
                self.notes.push((self.paragraphs.len(), String::new()));
            }
            "annotation" => {
                self.comments += 1;
                self.xml.skip()?;
            }
            // Deleted text, forms, fields' declarations, and what an object looks like.
            "tracked-changes"
            | "forms"
            | "ruby-text"
            | "variable-decls"
            | "sequence-decls"
            | "title"
            | "desc"
            | "event-listeners"
            | "settings"
            | "dde-connection-decls"
            | "content-validations" => self.xml.skip()?,
            "image" => self.pictures += 1,
            "object" => self.charts += 1,
            "table" => self.begin_table(tag, draft),
            "table-row" => {
                if let Some(table) = self.tables.last_mut() {
                    table.row_repeats = tag.number("number-rows-repeated").unwrap_or(1);
                }
            }
            "table-cell" | "covered-table-cell" => {
                if let Some(table) = self.tables.last_mut() {
                    table.cell_repeats = tag.number("number-columns-repeated").unwrap_or(1);
                }
            }
            "page" if self.kind == Kind::Odp => draft.begin_page(),
            "notes" => self.in_notes_page = true,
            "frame" => self.in_title = tag.attribute("class").as_deref() == Some("title"),
            _ => {}
        }
        Ok(())
    }

    fn begin_table(&mut self, tag: &Tag<'_>, draft: &mut Draft<'_>) {
        let is_sheet = self.kind == Kind::Ods && self.tables.is_empty();
        if is_sheet {
            draft.begin_page();
            draft.heading(1, &tag.attribute("name").unwrap_or_default());
        }
        self.tables.push(Table {
            is_sheet,
            ..Table::default()
        });
    }

    fn text(&mut self, text: &str) {
        if !self.body {
            return;
        }
        let Some(paragraph) = self.paragraphs.last_mut() else {
            return;
        };
        // White space in the file is one space; more is in elements.
        let mut is_gap = paragraph.text.is_empty() || paragraph.text.ends_with(char::is_whitespace);
        for c in text.chars() {
            match c {
                ' ' | '\n' | '\t' | '\r' => {
                    if !is_gap {
                        paragraph.text.push(' ');
                    }
                    is_gap = true;
                }
                c => {
                    paragraph.text.push(c);
                    is_gap = false;
                }
            }
        }
    }

    fn add(&mut self, text: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_str(text);
        }
    }

    fn here(&self) -> usize {
        self.paragraphs.last().map_or(0, |paragraph| paragraph.text.len())
    }

    fn end_link(&mut self) {
        if let (Some((url, from)), Some(paragraph)) = (self.link.take(), self.paragraphs.last_mut())
            && let Some(text) = paragraph.text.get(from..)
        {
            paragraph.links.push((text.to_owned(), url));
        }
    }

    fn close(&mut self, name: &str, draft: &mut Draft<'_>) {
        match name {
            "p" | "h" => {
                self.end_link();
                let Some(paragraph) = self.paragraphs.pop() else { return };
                if let Some((depth, note)) = self.notes.last_mut()
                    && *depth <= self.paragraphs.len()
                {
                    note.push_str(if note.is_empty() { "" } else { " " });
                    note.push_str(&paragraph.text);
                } else if let Some(table) = self.tables.last_mut() {
                    table.cell.push_str(if table.cell.is_empty() { "" } else { " " });
                    table.cell.push_str(&paragraph.text);
                    emit_beside(&paragraph, draft);
                } else {
                    self.emit(&paragraph, draft);
                }
            }
            "a" => self.end_link(),
            "note" => {
                let Some((_, text)) = self.notes.pop() else { return };
                let number = self.last_note;
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.notes.push(format!("[{number}] {text}"));
                }
            }
            "list" => {
                self.lists.pop();
            }
            "notes" => self.in_notes_page = false,
            "frame" => self.in_title = false,
            "table-cell" | "covered-table-cell" => {
                let Some(table) = self.tables.last_mut() else { return };
                let cell = std::mem::take(&mut table.cell);
                let repeats = std::mem::take(&mut table.cell_repeats).max(1);
                let most = match cell.trim().is_empty() {
                    true => MAX_EMPTY_CELLS,
                    false => MAX_REPEATS,
                };
                let room = MAX_COLUMNS - table.row.len().min(MAX_COLUMNS);
                table.row.extend(std::iter::repeat_n(cell, repeats.min(most).min(room)));
            }
            "table-row" => self.end_row(draft),
            "table" => {
                let Some(table) = self.tables.pop() else { return };
                let text = rows(&table.rows);
                match self.tables.last_mut() {
                    Some(outer) => {
                        outer.cell.push_str(if outer.cell.is_empty() { "" } else { " " });
                        outer.cell.push_str(&text.replace(['\t', '\n'], " "));
                    }
                    None => block(table.rows, draft),
                }
            }
            _ => {}
        }
    }

    fn end_row(&mut self, draft: &mut Draft<'_>) {
        let Some(table) = self.tables.last_mut() else { return };
        let mut row = std::mem::take(&mut table.row);
        let width = row
            .iter()
            .rposition(|cell| !cell.trim().is_empty())
            .map_or(0, |last| last + 1);
        row.truncate(width);
        let repeats = std::mem::take(&mut table.row_repeats).clamp(1, MAX_REPEATS);
        if row.is_empty() || table.rows.len() >= MAX_BLOCK_ROWS && table.is_sheet {
            if table.is_sheet {
                block(std::mem::take(&mut table.rows), draft);
            }
            if row.is_empty() {
                return;
            }
        }
        table.rows.extend(std::iter::repeat_n(row, repeats));
    }

    fn emit(&mut self, paragraph: &Paragraph, draft: &mut Draft<'_>) {
        let begins_page = !self.has_soft_breaks && self.page_breaks.contains_key(&paragraph.style);
        if self.kind == Kind::Odt && begins_page && draft.has_text() {
            draft.begin_page();
        }
        let text = &paragraph.text;
        let style = self.parents.get(&paragraph.style).unwrap_or(&paragraph.style);
        let is_first = self
            .lists
            .last_mut()
            .is_some_and(|list| std::mem::take(&mut list.is_first));
        match (style.as_str(), paragraph.level) {
            _ if self.in_notes_page => {
                // A notes page repeats the number of its slide.
                if text.trim().parse::<usize>().is_err() && !text.trim().is_empty() {
                    draft.block(BlockKind::Other, &format!("Notes: {text}"));
                }
            }
            _ if self.in_title => draft.heading(1, text),
            ("Title", _) => draft.title(text),
            (_, Some(level)) => draft.heading(level, text),
            (style, None) => {
                let kind = match style {
                    "Preformatted_20_Text" | "Preformatted" | "Source_20_Text" => BlockKind::Code,
                    "Caption" | "Illustration" | "Figure" | "Table" => BlockKind::Caption,
                    _ if is_first => BlockKind::ListItem,
                    _ => BlockKind::Paragraph,
                };
                draft.block(kind, text);
            }
        }
        emit_beside(paragraph, draft);
        if self.kind == Kind::Odt {
            for _ in 0..paragraph.breaks {
                draft.begin_page();
            }
        }
    }
}

/// Adds the links and notes of a paragraph.
fn emit_beside(paragraph: &Paragraph, draft: &mut Draft<'_>) {
    for (text, url) in &paragraph.links {
        draft.link(text, url);
    }
    for note in &paragraph.notes {
        draft.block(BlockKind::Footnote, note);
    }
}

/// Adds rows: a table, or where they have one column, paragraphs.
fn block(all: Vec<Vec<String>>, draft: &mut Draft<'_>) {
    let first = all
        .iter()
        .filter_map(|row| row.iter().position(|cell| !cell.trim().is_empty()))
        .min()
        .unwrap_or(0);
    let all: Vec<Vec<String>> = all
        .into_iter()
        .map(|row| row.into_iter().skip(first).collect())
        .collect();
    if all.iter().any(|row| row.len() > 1) {
        draft.block(BlockKind::Table, &rows(&all));
    } else {
        all.iter()
            .flatten()
            .for_each(|cell| draft.block(BlockKind::Paragraph, cell));
    }
}
