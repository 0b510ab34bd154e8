//! The body of a document of Word: paragraphs, tables, text boxes, notes and pages.

use quartet_text_analysis::Kind;
use rustc_hash::FxHashMap;

use super::numbering::Numbering;
use super::styles::Styles;
use crate::draft::{Draft, rows};
use crate::error::Error;
use crate::limits::MAX_COLUMNS;
use crate::package::{Relationships, is_off};
use crate::xml::{Node, Tag, Xml};

/// Texts of footnotes or endnotes, by their ids.
pub type Notes = FxHashMap<String, String>;

/// Longest label of a list that is kept.
const MAX_LABEL_CHARS: usize = 30;

/// A paragraph that is being read.
#[derive(Debug, Default)]
struct Paragraph {
    text: String,
    style: Option<String>,
    level: Option<u8>,
    numbering: Option<(String, usize)>,
    links: Vec<(String, String)>,
    /// Numbers and texts of its notes.
    notes: Vec<(usize, String)>,
    /// The number of page breaks in it.
    breaks: usize,
    begins_page: bool,
    ends_section: bool,
}

/// A table that is being read.
#[derive(Debug, Default)]
struct Table {
    rows: Vec<Vec<String>>,
    row: Vec<String>,
    cell: String,
    /// Columns that the cell spans.
    span: usize,
}

/// A block that waits for the paragraph that it stands in.
enum Held {
    Paragraph(Paragraph),
    Table(String),
}

/// The body.
pub struct Body<'b> {
    xml: Xml<'b>,
    styles: Styles,
    numbering: Numbering,
    relationships: &'b Relationships,
    footnotes: &'b Notes,
    endnotes: &'b Notes,
    /// True if Word noted where its pages began when it saved the file.
    has_rendered_pages: bool,
    paragraphs: Vec<Paragraph>,
    tables: Vec<Table>,
    held: Vec<Held>,
    /// The open link: its address and where its text begins.
    link: Option<(String, usize)>,
    /// Open fields: instructions, true after their separator, and where the result begins.
    fields: Vec<(String, bool, usize)>,
    in_text: bool,
    in_instruction: bool,
    hidden: bool,
    last_note: usize,
    pictures: usize,
    charts: usize,
}

impl<'b> Body<'b> {
    /// Begins a body.
    pub fn new(
        text: &'b str,
        styles: Styles,
        numbering: Numbering,
        relationships: &'b Relationships,
        (footnotes, endnotes): (&'b Notes, &'b Notes),
    ) -> Self {
        Self {
            xml: Xml::new(text),
            styles,
            numbering,
            relationships,
            footnotes,
            endnotes,
            has_rendered_pages: text.contains("lastRenderedPageBreak"),
            paragraphs: Vec::new(),
            tables: Vec::new(),
            held: Vec::new(),
            link: None,
            fields: Vec::new(),
            in_text: false,
            in_instruction: false,
            hidden: false,
            last_note: 0,
            pictures: 0,
            charts: 0,
        }
    }

