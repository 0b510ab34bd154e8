//! The title of a document.

use quartet_api::Language;

use crate::analyzer::Analyzer;
use crate::document::{Document, Kind};
use crate::prose::Prose;
use crate::sections::without_number;

/// Limit in characters for a title.
const MAX_TITLE_CHARS: usize = 250;

/// The title of a document: that of its metadata if it is a sensible one, else the block that looks like a title, else
/// the first heading of its first pages.
#[must_use]
pub fn title(document: &Document, prose: &Prose) -> Option<String> {
    let said = document
        .metadata
        .title
        .as_deref()
        .map(str::trim)
        .filter(|title| is_sensible(title));
    let seen = shown(document);
    // A title that a program put into the file by itself stands nowhere in the text.
    if let Some(said) = said.filter(|said| seen.is_none() || is_written(said, document, prose.language)) {
        return Some(one_line(said));
    }
    seen
}

/// The title as the first pages show it.
fn shown(document: &Document) -> Option<String> {
    let mut first_heading = None;
    for page in document.pages.iter().take(3) {
        for block in &page.blocks {
            let text = one_line(&block.text);
            if text.is_empty() || text.chars().count() > MAX_TITLE_CHARS || !text.chars().any(char::is_alphabetic) {
                continue;
            }
            match block.kind {
                Kind::Title => return Some(text),
                Kind::Heading if first_heading.is_none() => first_heading = Some(without_number(&text).to_owned()),
                _ => {}
            }
        }
    }
    first_heading
}

/// Returns true if most words of `title` stand on the first pages.
fn is_written(title: &str, document: &Document, language: Language) -> bool {
    let analyzer = Analyzer::new(language);
    let wanted: Vec<String> = analyzer.content(title).collect();
    let text: String = document.pages.iter().take(3).map(|page| page.text() + "\n").collect();
    let there: std::collections::HashSet<String> = analyzer.content(&text).collect();
    let found = wanted.iter().filter(|term| there.contains(*term)).count();
    !wanted.is_empty() && found * 2 >= wanted.len()
}

/// Returns true if `title` is one that a person gave, and not the name of a file or of a program.
fn is_sensible(title: &str) -> bool {
    let lower = title.to_lowercase();
    let letters = title.chars().filter(|c| c.is_alphabetic()).count();
    let file = [
        ".doc", ".docx", ".tex", ".pdf", ".dvi", ".ps", ".odt", ".rtf", ".indd", ".qxd", ".xls", ".ppt", ".pptx",
        ".txt", ".html", ".fm",
    ]
    .iter()
    .any(|ending| lower.ends_with(ending));
    let solid = !title.is_ascii();
    letters >= if solid { 2 } else { 4 }
        && !file
        && !lower.contains("untitled")
        && !lower.starts_with("microsoft ")
        && !lower.starts_with("slide 1")
        && !lower.starts_with("document")
        && title.chars().count() <= MAX_TITLE_CHARS
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
