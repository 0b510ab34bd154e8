//! The running text of a document: its sentences, each with its page, section and paragraph.
//! Every analysis of a document begins with these.

use std::collections::HashMap;

use quartet_api::Language;

use crate::document::{Document, Kind};
use crate::sections::{self, Section};
use crate::sentence::{is_complete, sentences};

/// Limit for the sentences of a document; those after it are left out.
pub const MAX_SENTENCES: usize = 60_000;
/// Length in characters of the pieces into which rows of tables and lines of program text are cut.
const MAX_LINE_CHARS: usize = 1_000;
/// Length in characters from which a line may have been broken by the width of a page.
const MIN_FULL_LINE_CHARS: usize = 40;
/// Size in bytes of the sample of running text by which the language is detected.
const LANGUAGE_SAMPLE_BYTES: usize = 12_000;

/// The running text of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Prose {
    /// The language of most of it.
    pub language: Language,
    /// Its sentences in the order of reading.
    pub sentences: Vec<Sentence>,
    /// Its sections in order; the first is what stands before any heading.
    pub sections: Vec<Section>,
    /// True if [`MAX_SENTENCES`] left something out.
    pub truncated: bool,
}

/// A sentence, an item of a list, a row of a table or a line of program text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Its text, in one line.
    pub text: String,
    /// The page that it begins on, from 1.
    pub page: usize,
    /// Its section, as an index of [`Prose::sections`].
    pub section: usize,
    /// The number of its paragraph.
    pub paragraph: usize,
    /// The kind of block that it is part of.
    pub kind: Kind,
}

/// Detects the language of a document from its running text, not from its headings and program text.
#[must_use]
pub fn language(document: &Document) -> Language {
    let mut sample = String::new();
    for kinds in [
        &[Kind::Paragraph, Kind::ListItem][..],
        &[Kind::Heading, Kind::Title, Kind::Table, Kind::Other, Kind::Caption],
    ] {
        // The first pages may be a title page in another language: the sample is taken from the whole document.
        let blocks: Vec<&str> = document
            .pages
            .iter()
            .flat_map(|page| &page.blocks)
            .filter(|block| kinds.contains(&block.kind))
            .map(|block| block.text.as_str())
            .collect();
        let bytes: usize = blocks.iter().map(|text| text.len()).sum();
        let step = bytes / LANGUAGE_SAMPLE_BYTES + 1;
        for text in blocks.iter().step_by(step) {
            sample.push_str(text);
            sample.push('\n');
        }
        if sample.len() > 200 {
            break;
        }
    }
    if !sample.chars().any(char::is_alphabetic) {
        // Nothing to tell by but what the file says.
        let tag = document.metadata.language.as_deref().unwrap_or("en");
        return tag
            .split(['-', '_'])
            .next()
            .and_then(|code| code.parse().ok())
            .unwrap_or(Language::English);
    }
    quartet_lang_detect::detect(&sample)
}

impl Prose {
    /// The running text of `document`.
    #[must_use]
    pub fn of(document: &Document) -> Self {
        let language = language(document);
        let mut outline: HashMap<&str, Vec<(u8, Option<usize>)>> = HashMap::new();
        for entry in &document.outline {
            let title = sections::without_number(entry.title.trim());
            outline.entry(title).or_default().push((entry.level, entry.page));
        }
        let mut builder = Builder {
            outline,
            prose: Self {
                language,
                sentences: Vec::new(),
                sections: vec![Section {
                    title: String::new(),
                    page: 1,
                    level: 1,
                    role: sections::Role::Body,
                }],
                truncated: false,
            },
            paragraph: 0,
            open: None,
        };
        for page in &document.pages {
            for block in &page.blocks {
                builder.block(block.kind, &block.text, page.number);
            }
        }
        builder.close();
        builder.prose
    }

    /// The title of the section of `sentence`.
    #[must_use]
    pub fn heading(&self, sentence: &Sentence) -> &str {
        &self.sections[sentence.section].title
    }
}

/// A paragraph that may go on on the next page.
struct Open {
    text: String,
    /// The starts of the pages in the text.
    pages: Vec<(usize, usize)>,
    kind: Kind,
}

struct Builder<'a> {
    prose: Prose,
    /// The levels and pages of the bookmarks by their titles without numbers.
    outline: HashMap<&'a str, Vec<(u8, Option<usize>)>>,
    paragraph: usize,
    open: Option<Open>,
}