    /// Reads the body into a document.
    pub fn read(&mut self, draft: &mut Draft<'_>) -> Result<(), Error> {
        while let Some(node) = self.xml.next()? {
            match node {
                Node::Open(tag) => self.open(&tag)?,
                Node::Text(text) => self.text(&text),
                Node::Close(end) => self.close(end.name(), draft),
            }
            if draft.is_full() {
                return Ok(());
            }
        }
        // Of a file that ends early, what is there.
        while !self.paragraphs.is_empty() {
            self.close("p", draft);
        }
        while !self.tables.is_empty() {
            for name in ["tc", "tr", "tbl"] {
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
        let mut all = Vec::new();
        if self.pictures > 0 {
            all.push(format!("Pictures in the document are not read: {}.", self.pictures));
        }
        if self.charts > 0 {
            all.push(format!("Charts in the document are not read: {}.", self.charts));
        }
        all
    }

    fn open(&mut self, tag: &Tag<'_>) -> Result<(), Error> {
        let value = || tag.attribute("val");
        match tag.name() {
            "p" => self.paragraphs.push(Paragraph::default()),
            "tbl" => self.tables.push(Table::default()),
            "gridSpan" => {
                if let Some(table) = self.tables.last_mut() {
                    table.span = tag.number("val").unwrap_or(1).min(MAX_COLUMNS);
                }
            }
            "t" | "delText" => self.in_text = tag.name() == "t",
            "instrText" => self.in_instruction = true,
            // Deleted, or moved elsewhere; the second way to show a drawing; what a field or a change was before.
            "del" | "moveFrom" | "Fallback" | "pPrChange" | "rPrChange" | "sectPrChange" | "tblPrChange" => {
                self.xml.skip()?
            }
            // Places of tabs, and readings above ideographs.
            "tabs" | "rt" => self.xml.skip()?,
            "r" => self.hidden = false,
            "vanish" | "webHidden" => self.hidden |= !is_off(value().as_deref()),
            "br" | "cr" => match tag.attribute("type").as_deref() {
                Some("page") if !self.has_rendered_pages => self.page_break(),
                Some("page" | "column") => self.add(" "),
                _ => self.add("\n"),
            },
            "lastRenderedPageBreak" => self.page_break(),
            "tab" => self.add("\t"),
            "noBreakHyphen" => self.add("\u{2011}"),
            "sym" => {
                let code = tag
                    .attribute("char")
                    .and_then(|code| u32::from_str_radix(&code, 16).ok());
                // Fonts of signs lie in the private area, and nobody knows what they show.
                let known = code
                    .and_then(char::from_u32)
                    .filter(|c| !('\u{e000}'..='\u{f8ff}').contains(c));
                self.add(known.unwrap_or('•').encode_utf8(&mut [0; 4]));
            }
            "hyperlink" => {
                let target = tag.qualified("r:id").and_then(|id| self.relationships.get(&id));
                self.end_link();
                if let Some(target) = target.filter(|target| target.is_external) {
                    self.link = Some((target.target.clone(), self.here()));
                }
            }
            "fldChar" => match tag.attribute("fldCharType").as_deref() {
                Some("begin") => self.fields.push((String::new(), false, 0)),
                Some("separate") => {
                    let here = self.here();
                    if let Some(field) = self.fields.last_mut() {
                        (field.1, field.2) = (true, here);
                    }
                }
                _ => self.end_field(),
            },
            "footnoteReference" | "endnoteReference" => {
                let notes = match tag.name() {
                    "footnoteReference" => self.footnotes,
                    _ => self.endnotes,
                };
                if let Some(text) = tag.attribute("id").and_then(|id| notes.get(&id)) {
                    self.last_note += 1;
                    self.add(&format!("[{}]", self.last_note));
                    if let Some(paragraph) = self.paragraphs.last_mut() {
                        paragraph.notes.push((self.last_note, text.clone()));
                    }
                }
            }
            // Formulas are lines of their signs.
            "den" => self.add("/"),
            "sup" => self.add("^"),
            "sub" => self.add("_"),
            "pic" | "imagedata" => self.pictures += 1,
            "chart" => self.charts += 1,
            name => self.property(name, tag),
        }
        Ok(())
    }

    /// Takes a property of a paragraph.
    fn property(&mut self, name: &str, tag: &Tag<'_>) {
        let value = || tag.attribute("val");
        let Some(paragraph) = self.paragraphs.last_mut() else {
            return;
        };
        match name {
            "pStyle" => paragraph.style = value(),
            "outlineLvl" => {
                paragraph.level = value()
                    .and_then(|level| level.parse().ok())
                    .filter(|level| *level < 9)
                    .map(|level: u8| level + 1)
            }
            "numId" => paragraph.numbering.get_or_insert_default().0 = value().unwrap_or_default(),
            "ilvl" => paragraph.numbering.get_or_insert_default().1 = tag.number("val").unwrap_or(0),
            "pageBreakBefore" => paragraph.begins_page = !self.has_rendered_pages && !is_off(value().as_deref()),
            "sectPr" => paragraph.ends_section = !self.has_rendered_pages,
            "type" if matches!(value().as_deref(), Some("continuous" | "nextColumn")) => paragraph.ends_section = false,
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_instruction {
            if let Some((instruction, false, _)) = self.fields.last_mut() {
                instruction.push_str(text);
            }
        } else if self.in_text && !self.hidden {
            self.add(text);
        }
    }

    fn add(&mut self, text: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_str(text);
        }
    }

    /// The place in the paragraph.
    fn here(&self) -> usize {
        self.paragraphs.last().map_or(0, |paragraph| paragraph.text.len())
    }

    fn page_break(&mut self) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            match paragraph.text.trim().is_empty() {
                true => paragraph.begins_page = true,
                // A sentence is not torn: the page begins after the paragraph.
                false => paragraph.breaks += 1,
            }
        }
    }

    fn end_link(&mut self) {
        let (Some((url, from)), Some(paragraph)) = (self.link.take(), self.paragraphs.last_mut()) else {
            return;
        };
        if let Some(text) = paragraph.text.get(from..) {
            paragraph.links.push((text.to_owned(), url));
        }
    }

