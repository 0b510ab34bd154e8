//! Conversion of pages and plain text to blocks.

use quartet_document_readers::html::{self, Wanted};
use quartet_text_analysis::{Block, Kind};

use super::Page;

/// Reads a page, as far as there is time.
pub(super) fn read(html: &str, in_time: &dyn Fn() -> bool) -> Page {
    let page = html::read(html, Wanted::Article, in_time);
    Page {
        title: page.title,
        date: page.date.as_deref().and_then(date),
        blocks: page.pieces.into_iter().map(|piece| piece.block).collect(),
    }
}

/// The day of a date and time in ISO 8601.
pub(super) fn date(text: &str) -> Option<String> {
    let day = text.trim().get(..10)?;
    day.parse::<jiff::civil::Date>().ok()?;
    Some(day.to_owned())
}

/// A text with single spaces.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Plain text: paragraphs between empty lines.
pub(super) fn plain(text: &str) -> Vec<Block> {
    let paragraphs = text.replace('\r', "");
    let paragraphs = paragraphs.split("\n\n").map(words).filter(|text| !text.is_empty());
    paragraphs
        .map(|text| Block {
            kind: Kind::Paragraph,
            text,
        })
        .collect()
}

#[cfg(test)]
mod tests;
