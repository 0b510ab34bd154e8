//! Levels of headings, from the document's outline.

use quartet_text_analysis::{Block, Document, Kind};
use rustc_hash::FxHashMap;

/// Levels of a document's headings.
pub struct Headings {
    /// By page and bare title.
    levels: FxHashMap<(usize, String), u8>,
    /// Levels that the document's title stands above those of the outline.
    below_title: u8,
    /// The level of what the outline does not have.
    usual: u8,
}

impl Headings {
    /// Collects the levels of a document's outline.
    pub fn new(document: &Document) -> Self {
        let mut levels = FxHashMap::default();
        for entry in &document.outline {
            if let Some(page) = entry.page {
                levels.entry((page, bare(&entry.title))).or_insert(entry.level);
            }
        }
        let titles = || {
            let blocks = document
                .pages
                .iter()
                .flat_map(|page| page.blocks.iter().map(move |block| (page.number, block)));
            blocks.filter(|(_, block)| block.kind == Kind::Title)
        };
        // An outline that has the title as well counts from it.
        let has_title = titles().next().is_some();
        let counted = titles().any(|(page, block)| levels.contains_key(&(page, bare(&block.text))));
        let below_title = u8::from(has_title && !counted);
        Self {
            levels,
            below_title,
            usual: 1 + u8::from(has_title),
        }
    }

    /// The level of a block, if it is a title or a heading: of kind, or because the outline has it.
    pub fn level(&self, block: &Block, page: usize) -> Option<u8> {
        let can_be = matches!(
            block.kind,
            Kind::Title | Kind::Heading | Kind::Paragraph | Kind::ListItem
        );
        if !can_be || block.text.len() > 400 {
            return None;
        }
        if block.kind == Kind::Title {
            return Some(1);
        }
        let known = self.levels.get(&(page, bare(&block.text)));
        match known {
            Some(level) => Some(level.saturating_add(self.below_title)),
            // Signs of a formula may be as large as a heading.
            None if block.kind == Kind::Heading && is_word(&block.text) => Some(match depth(&block.text) {
                0 => self.usual,
                depth => depth.saturating_add(self.usual - 1),
            }),
            // Some documents set the headings of their lower levels like text.
            None if block.kind == Kind::Paragraph && is_numbered(&block.text) => {
                Some(depth(&block.text).saturating_add(self.usual - 1))
            }
            None => None,
        }
    }
}

/// Returns true if a text has letters for a word; ideographs are words of few signs.
fn is_word(text: &str) -> bool {
    let letters = || text.chars().filter(|c| c.is_alphanumeric());
    letters().count() > 2 || letters().any(|c| c > '\u{2e7f}')
}

/// A title without its number, its signs and its spaces, in lower case: outlines and pages differ in these.
fn bare(title: &str) -> String {
    let title = title.trim();
    let rest = match number(title) {
        Some(number) => &title[number.len()..],
        None => title,
    };
    let letters: String = rest
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    if letters.is_empty() { title.to_owned() } else { letters }
}

/// The section's number that a heading begins with, such as `2.1.` or `A.3`.
fn number(title: &str) -> Option<&str> {
    let (number, _) = title.split_once(char::is_whitespace)?;
    let parts = number.trim_end_matches(['.', ')', ':']);
    let of_digits = |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut all = parts.split('.');
    let first = all.next()?;
    let is_letter = first.len() == 1 && first.bytes().all(|byte| byte.is_ascii_uppercase());
    // A letter alone is a word, unless a dot follows it.
    let begins = of_digits(first) || (is_letter && number.len() > 1);
    (begins && all.all(of_digits)).then_some(number)
}

/// Returns true if a line is a heading by its number of several parts, and what follows it.
fn is_numbered(text: &str) -> bool {
    let text = text.trim();
    let after = text
        .split_once(char::is_whitespace)
        .map_or("", |(_, after)| after.trim_start());
    depth(text) > 1
        && text.chars().count() <= 100
        && !text.contains(['\t', '\n'])
        && !text.ends_with(['.', ',', ';', ':', '?', '!', '。'])
        && after.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase())
}

/// The number of parts of a section's number; 0 without one.
fn depth(title: &str) -> u8 {
    let parts = number(title.trim()).map_or(0, |number| number.trim_end_matches(['.', ')', ':']).split('.').count());
    u8::try_from(parts).unwrap_or(u8::MAX)
}
