//! Overview of a document: what a person opens first. The beginning of its first page, where title and authors stand,
//! its abstract and its end, its headings, and what can be counted.

use serde::{Deserialize, Serialize};

use crate::document::{Document, Kind};
use crate::prose::Prose;
use crate::sections::Role;

/// Limit in characters for the beginning of the document.
const MAX_OPENING_CHARS: usize = 1_600;
/// Limit for the headings.
const MAX_HEADINGS: usize = 80;
/// Limit in characters for a heading.
const MAX_HEADING_CHARS: usize = 120;

/// Overview of a document.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Overview {
    /// The beginning of the first page that has text, as it stands there.
    pub opening: String,
    /// The page of that beginning, from 1.
    pub page: u32,
    /// The headings in order.
    pub headings: Vec<OverviewHeading>,
    /// Number of pages.
    pub pages: u32,
    /// Number of tables that were found.
    pub tables: u32,
    /// Number of captions of pictures and figures.
    pub figures: u32,
}

/// A heading of an overview.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OverviewHeading {
    /// Its text, with its number.
    pub title: String,
    /// Its page, from 1.
    pub page: u32,
    /// Its depth, from 1.
    pub level: u8,
}

impl Overview {
    pub(super) fn of(document: &Document, prose: &Prose) -> Self {
        let count = |holds: &dyn Fn(Kind, &str) -> bool| {
            let blocks = document.pages.iter().flat_map(|page| &page.blocks);
            number(blocks.filter(|block| holds(block.kind, &block.text)).count())
        };
        let captioned = |text: &str, marks: &[&str]| {
            let lower = text.trim_start().to_lowercase();
            marks.iter().any(|mark| lower.starts_with(mark))
        };
        let tables_named = count(&|kind, text| kind == Kind::Caption && captioned(text, &TABLE_MARKS));
        let first = document.pages.iter().find(|page| !page.text().trim().is_empty());
        let opening = first.map_or_else(String::new, |page| page.text());
        Self {
            opening: shortened(&opening, MAX_OPENING_CHARS),
            page: first.map_or(1, |page| number(page.number)),
            headings: headings(prose),
            pages: number(document.metadata.page_count.max(document.pages.len())),
            tables: tables_named.max(count(&|kind, _| kind == Kind::Table)),
            figures: count(&|kind, text| kind == Kind::Caption && !captioned(text, &TABLE_MARKS)),
        }
    }
}

/// Beginnings of captions of tables.
const TABLE_MARKS: [&str; 11] = [
    "table",
    "tab.",
    "tabelle",
    "tabla",
    "tableau",
    "tabella",
    "tabela",
    "таблица",
    "表",
    "표",
    "جدول",
];

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// The headings: all, or where they are too many, those of the upper levels.
fn headings(prose: &Prose) -> Vec<OverviewHeading> {
    let named = || {
        let sections = prose.sections.iter();
        sections.filter(|section| !section.title.is_empty() && section.role != Role::List)
    };
    let deepest = (1..=6)
        .rev()
        .find(|level| named().filter(|section| section.level <= *level).count() <= MAX_HEADINGS)
        .unwrap_or(1);
    named()
        .filter(|section| section.level <= deepest)
        .take(MAX_HEADINGS)
        .map(|section| OverviewHeading {
            title: shortened(&section.title, MAX_HEADING_CHARS),
            page: number(section.page),
            level: section.level,
        })
        .collect()
}

/// The beginning of a text, cut between words.
fn shortened(text: &str, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else {
        return text.trim().to_owned();
    };
    let cut = &text[..end];
    let at = cut.rfind(char::is_whitespace).filter(|at| *at > end / 2).unwrap_or(end);
    cut[..at].trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Block, Page};

    fn block(kind: Kind, text: &str) -> Block {
        Block {
            kind,
            text: text.to_owned(),
        }
    }

    #[test]
    fn the_first_page_the_headings_and_the_counts_are_there() {
        let page = |number, blocks| Page {
            number,
            blocks,
            ..Page::default()
        };
        let document = Document {
            pages: vec![
                page(1, Vec::new()),
                page(
                    2,
                    vec![
                        block(Kind::Title, "On Mills"),
                        block(Kind::Other, "Ada Reed, Tom Hill"),
                        block(Kind::Heading, "1 Wheels"),
                        block(Kind::Paragraph, "A wheel turns the stone."),
                        block(Kind::Caption, "Table 1: Wheels."),
                        block(Kind::Caption, "Figure 1: A wheel."),
                    ],
                ),
            ],
            ..Document::default()
        };
        let overview = Overview::of(&document, &Prose::of(&document));
        assert!(overview.opening.starts_with("On Mills"), "{overview:?}");
        assert!(overview.opening.contains("Ada Reed, Tom Hill"), "{overview:?}");
        assert_eq!((overview.page, overview.pages), (2, 2));
        assert_eq!((overview.tables, overview.figures), (1, 1));
        assert!(overview.headings.iter().any(|heading| heading.title == "1 Wheels"));
    }

    #[test]
    fn a_long_page_is_cut_between_words() {
        assert_eq!(shortened("one two three", 9), "one two");
        assert_eq!(shortened("one", 9), "one");
        assert_eq!(shortened("漢字漢字", 2), "漢字");
    }
}
