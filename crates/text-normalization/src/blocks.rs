//! Paragraphs: which lines belong together, and the marks at the beginning of lines that lay text out.
//!
//! Plain text and Markdown are read by the same rules, because nobody says which one a text is. A Markdown parser does harm
//! here: CommonMark reads "5*3*2" as emphasis and drops `[Alice]: hello` as a link definition, and it needs the whole
//! document before its first event. So only marks are recognised which plain text does not use for anything else.

use super::clean::clean;
use super::languages::Rules;
use super::lines::{LineEnd, Lines};

/// A paragraph is passed on in parts once it is this long, in bytes.
const BLOCK_PART_BYTES: usize = 3_000;
/// Lines up to this width keep their break when the next one begins like a line of its own: verse, addresses, titles.
const SHORT_LINE_WIDTH: usize = 45;

/// Part of a paragraph, cleaned; a line break inside is one that is heard.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The text.
    pub text: String,
    /// True if the paragraph ends here.
    pub ends: bool,
}

/// The blocks of a text.
#[derive(Debug)]
pub(super) struct Blocks<'a> {
    lines: Lines<'a>,
    months: &'static [(&'static str, usize)],
    /// A line that was read but not yet used.
    peeked: Option<(&'a str, LineEnd)>,
    /// The beginning of the paragraph that the last part was cut from.
    text: String,
    /// Inside a code fence: its mark.
    fence: Option<char>,
    /// Inside a table.
    table: bool,
    /// The next piece continues a line, so it has no marks at its beginning.
    inside: bool,
}

