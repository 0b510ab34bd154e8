//! The document model: pages made of blocks in reading order. It is independent of file formats; the readers of files
//! and web pages make it.

use serde::{Deserialize, Serialize};

/// A document as it was read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// Its pages in order; fewer than `metadata.page_count` when `truncated`.
    pub pages: Vec<Page>,
    /// The metadata of the file.
    pub metadata: Metadata,
    /// Its bookmarks, or without any the headings that were found, in order.
    pub outline: Vec<Heading>,
    /// True if a limit or the time ended the reading before the last page.
    pub truncated: bool,
    /// Problems with the document as a whole; those of one page are with that page.
    pub warnings: Vec<String>,
}

/// The metadata of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// The title.
    pub title: Option<String>,
    /// The author.
    pub author: Option<String>,
    /// The subject.
    pub subject: Option<String>,
    /// The date of creation, in ISO 8601, as exactly as the file says.
    pub created: Option<String>,
    /// The date of the last change, in ISO 8601.
    pub modified: Option<String>,
    /// The number of pages.
    pub page_count: usize,
    /// Its language as a BCP 47 tag, when the file names one.
    pub language: Option<String>,
}

/// An entry of the outline.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Heading {
    /// Its text.
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
    /// Its links.
    pub links: Vec<Link>,
    /// The origin of its text.
    pub source: Source,
    /// Problems with this page.
    pub warnings: Vec<String>,
    /// The places of its blocks, where the file has pages of a size. It is not kept.
    #[serde(skip)]
    pub layout: Option<Layout>,
}

/// The size of a page, and the places of its blocks, in points from its upper left corner.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layout {
    /// From left to right.
    pub width: f32,
    /// From top to bottom.
    pub height: f32,
    /// The place of each block; none of what is shown nowhere on the page, as values of forms.
    pub places: Vec<Option<Place>>,
}

/// An upright rectangle around something on a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Left edge.
    pub left: f32,
    /// Upper edge.
    pub top: f32,
    /// Right edge.
    pub right: f32,
    /// Lower edge.
    pub bottom: f32,
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

/// A link.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Its text; empty when it is on something else.
    pub text: String,
    /// The address that it leads to, when it leads out of the document.
    pub url: Option<String>,
    /// The page that it leads to, from 1, when it leads into the document.
    pub page: Option<usize>,
}

/// The origin of a page's text.
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

/// A block of a page, such as a paragraph.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Block {
    /// Its kind.
    pub kind: Kind,
    /// Its text: lines joined as they are read, hyphens joined inside paragraphs, rows of tables as lines with tabs
    /// between their cells.
    pub text: String,
}

/// The kind of a block.
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
    /// The caption of a picture or table.
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
    /// Returns true for running headers and footers.
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
