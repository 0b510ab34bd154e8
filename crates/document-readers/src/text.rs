//! Plain text, and web pages as files.
//!
//! What people mean by blank lines, signs at the beginning of lines and lines of signs is read; anything else is text.

use quartet_text_analysis::{Document, Kind};

use crate::charset;
use crate::columns::{self, Table};
use crate::delimited;
use crate::draft::Draft;
use crate::html::{self, Wanted};
use crate::options::Options;

/// Length in characters from which a line was broken by the width of a page, not by its writer.
const MIN_FULL_LINE_CHARS: usize = 40;
/// Length in characters from which a line that stands alone is a paragraph.
const MIN_PARAGRAPH_CHARS: usize = 80;
/// Longest heading that nothing but its place tells, in characters.
const MAX_HEADING_CHARS: usize = 60;
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
    let mut rest = text.lines().peekable();
    while let Some(line) = rest.next() {
        if !line.trim().is_empty() {
            lines.push(line);
        }
        let ends = rest.peek().is_none_or(|next| next.trim().is_empty());
        if !ends && lines.len() < MAX_BLOCK_LINES {
            continue;
        }
        // A short line above a paragraph, with blank lines between them or without.
        let mut next = rest.clone().skip_while(|line| line.trim().is_empty());
        let below: Vec<&str> = match lines[..] {
            [_] => next
                .by_ref()
                .take_while(|line| !line.trim().is_empty())
                .take(MAX_BLOCK_LINES)
                .collect(),
            _ => Vec::new(),
        };
        match lines[..] {
            [heading] if is_heading(heading, &below) => draft.heading(2, heading.trim()),
            _ => block(&lines, draft),
        }
        lines.clear();
        if draft.is_full() {
            return;
        }
    }
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
        _ if let Some(table) = delimited::table(lines) => tabular(lines, &table, draft),
        _ if let Some(table) = columns::table(lines).filter(|_| !is_item(lines[0])) => tabular(lines, &table, draft),
        [heading, rest @ ..] if is_heading(heading, rest) => {
            draft.heading(2, heading.trim());
            block(rest, draft);
        }
        _ if is_item(lines[0]) => items(lines, draft),
        _ => match (1..lines.len()).find(|at| is_heading(lines[*at], &lines[at + 1..])) {
            Some(at) => {
                block(&lines[..at], draft);
                block(&lines[at..], draft);
            }
            None => draft.block(Kind::Paragraph, &joined(lines)),
        },
    }
}

/// Adds the lines between two blank ones of which some are a table. A line above it that may be one is its heading.
fn tabular(lines: &[&str], table: &Table, draft: &mut Draft<'_>) {
    match lines[..table.start] {
        [heading] if may_be_heading(heading) => draft.heading(2, heading.trim()),
        ref before => block(before, draft),
    }
    draft.block(Kind::Table, &table.text);
    block(&lines[table.end..], draft);
}

/// Returns true for a line that its place makes a heading: one that [may be one](may_be_heading), above the lines of a paragraph.
fn is_heading(line: &str, below: &[&str]) -> bool {
    let length = line.trim().chars().count();
    let sizes = || below.iter().map(|line| line.trim().chars().count());
    let longest = sizes().max().unwrap_or(0);
    let is_long = sizes().next().is_some_and(|first| first >= MIN_PARAGRAPH_CHARS);
    may_be_heading(line)
        && longest >= 2 * length
        && !below.first().is_some_and(|line| is_item(line))
        && (is_long || is_wrapped(below))
}

/// Returns true for a line that may be a heading: a short one, without the end of a sentence and what addresses, dates and tables have.
fn may_be_heading(line: &str) -> bool {
    let line = line.trim();
    let letters = line.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '));
    let (length, words) = (line.chars().count(), letters.split_whitespace());
    let is_short = (2..=MAX_HEADING_CHARS).contains(&length) && !is_item_sign(line);
    let begins = letters
        .chars()
        .next()
        .is_some_and(|c| c.is_alphabetic() && !c.is_lowercase());
    let is_plain = !line.ends_with(['.', '!', '?', '…', '。', '！', '？', '।', '؟', '-'])
        && !line.contains([
            ',', ';', ':', '@', '=', '|', '、', '，', '：', '،', '"', '“', '„', '«', '「',
        ]);
    // "12 March 2026" dates a letter; "9.4 Notes" is the fourth part of the ninth.
    let number = line[..line.len() - letters.len()].trim_end();
    let is_numbered = number.contains(['.', ')']) && !letters.contains(|c: char| c.is_ascii_digit());
    let is_dated = !is_numbered
        && line.contains(|c: char| c.is_ascii_digit())
        && words.filter(|word| word.chars().all(char::is_alphabetic)).count() < 2;
    is_short && begins && is_plain && !is_dated && !columns::has_cells(line)
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
    is_item_sign(line)
        || (1..=3).contains(&digits) && (line[digits..].starts_with(". ") || line[digits..].starts_with(") "))
}

/// Returns true if a line begins with the sign of an item.
fn is_item_sign(line: &str) -> bool {
    ["- ", "* ", "+ ", "• ", "– "].iter().any(|sign| line.starts_with(sign))
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

/// Returns true if the width of a page broke the lines of a paragraph.
fn is_wrapped(lines: &[&str]) -> bool {
    let (_, before_last) = lines.split_last().unwrap_or((&"", &[]));
    let lengths = || before_last.iter().map(|line| line.trim_end().chars().count());
    let (shortest, longest) = (lengths().min().unwrap_or(0), lengths().max().unwrap_or(0));
    longest >= MIN_FULL_LINE_CHARS && shortest * 4 >= longest * 3
}

/// The lines of a paragraph: in one, where the width of a page broke them, else as they are.
fn joined(lines: &[&str]) -> String {
    if !is_wrapped(lines) {
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

    #[test]
    fn a_short_line_above_a_paragraph_is_a_heading() {
        let long = "Boats are hired out at the old lock house from the first of April to the end of October, but for Tuesdays.";
        let wrapped =
            "Boats are hired out at the old lock house\nfrom the first of April to the end of the\nmonth of October.";
        let headings = |text: &str| -> Vec<String> {
            let document = read(text, &Options::default());
            let blocks = document.pages[0].blocks.iter();
            let headings = blocks.filter(|block| block.kind == Kind::Heading);
            headings.map(|block| block.text.clone()).collect()
        };
        let text =
            format!("Harbour Cycles – Hire terms 2026\n\n{long}\n\nPrices\n{long}\n2. Deposit and damage\n{long}");
        assert_eq!(
            headings(&text),
            ["Harbour Cycles – Hire terms 2026", "Prices", "2. Deposit and damage"]
        );
        assert_eq!(
            headings(&format!("Prices\n{wrapped}\n\nRules\n\n{wrapped}")),
            ["Prices", "Rules"]
        );
        assert_eq!(headings(&format!("9.4 Notes\n{wrapped}")), ["9.4 Notes"]);
        assert_eq!(
            headings(&format!("料金\n{}", "一日の料金は千円です。".repeat(12))),
            ["料金"]
        );
        for other in [
            "Dear Mr Holt,",
            "12 March 2026",
            "12. März 2026",
            "To: the members",
            "We met today.",
            "- Prices",
            "and so on",
        ] {
            assert_eq!(headings(&format!("{other}\n\n{long}")), [""; 0], "{other}");
        }
        assert_eq!(headings("Roses are red\nViolets are blue\nand so are you"), [""; 0]);
        assert_eq!(headings("Prices"), [""; 0]);
    }
}