/// The kind of a line.
enum Line<'a> {
    /// Nothing: a paragraph ends.
    Blank,
    /// Text that stands alone.
    Alone(&'a str),
    /// Begins a paragraph.
    Begins(String),
    /// Cells of a table.
    Row(&'a str),
    /// Text of a paragraph.
    Text(&'a str),
    /// Markup only.
    Nothing,
}

impl<'a> Blocks<'a> {
    /// The blocks of `text`, which is in the language of `rules`.
    pub(super) fn new(text: &'a str, rules: &Rules) -> Self {
        Self {
            lines: Lines::new(text),
            months: rules.months,
            peeked: None,
            text: String::new(),
            fence: None,
            table: false,
            inside: false,
        }
    }

    fn next_line(&mut self) -> Option<(&'a str, LineEnd)> {
        self.peeked.take().or_else(|| self.lines.next())
    }

    fn peek(&mut self) -> Option<&'a str> {
        if self.peeked.is_none() {
            self.peeked = self.lines.next();
        }
        self.peeked.map(|(line, _)| line)
    }

    fn take(&mut self, ends: bool) -> Option<Block> {
        let text = std::mem::take(&mut self.text);
        let block = Block { text, ends };
        (ends || !block.text.is_empty()).then_some(block)
    }

    /// The kind of the line, its marks removed.
    fn classify(&mut self, line: &'a str) -> Line<'a> {
        let mut line = line.trim_start_matches(['\u{feff}', '\u{200b}']).trim();
        while let Some(quoted) = line
            .strip_prefix('>')
            .filter(|rest| rest.is_empty() || rest.starts_with([' ', '>']))
        {
            line = quoted.trim_start();
        }
        if let Some(mark) = ['`', '~']
            .into_iter()
            .find(|mark| line.chars().take_while(|c| c == mark).count() >= 3)
        {
            let closes = self.fence == Some(mark);
            if closes || self.fence.is_none() && !line.trim_start_matches(mark).contains(mark) {
                self.fence = if closes { None } else { Some(mark) };
                return Line::Blank;
            }
        }
        if line.is_empty() {
            return Line::Blank;
        }
        if self.fence.is_some() {
            return Line::Alone(line);
        }
        if is_rule(line) {
            return Line::Blank;
        }
        let heading = line.trim_start_matches('#');
        if heading.len() < line.len() && line.len() - heading.len() <= 6 && heading.starts_with([' ', '\t']) {
            return Line::Alone(heading.trim_matches([' ', '\t', '#']));
        }
        if is_link_definition(line) {
            return Line::Nothing;
        }
        let separates =
            |line: &str| line.contains('-') && line.contains('|') && line.chars().all(|c| "|-: ".contains(c));
        if separates(line) {
            self.table = true;
            return Line::Nothing;
        }
        let begins_table = line.contains('|') && self.peek().is_some_and(|next| separates(next.trim()));
        if line.len() > 2 && line.starts_with('|') && line.ends_with('|')
            || begins_table
            || self.table && line.contains('|')
        {
            return Line::Row(line);
        }
        self.table = false;
        match self.item(line) {
            Some(text) => Line::Begins(text),
            None => Line::Text(line),
        }
    }

    /// The text of a list item; an item's number is kept as a clause of its own.
    fn item(&self, line: &str) -> Option<String> {
        let bullet = line.strip_prefix(['-', '*', '+', '•', '‣', '◦', '▪', '–', '—', '●', '○', '■', '□']);
        if let Some(text) = bullet.filter(|text| text.starts_with([' ', '\t'])) {
            let text = text.trim_start();
            let task = ["[ ] ", "[x] ", "[X] "]
                .into_iter()
                .find_map(|task| text.strip_prefix(task));
            return Some(task.unwrap_or(text).to_owned());
        }
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let text = line[digits..]
            .strip_prefix(['.', ')'])
            .filter(|_| (1..=3).contains(&digits))?;
        let text = text.strip_prefix([' ', '\t'])?.trim_start();
        let word: String = text
            .chars()
            .take_while(|c| c.is_alphabetic())
            .collect::<String>()
            .to_lowercase();
        // "3. Mai" is a date.
        let is_month = self.months.iter().any(|(name, _)| *name == word);
        (!is_month && !text.is_empty()).then(|| format!("{}, {text}", &line[..digits]))
    }

    /// Adds a line to the paragraph, with the break that is heard between them or without one.
    fn append(&mut self, line: &str, heard: bool) {
        let start = self.text.len();
        if start > 0 {
            let wide =
                |c: Option<char>| c.is_some_and(|c| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}'));
            let hyphenated = self.text.ends_with('-') && line.starts_with(char::is_alphabetic);
            if heard {
                self.text.push('\n');
            } else if !(hyphenated || wide(self.text.chars().next_back()) && wide(line.chars().next())) {
                self.text.push(' ');
            }
        }
        clean(line, &mut self.text);
    }
}

impl Iterator for Blocks<'_> {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        loop {
            let Some((line, end)) = self.next_line() else {
                return if self.text.is_empty() { None } else { self.take(true) };
            };
            let after = self.lines.clone();
            let continued = std::mem::replace(&mut self.inside, end == LineEnd::Continues);
            if continued || end == LineEnd::Continues {
                // A very long line: its first piece may bear marks, no later one does.
                let begins = if continued {
                    Line::Text(line)
                } else {
                    self.classify(line)
                };
                match begins {
                    Line::Text(text) | Line::Alone(text) | Line::Row(text) => {
                        if !continued && !self.text.is_empty() {
                            self.append("", false);
                        }
                        clean(text, &mut self.text);
                    }
                    Line::Begins(text) => self.append(&text, true),
                    Line::Blank | Line::Nothing => {}
                }
                if end == LineEnd::Continues {
                    if let Some(block) = self.take(false) {
                        return Some(block);
                    }
                } else if end == LineEnd::Paragraph {
                    return self.take(true);
                }
                continue;
            }
            let kind = self.classify(line);
            let stands_alone = !matches!(kind, Line::Text(_) | Line::Nothing);
            if stands_alone && !self.text.is_empty() {
                // End the paragraph before this line, and come back to the line.
                if !matches!(kind, Line::Blank) {
                    // `classify` may have looked one line ahead; that one is read again.
                    self.lines = after;
                    self.peeked = Some((line, end));
                }
                return self.take(true);
            }
            match kind {
                Line::Blank | Line::Nothing => continue,
                Line::Alone(text) => {
                    self.append(text, false);
                    return self.take(true);
                }
                Line::Row(text) => {
                    let cells: Vec<&str> = text.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
                    self.append(&cells.join("; "), false);
                    return self.take(true);
                }
                Line::Begins(text) => self.append(&text, false),
                Line::Text(text) => {
                    let heard = self
                        .text
                        .rsplit('\n')
                        .next()
                        .is_some_and(|last| is_own_line(last, text));
                    self.append(text, heard);
                }
            }
            if end == LineEnd::Paragraph {
                return self.take(true);
            }
            if self.text.len() >= BLOCK_PART_BYTES {
                let cut = self
                    .text
                    .rfind(['.', '!', '?', '。', '\n'])
                    .map_or(self.text.len(), |at| self.text.ceil_char_boundary(at + 1));
                let rest = self.text.split_off(cut);
                let block = self.take(false);
                self.text = rest;
                return block;
            }
        }
    }
}