    /// Ends a field; of a link's, the address is in its instruction.
    fn end_field(&mut self) {
        let Some((instruction, true, from)) = self.fields.pop() else {
            return;
        };
        let quoted = instruction
            .trim()
            .strip_prefix("HYPERLINK")
            .and_then(|rest| rest.split('"').nth(1));
        let is_local = instruction.contains("\\l");
        if let (Some(url), false, Some(paragraph)) = (quoted, is_local, self.paragraphs.last_mut())
            && let Some(text) = paragraph.text.get(from..)
        {
            paragraph.links.push((text.to_owned(), url.to_owned()));
        }
    }

    fn close(&mut self, name: &str, draft: &mut Draft<'_>) {
        match name {
            "t" => self.in_text = false,
            "instrText" => self.in_instruction = false,
            "hyperlink" => self.end_link(),
            "p" => {
                let Some(paragraph) = self.paragraphs.pop() else { return };
                match self.tables.last_mut() {
                    // A text box in a cell is in the cell, too.
                    Some(table) => {
                        if !table.cell.is_empty() && !paragraph.text.is_empty() {
                            table.cell.push(' ');
                        }
                        table.cell.push_str(&paragraph.text);
                        emit_beside(&paragraph, draft);
                    }
                    None if self.paragraphs.is_empty() => {
                        self.emit(paragraph, draft);
                        for held in std::mem::take(&mut self.held) {
                            match held {
                                Held::Paragraph(paragraph) => self.emit(paragraph, draft),
                                Held::Table(text) => draft.block(Kind::Table, &text),
                            }
                        }
                    }
                    None => self.held.push(Held::Paragraph(paragraph)),
                }
            }
            "tc" => {
                if let Some(table) = self.tables.last_mut() {
                    let cell = std::mem::take(&mut table.cell);
                    table.row.push(cell);
                    let span = std::mem::take(&mut table.span).max(1);
                    let width = (table.row.len() + span - 1).min(MAX_COLUMNS);
                    table.row.resize(width.max(table.row.len()), String::new());
                }
            }
            "tr" => {
                if let Some(table) = self.tables.last_mut() {
                    let row = std::mem::take(&mut table.row);
                    table.rows.push(row);
                }
            }
            "tbl" => {
                let Some(table) = self.tables.pop() else { return };
                let text = rows(&table.rows);
                match self.tables.last_mut() {
                    // A table in a cell is a text there.
                    Some(outer) => {
                        if !outer.cell.is_empty() {
                            outer.cell.push(' ');
                        }
                        outer.cell.push_str(&text.replace(['\t', '\n'], " "));
                    }
                    None if self.paragraphs.is_empty() => draft.block(Kind::Table, &text),
                    None => self.held.push(Held::Table(text)),
                }
            }
            _ => {}
        }
    }

    fn emit(&mut self, paragraph: Paragraph, draft: &mut Draft<'_>) {
        if paragraph.begins_page && draft.page_number() + usize::from(draft.has_text()) > 1 {
            draft.begin_page();
        }
        let meaning = paragraph
            .style
            .as_deref()
            .map(|style| self.styles.meaning(style))
            .unwrap_or_default();
        let numbering = paragraph
            .numbering
            .clone()
            .map(|(list, level)| match &meaning.numbering {
                // A level alone is one of the style's list.
                Some((of_style, _)) if list.is_empty() => (of_style.clone(), level),
                _ => (list, level),
            });
        let numbering = numbering
            .or_else(|| meaning.numbering.clone())
            .filter(|(list, _)| list != "0" && !list.is_empty());
        let is_empty = paragraph.text.trim().is_empty();
        let label = match &numbering {
            Some((list, level)) if !is_empty => self.numbering.next(list, *level),
            _ => None,
        };
        let text = match label.as_deref() {
            Some(label) if !label.is_empty() && label.chars().count() <= MAX_LABEL_CHARS => {
                format!("{label} {}", paragraph.text.trim_start())
            }
            _ => paragraph.text.clone(),
        };
        match (meaning.kind, paragraph.level.or(meaning.level)) {
            (Some(Kind::Title), _) => draft.title(&text),
            (_, Some(level)) => draft.heading(level, &text),
            (Some(kind), None) => draft.block(kind, &text),
            (None, None) if numbering.is_some() => draft.block(Kind::ListItem, &text),
            (None, None) => draft.block(Kind::Paragraph, &text),
        }
        emit_beside(&paragraph, draft);
        for _ in 0..paragraph.breaks {
            draft.begin_page();
        }
        if paragraph.ends_section {
            draft.begin_page();
        }
    }
}

/// Adds the links and notes of a paragraph.
fn emit_beside(paragraph: &Paragraph, draft: &mut Draft<'_>) {
    for (text, url) in &paragraph.links {
        draft.link(text, url);
    }
    for (number, text) in &paragraph.notes {
        draft.block(Kind::Footnote, &format!("[{number}] {text}"));
    }
}
