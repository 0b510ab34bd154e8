//! A page as it was read.

use quartet_text_analysis::Block;

/// The parts of a page that are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The main part: without menus, headers and footers of a site.
    Article,
    /// All text but navigation.
    Everything,
}

/// A page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HtmlPage {
    /// Its title.
    pub title: String,
    /// Its author.
    pub author: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Its language as a BCP 47 tag.
    pub language: Option<String>,
    /// The date of its last change, else of its publication, such as `2024-02-29`.
    pub date: Option<String>,
    /// Its text.
    pub pieces: Vec<Piece>,
    /// True if the time was up before its end.
    pub is_cut: bool,
}

/// A block of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Piece {
    /// Kind and text.
    pub block: Block,
    /// The level of a heading, from 1; 0 of anything else.
    pub level: u8,
    /// Texts and addresses of its links, as the page has them.
    pub links: Vec<(String, String)>,
}