/// Nothing but one kind of mark: "-----", "=====", "* * *".
fn is_rule(line: &str) -> bool {
    let mut marks = line.chars().filter(|c| !c.is_whitespace());
    let Some(first) = marks.next() else { return false };
    "-=_*~#+.─━═—–·•".contains(first) && marks.clone().count() >= 2 && marks.all(|c| c == first)
}

/// Returns true for a link definition, which Markdown never shows: `[1]: https://…`.
fn is_link_definition(line: &str) -> bool {
    line.strip_prefix('[')
        .and_then(|rest| rest.split_once("]:"))
        .is_some_and(|(name, target)| {
            !name.contains(']') && target.trim_start().contains("://") && target.trim().split(' ').count() == 1
        })
}

/// Returns true if a line break between these two is heard.
fn is_own_line(last: &str, next: &str) -> bool {
    let width = |text: &str| text.chars().map(|c| if c >= '\u{2e80}' { 2 } else { 1 }).sum::<usize>();
    let begins = next.chars().find(|c| c.is_alphanumeric());
    let new = begins.is_some_and(|c| !c.is_lowercase());
    !last.is_empty()
        && last.len() <= SHORT_LINE_WIDTH * 4
        && width(last) <= SHORT_LINE_WIDTH
        && new
        && !last.ends_with(['-', ','])
}

#[cfg(test)]
mod tests {
    use super::super::languages::rules_of;
    use super::*;
    use quartet_api::Language;

    fn check(input: &str, expected: &[&str]) {
        let blocks: Vec<String> = Blocks::new(input, rules_of(Language::German))
            .map(|block| block.text)
            .filter(|text| !text.is_empty())
            .collect();
        assert_eq!(blocks, expected, "{input:?}");
    }

    #[test]
    fn paragraphs_and_wrapped_lines() {
        check("one\ntwo\n\nthree", &["one two", "three"]);
        check("一行\n二行", &["一行\n二行"]);
        check("Roses are red\nViolets are blue", &["Roses are red\nViolets are blue"]);
    }

    #[test]
    fn markdown_blocks() {
        check("# Title #\ntext", &["Title", "text"]);
        check("- a\n- [x] b\n1. c", &["a", "b", "1, c"]);
        check("3. Mai war schön", &["3. Mai war schön"]);
        check("> quoted\n> text", &["quoted text"]);
        check("a\n-----\nb", &["a", "b"]);
        check("| x | y |\n|---|---|\n| 1 | 2 |", &["x; y", "1; 2"]);
        check("x | y\n--|--\n1 | 2", &["x; y", "1; 2"]);
        check("text\nx | y\n--|--\n1 | 2", &["text", "x; y", "1; 2"]);
        check("```rust\nlet x = 1;\n```\nend", &["let x = 1;", "end"]);
    }

    #[test]
    fn plain_text_is_not_markup() {
        check("[Alice]: hello there", &["[Alice]: hello there"]);
        check("#tag first", &["#tag first"]);
        check("1986. A great year", &["1986. A great year"]);
        check("-5 degrees", &["-5 degrees"]);
    }

    #[test]
    fn long_paragraphs_come_in_parts() {
        let text = "A sentence of words. ".repeat(1_000);
        let blocks: Vec<Block> = Blocks::new(&text, rules_of(Language::English)).collect();
        assert!(blocks.len() > 5);
        assert!(blocks.iter().all(|block| block.text.len() <= 2 * BLOCK_PART_BYTES));
        assert_eq!(blocks.iter().filter(|block| block.ends).count(), 1);
    }
}
