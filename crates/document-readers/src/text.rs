//! Plain text, and web pages as files.
//!
//! What people mean by blank lines, signs at the beginning of lines and lines of signs is read; anything else is text.

use quartet_text_analysis::{Document, Kind};

use crate::charset;
use crate::draft::Draft;
use crate::html::{self, Wanted};
use crate::options::Options;

/// Length in characters from which a line was broken by the width of a page, not by its writer.
const MIN_FULL_LINE_CHARS: usize = 40;
/// Most lines of a block, so that a text without blank lines is not one.
const MAX_BLOCK_LINES: usize = 200;

/// Reads a text. Form feeds begin a page.
pub fn read(text: &str, options: &Options<'_>) -> Document {
    let mut draft = Draft::new(options);
    for (index, page) in text.split('\u{c}').enumerate() {
        if index > 0 && !page.trim().is_empty() {
            draft.begin_page();
        }
        add(page, &mut draft);
        if draft.is_full() {
            break;
        }
    }
    draft.finish(0)
}

/// Reads a web page.
pub fn page(bytes: &[u8], options: &Options<'_>) -> Document {
    let page = html::read(&charset::decode(bytes, None), Wanted::Everything, options.time_left);
    let mut draft = Draft::new(options);
    let metadata = draft.metadata();
    metadata.title = (!page.title.is_empty()).then(|| page.title.clone());
    metadata.author.clone_from(&page.author);
    metadata.subject.clone_from(&page.description);
    metadata.language.clone_from(&page.language);
    metadata.created.clone_from(&page.date);
    html::add(&page, &mut draft);
    let mut document = draft.finish(0);
    if page.is_cut {
        document.truncated = true;
        document
            .warnings
            .push("There was no time to read everything.".to_owned());
    }
    document
}

/// Adds the blocks of a text to a page.
pub fn add(text: &str, draft: &mut Draft<'_>) {
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        if line.trim().is_empty() || lines.len() >= MAX_BLOCK_LINES {
            block(&lines, draft);
            lines.clear();
        }
        if !line.trim().is_empty() {
            lines.push(line);
        }
        if draft.is_full() {
            return;
        }
    }
    block(&lines, draft);
}

/// Adds the lines between two blank ones.
fn block(lines: &[&str], draft: &mut Draft<'_>) {
    match lines {
        [] => {}
        [title, rule] if is_underline(rule, title) => {
            draft.heading(if rule.trim_start().starts_with('=') { 1 } else { 2 }, title);
        }
        [title, rule, rest @ ..] if is_underline(rule, title) => {
            draft.heading(if rule.trim_start().starts_with('=') { 1 } else { 2 }, title);
            block(rest, draft);
        }
        // A line of signs alone parts sections.
        [rule] if !rule.contains(char::is_alphanumeric) => {}
        _ if lines
            .iter()
            .all(|line| line.starts_with("    ") || line.starts_with('\t'))
            && is_program(lines) =>
        {
            draft.block(Kind::Code, &lines.join("\n"));
        }
        _ if is_item(lines[0]) => items(lines, draft),
        _ => draft.block(Kind::Paragraph, &joined(lines)),
    }
}

/// Returns true for a line of one sign below a title of about its length.
fn is_underline(rule: &str, title: &str) -> bool {
    let rule = rule.trim();
    let (signs, letters) = (rule.chars().count(), title.trim().chars().count());
    let is_rule = ['=', '-', '~', '*'].iter().any(|sign| rule.chars().all(|c| c == *sign));
    is_rule && signs >= 3 && letters.abs_diff(signs) <= 3 && title.contains(char::is_alphanumeric)
}

/// Returns true if indented lines have the signs of programs and tables, not only those of sentences.
fn is_program(lines: &[&str]) -> bool {
    let signs = |line: &&&str| line.contains(['{', '}', ';', '=', '|', '<', '$', '\\', '#', '_']);
    lines.iter().filter(signs).count() * 3 >= lines.len()
}

/// Returns true if a line begins an item of a list.
fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    ["- ", "* ", "+ ", "• ", "– "].iter().any(|sign| line.starts_with(sign))
        || (1..=3).contains(&digits) && (line[digits..].starts_with(". ") || line[digits..].starts_with(") "))
}

/// Adds items; lines that begin none go on with the one before.
fn items(lines: &[&str], draft: &mut Draft<'_>) {
    let mut item: Vec<&str> = Vec::new();
    for line in lines {
        if is_item(line) && !item.is_empty() {
            draft.block(Kind::ListItem, &without_sign(&item.join(" ")));
            item.clear();
        }
        item.push(line.trim());
    }
    draft.block(Kind::ListItem, &without_sign(&item.join(" ")));
}

/// An item without its sign; a number stays.
fn without_sign(item: &str) -> String {
    let item = item.trim();
    ["- ", "* ", "+ ", "• ", "– "]
        .iter()
        .find_map(|sign| item.strip_prefix(sign))
        .unwrap_or(item)
        .to_owned()
}

/// The lines of a paragraph: in one, where the width of a page broke them, else as they are.
fn joined(lines: &[&str]) -> String {
    let (_, before_last) = lines.split_last().unwrap_or((&"", &[]));
    let lengths = || before_last.iter().map(|line| line.trim_end().chars().count());
    let (shortest, longest) = (lengths().min().unwrap_or(0), lengths().max().unwrap_or(0));
    let is_wrapped = longest >= MIN_FULL_LINE_CHARS && shortest * 4 >= longest * 3;
    if !is_wrapped {
        return lines.join("\n");
    }
    let mut out = String::new();
    for line in lines {
        let line = line.trim();
        // Ideographs have no spaces between them.
        let is_wide = |c: Option<char>| c.is_some_and(|c| ('\u{2e80}'..'\u{d7b0}').contains(&c) || c > '\u{ff00}');
        let is_joined = is_wide(out.chars().next_back()) && is_wide(line.chars().next());
        if !out.is_empty() && !is_joined {
            out.push(' ');
        }
        out.push_str(line);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_signs_and_form_feeds_are_understood() {
        let text = "The mill\n========\n\nThis line was broken by the width of the page it\nwas written on, and goes on \
                    here.\n\nRoses are red,\nviolets are blue.\n\n- one\n- two\n  goes on\n3. three\n\n    let x = 1;\n    x\
                    \n\n-----\n\n\u{c}Next page.";
        let document = read(text, &Options::default());
        let blocks: Vec<_> = document.pages[0]
            .blocks
            .iter()
            .map(|block| (block.kind, block.text.as_str()))
            .collect();
        assert_eq!(
            blocks,
            [
                (Kind::Heading, "The mill"),
                (
                    Kind::Paragraph,
                    "This line was broken by the width of the page it was written on, and goes on here."
                ),
                (Kind::Paragraph, "Roses are red,\nviolets are blue."),
                (Kind::ListItem, "one"),
                (Kind::ListItem, "two goes on"),
                (Kind::ListItem, "3. three"),
                (Kind::Code, "    let x = 1;\n    x"),
            ]
        );
        assert_eq!(document.pages[1].text(), "Next page.");
    }
}
