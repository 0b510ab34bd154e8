//! A document in the making: pages of blocks, bounded by limits and time.

use quartet_text_analysis::{Block, Document, Heading, Kind, Link, Page, Source};

use crate::options::Options;

/// Blocks between two looks at the clock.
const BLOCKS_PER_LOOK: usize = 256;
/// Bytes of a block from which the clock is looked at after it.
const LARGE_BLOCK_BYTES: usize = 8 * 1024;
/// Most bytes of a heading that the outline has.
const MAX_HEADING_BYTES: usize = 400;
/// Most warnings.
const MAX_WARNINGS: usize = 20;

/// A document in the making.
pub struct Draft<'o> {
    options: &'o Options<'o>,
    document: Document,
    page: Page,
    /// True if the page was begun on purpose, or has something on it.
    open: bool,
    text_bytes: usize,
    blocks: usize,
    full: bool,
}

impl<'o> Draft<'o> {
    /// Begins a document.
    pub fn new(options: &'o Options<'o>) -> Self {
        Self {
            options,
            document: Document::default(),
            page: Page::default(),
            open: false,
            text_bytes: 0,
            blocks: 0,
            full: false,
        }
    }

    /// The metadata.
    pub fn metadata(&mut self) -> &mut quartet_text_analysis::Metadata {
        &mut self.document.metadata
    }

    /// Returns true once nothing more is taken: a limit is reached, or the time is up.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Returns true if the page that is being written has text of its own.
    pub fn has_text(&self) -> bool {
        self.page.blocks.iter().any(|block| !block.kind.repeats())
    }

    /// The number of the page that is being written, from 1.
    pub fn page_number(&self) -> usize {
        self.document.pages.len() + 1
    }

    /// Adds a block; one without text is passed over.
    pub fn block(&mut self, kind: Kind, text: &str) {
        let text = match kind {
            Kind::Code => code(text),
            Kind::Table => table(text),
            _ => tidy(text),
        };
        if text.is_empty() || self.full {
            return;
        }
        self.blocks += 1;
        self.text_bytes += text.len();
        let limits = &self.options.limits;
        if self.blocks > limits.max_blocks {
            let limit = limits.max_blocks;
            return self.stop(&format!("{limit} paragraphs, tables and list items"));
        }
        if self.text_bytes > limits.max_text_bytes {
            let limit = limits.max_text_bytes;
            return self.stop(&format!("{limit} bytes of text"));
        }
        if self.blocks.is_multiple_of(BLOCKS_PER_LOOK) || text.len() >= LARGE_BLOCK_BYTES {
            self.look_at_the_clock();
        }
        self.open = true;
        self.page.blocks.push(Block { kind, text });
    }

    /// Adds a heading of a level from 1 to the page and to the outline.
    pub fn heading(&mut self, level: u8, text: &str) {
        let text = tidy(text).replace('\n', " ");
        if text.is_empty() || self.full {
            return;
        }
        if text.len() <= MAX_HEADING_BYTES {
            let page = Some(self.page_number());
            self.document.outline.push(Heading {
                title: text.replace('\t', " "),
                level: level.max(1),
                page,
            });
        }
        self.block(Kind::Heading, &text);
    }

    /// Adds the title of the document; a second one is a heading.
    pub fn title(&mut self, text: &str) {
        let has_one = |page: &Page| page.blocks.iter().any(|block| block.kind == Kind::Title);
        if has_one(&self.page) || self.document.pages.iter().any(has_one) {
            self.heading(1, text);
        } else {
            self.block(Kind::Title, &text.replace('\n', " "));
        }
    }

    /// Adds a link out of the document.
    pub fn link(&mut self, text: &str, url: &str) {
        let (text, url) = (tidy(text), url.trim());
        if url.is_empty() || url.starts_with('#') || self.full {
            return;
        }
        self.text_bytes += url.len();
        self.page.links.push(Link {
            text,
            url: Some(url.to_owned()),
            page: None,
        });
    }

    /// Adds a warning about the page that is being written.
    pub fn warn_page(&mut self, warning: &str) {
        self.open = true;
        self.page.warnings.push(warning.to_owned());
    }

    /// Adds a warning about the document.
    pub fn warn(&mut self, warning: &str) {
        if self.document.warnings.len() < MAX_WARNINGS {
            self.document.warnings.push(warning.to_owned());
        }
    }

    /// Begins a page, even if it stays empty.
    pub fn begin_page(&mut self) {
        self.end_page();
        self.look_at_the_clock();
        if self.document.pages.len() >= self.options.limits.max_pages {
            let limit = self.options.limits.max_pages;
            self.stop(&format!("{limit} pages"));
        } else {
            self.open = !self.full;
        }
    }