impl Builder<'_> {
    fn block(&mut self, kind: Kind, text: &str, page: usize) {
        let text = text.trim();
        if text.is_empty() || kind.repeats() {
            return;
        }
        match kind {
            // A note interrupts the paragraph that goes on on the next page, but does not end it.
            Kind::Footnote => self.push(text, &[(0, page)], kind),
            Kind::Title | Kind::Heading => {
                self.close();
                self.heading(text, page);
            }
            Kind::Paragraph => {
                if sections::is_contents_line(text) {
                    self.close();
                    return;
                }
                match &mut self.open {
                    Some(open) if open.kind == Kind::Paragraph && goes_on(open, text, page) => {
                        let solid = open.text.ends_with(is_solid) && text.starts_with(is_solid);
                        let hyphen = open.text.ends_with('-') && text.starts_with(char::is_lowercase);
                        if hyphen {
                            open.text.pop();
                        } else if !solid {
                            open.text.push(' ');
                        }
                        open.pages.push((open.text.len(), page));
                        open.text.push_str(text);
                    }
                    _ => self.begin(text, page, kind),
                }
            }
            Kind::ListItem => {
                if !sections::is_contents_line(text) {
                    let text = text.trim_start_matches(|c: char| is_bullet(c) || c.is_whitespace());
                    self.begin(text, page, kind);
                }
            }
            _ => {
                self.close();
                let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
                if !lines.iter().any(|line| sections::is_contents_line(line)) {
                    for line in lines {
                        // A row is about something of its own.
                        self.paragraph += 1;
                        let line = line
                            .split('\t')
                            .map(str::trim)
                            .filter(|cell| !cell.is_empty())
                            .collect::<Vec<_>>()
                            .join("  ");
                        for piece in pieces(&line) {
                            self.add(piece, page, kind);
                        }
                    }
                }
            }
        }
    }

    fn begin(&mut self, text: &str, page: usize, kind: Kind) {
        self.close();
        self.open = Some(Open {
            text: text.to_owned(),
            pages: vec![(0, page)],
            kind,
        });
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.push(&open.text, &open.pages, open.kind);
        }
    }

    fn push(&mut self, text: &str, pages: &[(usize, usize)], kind: Kind) {
        for line in written_lines(text, self.prose.language) {
            self.paragraph += 1;
            for sentence in sentences(line, self.prose.language) {
                let at = sentence.as_ptr().addr() - text.as_ptr().addr();
                let page = pages
                    .iter()
                    .rev()
                    .find(|(from, _)| *from <= at)
                    .map_or(1, |(_, page)| *page);
                self.add(sentence, page, kind);
            }
        }
    }

    fn add(&mut self, text: &str, page: usize, kind: Kind) {
        if self.prose.sentences.len() >= MAX_SENTENCES {
            self.prose.truncated = true;
            return;
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.prose.sentences.push(Sentence {
            text,
            page,
            section: self.prose.sections.len() - 1,
            paragraph: self.paragraph,
            kind,
        });
    }

    fn heading(&mut self, text: &str, page: usize) {
        let title = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if sections::is_contents_line(&title) || sections::is_label(&title) || !title.chars().any(char::is_alphabetic) {
            return;
        }
        // An entry of the contents may look like a heading.
        let listed = self
            .prose
            .sections
            .last()
            .is_some_and(|section| section.role == sections::Role::List);
        let entry = title
            .rsplit(' ')
            .next()
            .is_some_and(|last| last.chars().all(|c| c.is_ascii_digit()));
        if listed && entry && title.contains(' ') {
            return;
        }
        let bare = sections::without_number(&title);
        let entries = self.outline.get(bare).map_or(&[][..], Vec::as_slice);
        let level = entries
            .iter()
            .find(|(_, at)| at.is_none_or(|at| at.abs_diff(page) <= 1))
            .map_or_else(|| sections::level_by_number(&title), |(level, _)| (*level).max(1));
        self.prose.sections.push(Section {
            role: sections::role(bare, level, &self.prose.sections),
            title,
            page,
            level,
        });
    }
}

/// The lines of a paragraph, where its writer broke them: of an address, a programme, prices. One that goes on in small letters is text
/// that is broken for its looks, whose sentences go across its lines. So is one with long lines that end within a sentence, where that
/// begins in the line, or the script has no small letters.
fn written_lines(text: &str, language: Language) -> impl Iterator<Item = &str> {
    let goes_on = text.lines().zip(text.lines().skip(1)).any(|(before, next)| {
        let is_open = before.chars().count() >= MIN_FULL_LINE_CHARS && !is_complete(before);
        let has_case = |c: char| c.is_lowercase() || c.is_uppercase();
        next.trim_start().chars().next().is_some_and(|c| {
            c.is_lowercase()
                || c == '('
                || is_open && (c.is_alphabetic() && !has_case(c) || sentences(before, language).len() > 1)
        })
    });
    let whole = goes_on.then_some(text).into_iter();
    whole.chain(text.lines().filter(move |_| !goes_on))
}

/// A line in pieces of a bearable length.
fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(MAX_LINE_CHARS).map_or(rest.len(), |(at, _)| at);
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Returns true if the paragraph `open` goes on with `text` on the next page.
fn goes_on(open: &Open, text: &str, page: usize) -> bool {
    let last = open.pages.last().map_or(page, |(_, page)| *page);
    if page != last + 1 || is_complete(&open.text) || open.text.ends_with([':', '：']) {
        return false;
    }
    let first = text.chars().find(|c| !matches!(c, '(' | '"' | '“' | '«'));
    first.is_some_and(|c| !c.is_uppercase() && !is_bullet(c)) || open.text.ends_with([',', '-', '、', '，'])
}

/// A character of a script that is written without spaces.
fn is_solid(c: char) -> bool {
    use quartet_lang_detect::{Writing, writing};
    matches!(writing(c), Writing::Han | Writing::Kana) || matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}')
}

fn is_bullet(c: char) -> bool {
    matches!(
        c,
        '•' | '◦'
            | '▪'
            | '▫'
            | '‣'
            | '⁃'
            | '●'
            | '○'
            | '■'
            | '□'
            | '·'
            | '*'
            | '–'
            | '—'
            | '→'
            | '➢'
            | '✓'
    )
}
