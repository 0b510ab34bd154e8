//! Items of lists.

use super::escape;
use super::links::Links;

/// Signs that items begin with.
const BULLETS: [char; 18] = [
    '•', '◦', '▪', '‣', '●', '○', '■', '□', '➢', '✓', '∙', '⁃', '-', '–', '—', '*', '·', '\u{f0b7}',
];

/// An item. Numbers with a dot or a bracket stay what they are; other labels, such as `(a)`, become the beginning of the
/// text of an item with a sign.
pub fn item(text: &str, links: &mut Links<'_>) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(rest) = text.strip_prefix(BULLETS) {
        return format!("- {}", content(rest.trim_start(), links));
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if (1..=9).contains(&digits)
        && let Some((label, rest)) = text.split_once(' ')
        && label.len() == digits + 1
        && label.ends_with(['.', ')'])
    {
        return format!("{label} {}", content(rest, links));
    }
    format!("- {}", content(&text, links))
}

/// The text of an item, which must not begin a block of its own or a box to tick.
fn content(text: &str, links: &mut Links<'_>) -> String {
    let line = escape::line_start(&links.marked(text));
    if ["[ ]", "[x]", "[X]"].iter().any(|tick| line.starts_with(tick)) {
        return format!("\\{line}");
    }
    line
}