    /// Ends the page, if there is one.
    pub fn end_page(&mut self) {
        if !std::mem::take(&mut self.open) {
            return;
        }
        let mut page = std::mem::take(&mut self.page);
        page.number = self.document.pages.len() + 1;
        page.source = match page.blocks.is_empty() {
            true => Source::Empty,
            false => Source::Text,
        };
        self.document.pages.push(page);
    }

    /// The finished document, which has at least one page. `pages` is the number in the file, where it is known to be
    /// greater than what was read.
    pub fn finish(mut self, pages: usize) -> Document {
        if self.document.pages.is_empty() {
            self.open = true;
        }
        self.end_page();
        self.document.metadata.page_count = pages.max(self.document.pages.len());
        self.document
    }

    fn look_at_the_clock(&mut self) {
        if !self.full && !(self.options.time_left)() {
            self.full = true;
            self.document.truncated = true;
            let read = self.document.pages.len();
            self.warn(&format!(
                "There was no time to read everything: {read} pages were read to their end."
            ));
        }
    }

    fn stop(&mut self, limit: &str) {
        if !self.full {
            self.full = true;
            self.document.truncated = true;
            self.warn(&format!(
                "The document is over the limit of {limit}; what comes after was left out."
            ));
        }
    }
}

/// A text without control characters, with single spaces, and with tabs and line breaks where it has any.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap: Option<char> = None;
    for c in text.chars() {
        match c {
            '\n' | '\u{2028}' | '\u{2029}' | '\u{b}' => gap = Some('\n'),
            '\t' => gap = gap.filter(|gap| *gap == '\n').or(Some('\t')),
            c if c.is_whitespace() => gap = gap.or(Some(' ')),
            // What a line may be broken at, and marks of order that no font shows.
            '\u{ad}' | '\u{200b}' | '\u{feff}' => {}
            c if c.is_control() => {}
            c => {
                if let Some(gap) = gap.take()
                    && !out.is_empty()
                {
                    out.push(gap);
                }
                out.push(c);
            }
        }
    }
    out
}

/// Program text: lines as they are, without those that are empty at its ends.
fn code(text: &str) -> String {
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            line.trim_end()
                .chars()
                .filter(|c| !c.is_control() || *c == '\t')
                .collect()
        })
        .collect();
    let first = lines
        .iter()
        .position(|line: &String| !line.is_empty())
        .unwrap_or(lines.len());
    let last = lines
        .iter()
        .rposition(|line| !line.is_empty())
        .map_or(first, |last| last + 1);
    lines[first..last].join("\n")
}

/// Rows of cells, whose tabs and line breaks are kept.
fn table(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() || matches!(c, '\t' | '\n'))
        .collect()
}

/// Rows as the text of a table: lines with tabs between the cells, without columns and rows that are empty at the ends.
pub fn rows(rows: &[Vec<String>]) -> String {
    let cell = |cell: &String| cell.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let width = row
                .iter()
                .rposition(|cell| !cell.trim().is_empty())
                .map_or(0, |last| last + 1);
            row[..width].iter().map(cell).collect::<Vec<_>>().join("\t")
        })
        .filter(|line| !line.is_empty())
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_tidied() {
        assert_eq!(tidy("  a \u{a0} b\t\tc \n\n d\u{ad}e\u{0}  "), "a b\tc\nde");
        assert_eq!(code("\n\n  a\n\tb  \n\n"), "  a\n\tb");
        let cells = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            rows(&[cells(&["a\nb", "", "c", ""]), cells(&["", ""]), cells(&["", "d"])]),
            "a b\t\tc\n\td"
        );
    }

    #[test]
    fn limits_and_time_end_a_document_with_a_warning() {
        let mut options = Options::default();
        options.limits.max_text_bytes = 10;
        let mut draft = Draft::new(&options);
        draft.block(Kind::Paragraph, "123456");
        draft.block(Kind::Paragraph, "123456");
        draft.block(Kind::Paragraph, "1");
        let document = draft.finish(0);
        assert_eq!((document.pages[0].blocks.len(), document.truncated), (1, true));
        assert!(document.warnings[0].contains("10 bytes"), "{:?}", document.warnings);
        let late = Options {
            time_left: &|| false,
            ..Options::default()
        };
        let mut draft = Draft::new(&late);
        draft.begin_page();
        assert!(draft.is_full() && draft.finish(3).truncated);
    }
}
