//! A document as Markdown: CommonMark with the tables of GitHub's dialect.
//!
//! Only what the document says is marked up: titles, headings, items of lists, tables, program text and links out of the
//! document. Running headers and footers are left out, as in the plain text. Signs that Markdown would take for markup
//! are escaped, so that a reader shows the document's own text.

mod escape;
mod headings;
mod links;
mod lists;

use std::fmt::Write;

use quartet_text_analysis::{Block, Document, Kind, Page};

use self::escape::escape;
use self::headings::Headings;
use self::links::Links;

/// The way that tables came about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tables {
    /// By where things stand on a page: some may be formulas.
    #[default]
    Guessed,
    /// The file says which blocks are tables.
    Stated,
}

/// Markdown of a document's pages, each as [`Page::text`] has it: blocks with blank lines between them, the page's
/// running headers and footers only where it has nothing else.
pub fn pages(document: &Document, tables: Tables) -> Vec<String> {
    let headings = Headings::new(document);
    document
        .pages
        .iter()
        .map(|page| self::page(page, &headings, tables))
        .collect()
}

/// Puts the Markdown of pages together, with a comment before each that names it: `<!-- page 3 -->`. Pages without text
/// are left out.
pub fn join<'p>(pages: impl IntoIterator<Item = (usize, &'p str)>) -> String {
    let mut out = String::new();
    for (number, text) in pages {
        if text.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        let _ = write!(out, "<!-- page {number} -->\n\n{text}");
    }
    out
}

fn page(page: &Page, headings: &Headings, tables: Tables) -> String {
    let text: Vec<&Block> = page
        .blocks
        .iter()
        .filter(|block| !block.text.trim().is_empty())
        .collect();
    let body: Vec<&Block> = text.iter().copied().filter(|block| !block.kind.repeats()).collect();
    let blocks = if body.is_empty() { text } else { body };
    let mut links = Links::new(&page.links);
    let mut out = String::new();
    let mut before: Option<Kind> = None;
    let mut blocks = blocks.into_iter().peekable();
    while let Some(block) = blocks.next() {
        let level = headings.level(block, page.number);
        let kind = match (block.kind, level) {
            (_, Some(_)) => Kind::Heading,
            (kind, None) => kind,
        };
        if let Some(before) = before {
            // Items of a list stand below one another, everything else apart.
            let together = before == Kind::ListItem && kind == Kind::ListItem;
            out.push_str(if together { "\n" } else { "\n\n" });
        }
        before = Some(kind);
        match (kind, level) {
            (Kind::Heading, Some(level)) => {
                let mut title = block.text.clone();
                // A long title is set in several blocks.
                while let Some(next) = blocks.next_if(|next| block.kind == Kind::Title && next.kind == Kind::Title) {
                    title.push(' ');
                    title.push_str(&next.text);
                }
                out.push_str(&heading(level, &title, &mut links));
            }
            (Kind::ListItem, _) => out.push_str(&lists::item(&block.text, &mut links)),
            (Kind::Table, _) => out.push_str(&table(&block.text, tables)),
            (Kind::Code, _) => {
                let mut program = block.text.clone();
                while let Some(next) = blocks.next_if(|next| next.kind == Kind::Code) {
                    program.push('\n');
                    program.push_str(&next.text);
                }
                out.push_str(&code(&program));
            }
            _ if is_contents(&block.text) => {
                before = Some(Kind::ListItem);
                if out.ends_with("\n\n") && is_item_above(&out) {
                    out.pop();
                }
                out.push_str("- ");
                out.push_str(&links.marked(&block.text.replace('\t', " … ")));
            }
            _ => out.push_str(&paragraph(&block.text, &mut links)),
        }
    }
    out
}

/// Returns true if a text is a line of a table of contents: what the dots led to became a tab.
fn is_contents(text: &str) -> bool {
    text.rsplit_once('\t').is_some_and(|(_, page)| {
        let page = page.trim();
        !page.is_empty() && page.len() <= 6 && page.chars().all(char::is_alphanumeric)
    })
}

/// Returns true if the last block of a text is an item of a list.
fn is_item_above(out: &str) -> bool {
    let above = out.trim_end();
    above.rsplit('\n').next().is_some_and(|line| line.starts_with("- "))
}

fn heading(level: u8, text: &str, links: &mut Links<'_>) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut line = links.marked(&text);
    // A number sign at the end would be taken for the heading's own.
    if line.ends_with('#') {
        line.insert(line.len() - 1, '\\');
    }
    format!("{} {line}", "#".repeat(usize::from(level.clamp(1, 6))))
}

fn paragraph(text: &str, links: &mut Links<'_>) -> String {
    let lines: Vec<String> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| escape::line_start(&links.marked(line)))
        .collect();
    // A backslash before the end of a line keeps it.
    lines.join("\\\n")
}

/// Program text between fences that are longer than any in it.
fn code(text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}\n{}\n{fence}", text.trim_matches('\n'))
}

/// Rows of cells. The first row is the head: the dialect has no table without one.
fn table(text: &str, tables: Tables) -> String {
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.split('\t').collect())
        .collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    if columns < 2 || tables == Tables::Guessed && is_formula(&rows, columns) {
        let lines: Vec<String> = rows
            .iter()
            .map(|row| row.join(" ").split_whitespace().collect::<Vec<_>>().join(" "))
            .map(|line| escape::line_start(&escape(&line)))
            .collect();
        return lines.join("\\\n");
    }
    let mut out = String::new();
    for (index, row) in rows.iter().enumerate() {
        for column in 0..columns {
            let cell = row.get(column).map_or(String::new(), |cell| escape(cell.trim()));
            let _ = write!(out, "| {} ", cell.replace('|', "\\|"));
        }
        out.push_str("|\n");
        if index == 0 {
            out.push_str(&"| --- ".repeat(columns));
            out.push_str("|\n");
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Returns true if rows of cells are a formula that was set in two dimensions: hardly a word in it, and most places empty
/// or a number in brackets at the end of a row.
fn is_formula(rows: &[Vec<&str>], columns: usize) -> bool {
    let filled = || rows.iter().flatten().filter(|cell| !cell.trim().is_empty());
    let is_worded = |cell: &&&str| {
        let mut words = cell.split(|c: char| !c.is_alphabetic());
        words.any(|word| word.chars().count() > 2)
    };
    let is_number = |cell: &&str| {
        let inner = cell.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        inner.is_some_and(|inner| inner.starts_with(|c: char| c.is_ascii_digit()) && inner.len() <= 4)
    };
    let worded = filled().filter(is_worded).count();
    let numbered = rows
        .iter()
        .any(|row| row.len() > 1 && row.last().is_some_and(is_number));
    let sparse = filled().count() * 2 < rows.len() * columns;
    worded * 3 < filled().count() && (numbered || sparse)
}

#[cfg(test)]
mod tests;
