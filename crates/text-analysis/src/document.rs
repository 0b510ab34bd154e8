//! What was read of a document: pages made of blocks in the order in which people read them. Nothing here knows how a
//! file is written; whoever reads one makes this.

use serde::{Deserialize, Serialize};

/// What was read of a document.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// Its pages in order; fewer than `metadata.page_count` when `truncated`.
    pub pages: Vec<Page>,
    /// What the file says about itself.
    pub metadata: Metadata,
    /// Its bookmarks, or without any the headings that were found, in order.
    pub outline: Vec<Heading>,
    /// Whether a limit or the time ended the reading before the last page.
    pub truncated: bool,
    /// What could not be read of the document as a whole; what concerns one page is with that page.
    pub warnings: Vec<String>,
}

/// What a file says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// The title.
    pub title: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// What it is about.
    pub subject: Option<String>,
    /// When it was made, in ISO 8601, as exactly as the file says.
    pub created: Option<String>,
    /// When it was changed last, in ISO 8601.
    pub modified: Option<String>,
    /// How many pages it has.
    pub page_count: usize,
    /// Its language as a BCP 47 tag, when the file names one.
    pub language: Option<String>,
}

/// An entry of the outline.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Heading {
    /// What it says.
    pub title: String,
    /// Its depth, from 1.
    pub level: u8,
    /// The page that it leads to, from 1.
    pub page: Option<usize>,
}

/// A page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// Its number, from 1.
    pub number: usize,
    /// Its blocks in the order of reading.
    pub blocks: Vec<Block>,
    /// What leads elsewhere.
    pub links: Vec<Link>,
    /// Where its text comes from.
    pub source: Source,
    /// What could not be read well on this page.
    pub warnings: Vec<String>,
}

impl Page {
    /// The text of the page: its blocks with blank lines between them. Running headers and footers are left out, unless
    /// the page has nothing else.
    #[must_use]
    pub fn text(&self) -> String {
        let body = join(self.blocks.iter().filter(|block| !block.kind.repeats()));
        if body.is_empty() {
            join(self.blocks.iter())
        } else {
            body
        }
    }
}

/// Blocks with blank lines between them.
fn join<'a>(blocks: impl Iterator<Item = &'a Block>) -> String {
    let mut text = String::new();
    for block in blocks.filter(|block| !block.text.trim().is_empty()) {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(&block.text);
    }
    text
}

/// Words that lead elsewhere.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// What it is on; empty when that is no text.
    pub text: String,
    /// The address that it leads to, when it leads out of the document.
    pub url: Option<String>,
    /// The page that it leads to, from 1, when it leads into the document.
    pub page: Option<usize>,
}

/// Where the text of a page comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Source {
    /// The file itself has it as text.
    Text,
    /// It was recognised in a picture of the page.
    Ocr,
    /// The page has none that could be read.
    #[default]
    Empty,
}

/// A piece of a page that belongs together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Block {
    /// What it is.
    pub kind: Kind,
    /// What it says: lines joined as they are read, hyphens joined inside paragraphs, rows of tables as lines with tabs
    /// between their cells.
    pub text: String,
}

/// What a block is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// The title of the document.
    Title,
    /// The heading of a part.
    Heading,
    /// Running text.
    Paragraph,
    /// An item of a list.
    ListItem,
    /// Rows of cells.
    Table,
    /// Lines that are kept as they are, mostly program text.
    Code,
    /// What is said about a picture or table.
    Caption,
    /// A line at the top that repeats from page to page.
    Header,
    /// A line at the bottom that repeats from page to page, with the page's number mostly.
    Footer,
    /// A note at the foot of the page.
    Footnote,
    /// Anything else: values of forms, annotations.
    #[default]
    Other,
}

impl Kind {
    /// Whether it is there on every page alike and says nothing of its own.
    #[must_use]
    pub fn repeats(self) -> bool {
        matches!(self, Self::Header | Self::Footer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(kind: Kind, text: &str) -> Block {
        Block {
            kind,
            text: text.into(),
        }
    }

    #[test]
    fn the_text_of_a_page_leaves_out_what_repeats_unless_nothing_else_is_there() {
        let footer = block(Kind::Footer, "7");
        let mut page = Page {
            blocks: vec![footer.clone()],
            ..Page::default()
        };
        assert_eq!(page.text(), "7");
        page.blocks = vec![
            block(Kind::Heading, "Birds"),
            block(Kind::Other, " "),
            block(Kind::Paragraph, "They fly."),
            footer,
        ];
        assert_eq!(page.text(), "Birds\n\nThey fly.");
    }

    #[test]
    fn names_are_camel_case_on_the_wire() {
        let value = serde_json::to_value(Document::default()).expect("plain data");
        assert_eq!(value["metadata"]["pageCount"], 0);
        assert_eq!(serde_json::to_value(Kind::ListItem).expect("plain data"), "listItem");
    }
}
