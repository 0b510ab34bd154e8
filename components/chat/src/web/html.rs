//! Conversion of HTML to blocks of text: headings, paragraphs, items, tables, program text.
//!
//! The tokens are those of html5ever, as browsers read them; no tree is made of them. A tree would tell little more about
//! text, and deeply nested pages, which strangers can make, cost a builder of trees time that is quadratic in their depth, as do
//! the known methods that find the "main" part of a page by scores: what is no text of the page is told by its elements. The
//! tokenizer is fed piece by piece, and left when the time is up.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use quartet_text_analysis::{Block, Kind};

use super::Page;

/// Bytes between two looks at the clock.
const CHUNK_BYTES: usize = 8 * 1024;
/// Size in bytes from which a part that is marked as the main one is taken for it.
const MIN_MAIN_BYTES: usize = 200;
/// Length in characters below which blocks that are all link are menus.
const MAX_MENU_CHARS: usize = 80;

/// Elements that are not read with what is inside.
const SKIPPED_ELEMENTS: [&str; 20] = [
    "script", "style", "noscript", "template", "nav", "header", "footer", "aside", "button", "select", "textarea",
    "svg", "math", "iframe", "object", "canvas", "audio", "video", "dialog", "noframes",
];

/// Elements without an end.
const VOID_ELEMENTS: [&str; 13] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
];

/// Elements that end where the next block begins.
const IMPLIED_END_ELEMENTS: [&str; 7] = ["p", "li", "dt", "dd", "td", "th", "tr"];

/// Elements that begin and end a block.
const BLOCK_ELEMENTS: [&str; 30] = [
    "p",
    "div",
    "section",
    "article",
    "main",
    "body",
    "html",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "li",
    "ul",
    "ol",
    "dl",
    "dt",
    "dd",
    "pre",
    "blockquote",
    "table",
    "tr",
    "thead",
    "tbody",
    "caption",
    "figure",
    "figcaption",
    "details",
    "summary",
];

/// Names of the metadata with a page's date, the most reliable first.
const DATE_NAMES: [&str; 5] = [
    "article:modified_time",
    "article:published_time",
    "date",
    "dcterms.modified",
    "dc.date",
];

/// Reads a page, as far as there is time.
pub(super) fn read(html: &str, in_time: &dyn Fn() -> bool) -> Page {
    let tokenizer = Tokenizer::new(Reader::default(), TokenizerOpts::default());
    let queue = BufferQueue::default();
    let mut rest = html;
    let mut whole = true;
    while !rest.is_empty() {
        whole = in_time();
        if !whole {
            break;
        }
        let mut end = rest.len().min(CHUNK_BYTES);
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        queue.push_back(StrTendril::from_slice(&rest[..end]));
        // A script that would run stops the tokenizer, and here none runs.
        let _ = tokenizer.feed(&queue);
        rest = &rest[end..];
    }
    if whole {
        tokenizer.end();
    }
    tokenizer.sink.0.into_inner().page()
}

/// The day of a date and time in ISO 8601.
pub(super) fn date(text: &str) -> Option<String> {
    let day = text.trim().get(..10)?;
    day.parse::<jiff::civil::Date>().ok()?;
    Some(day.to_owned())
}

/// Takes tokens.
#[derive(Default)]
struct Reader(RefCell<Draft>);

impl TokenSink for Reader {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut draft = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => return draft.begins(&tag),
            Token::TagToken(tag) => draft.ends(&tag.name),
            Token::CharacterTokens(text) => draft.text(&text),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// An open element, with the number of elements of its name that are open in it.
struct Scope {
    name: String,
    depth: usize,
}

impl Scope {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            depth: 1,
        }
    }

    fn begins(&mut self, name: &str) {
        self.depth += usize::from(self.name == name);
    }

    /// Returns true if this end tag closes it.
    fn ends(&mut self, name: &str) -> bool {
        self.depth -= usize::from(self.name == name);
        self.depth == 0
    }
}

/// A page that is being read.
#[derive(Default)]
struct Draft {
    /// Its blocks, each with true if it is in the main part.
    blocks: Vec<(Block, bool)>,
    title: String,
    in_title: bool,
    /// The date, with the place of its name in [`DATE_NAMES`].
    date: Option<(usize, String)>,
    left_out: Option<Scope>,
    main: Option<Scope>,
    text: String,
    kind: Kind,
    /// Bytes of the text that are inside of links.
    linked: usize,
    in_links: usize,
    in_pre: usize,
    in_table: usize,
}

impl Draft {
    fn add(&mut self, text: &str) {
        let before = self.text.len();
        if self.in_pre > 0 {
            self.text.push_str(text);
        } else {
            for (index, word) in text.split(char::is_whitespace).enumerate() {
                let gap = index > 0 && !self.text.is_empty() && !self.text.ends_with([' ', '\t', '\n']);
                if gap {
                    self.text.push(' ');
                }
                self.text.push_str(word);
            }
        }
        if self.in_links > 0 {
            self.linked += self.text.len() - before;
        }
    }

    /// Ends a block.
    fn end(&mut self) {
        let text = std::mem::take(&mut self.text);
        let linked = std::mem::take(&mut self.linked);
        let text = if self.kind == Kind::Code {
            text.trim_matches('\n').trim_end()
        } else {
            text.trim()
        };
        let heading = matches!(self.kind, Kind::Heading | Kind::Title);
        let menu = linked * 10 >= text.len() * 9 && text.chars().count() < MAX_MENU_CHARS && !heading;
        if text.contains(char::is_alphanumeric) && !menu {
            let block = Block {
                kind: self.kind,
                text: text.to_owned(),
            };
            self.blocks.push((block, self.main.is_some()));
        }
        self.kind = if self.in_table > 0 {
            Kind::Table
        } else {
            Kind::Paragraph
        };
    }

    fn begins(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name: &str = &tag.name;
        let attribute = |wanted: &str| {
            let found = tag.attrs.iter().find(|attribute| &*attribute.name.local == wanted);
            found.map(|attribute| &*attribute.value)
        };
        if name == "title" && self.title.is_empty() && self.left_out.is_none() {
            self.in_title = true;
        }
        self.dates(name, &attribute);
        if self
            .left_out
            .as_ref()
            .is_some_and(|scope| IMPLIED_END_ELEMENTS.contains(&scope.name.as_str()) && BLOCK_ELEMENTS.contains(&name))
        {
            self.left_out = None;
        }
        if let Some(scope) = &mut self.left_out {
            scope.begins(name);
        } else if (SKIPPED_ELEMENTS.contains(&name) || is_hidden(&attribute))
            && !VOID_ELEMENTS.contains(&name)
            && !tag.self_closing
        {
            self.left_out = Some(Scope::new(name));
        } else {
            let is_main = matches!(name, "main" | "article") || attribute("role") == Some("main");
            match &mut self.main {
                Some(scope) => scope.begins(name),
                None if is_main => {
                    self.end();
                    self.main = Some(Scope::new(name));
                }
                None => {}
            }
            open(self, name);
        }
        match name {
            "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => TokenSinkResult::RawData(RawKind::Rawtext),
            "script" => TokenSinkResult::RawData(RawKind::ScriptData),
            "plaintext" => TokenSinkResult::Plaintext,
            _ => TokenSinkResult::Continue,
        }
    }

    fn dates<'a>(&mut self, name: &str, attribute: &dyn Fn(&str) -> Option<&'a str>) {
        let said = match name {
            "meta" => {
                let named = attribute("property").or_else(|| attribute("name")).unwrap_or_default();
                let rank = DATE_NAMES.iter().position(|date| date.eq_ignore_ascii_case(named));
                rank.zip(attribute("content"))
            }
            "time" => Some(DATE_NAMES.len()).zip(attribute("datetime")),
            _ => None,
        };
        if let Some((rank, text)) = said
            && let Some(date) = date(text)
            && self.date.as_ref().is_none_or(|(best, _)| rank < *best)
        {
            self.date = Some((rank, date));
        }
    }

    fn ends(&mut self, name: &str) {
        if name == "title" {
            self.in_title = false;
        }
        if let Some(scope) = &mut self.left_out {
            // An element that never ends must not swallow the page.
            if scope.ends(name) || matches!(name, "main" | "body") {
                self.left_out = None;
            }
            return;
        }
        close(self, name);
        if self.main.as_mut().is_some_and(|scope| scope.ends(name)) {
            self.end();
            self.main = None;
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_title {
            self.title.push_str(text);
        } else if self.left_out.is_none() {
            self.add(text);
        }
    }

    /// The finished page.
    fn page(mut self) -> Page {
        self.end();
        let size: usize = self
            .blocks
            .iter()
            .filter(|(_, main)| *main)
            .map(|(block, _)| block.text.len())
            .sum();
        let title = words(&self.title);
        let heading = self.blocks.iter().find(|(block, _)| block.kind == Kind::Heading);
        let title = match heading {
            Some((heading, _)) if title.is_empty() => heading.text.clone(),
            _ => title,
        };
        let blocks = self
            .blocks
            .into_iter()
            .filter(|(_, main)| *main || size < MIN_MAIN_BYTES);
        Page {
            title,
            date: self.date.map(|(_, date)| date),
            blocks: blocks.map(|(block, _)| block).collect(),
        }
    }
}

fn is_hidden<'a>(attribute: &dyn Fn(&str) -> Option<&'a str>) -> bool {
    let role = attribute("role").unwrap_or_default();
    let style = attribute("style")
        .unwrap_or_default()
        .replace(' ', "")
        .to_ascii_lowercase();
    attribute("hidden").is_some()
        || attribute("aria-hidden") == Some("true")
        || matches!(
            role,
            "navigation" | "banner" | "contentinfo" | "search" | "complementary"
        )
        || ["display:none", "visibility:hidden", "font-size:0", "opacity:0"]
            .iter()
            .any(|rule| {
                // "opacity:0.9" can be read.
                let at = style.find(rule);
                at.is_some_and(|at| !style[at + rule.len()..].starts_with('.'))
            })
}

fn open(draft: &mut Draft, name: &str) {
    match name {
        "table" => {
            draft.end();
            draft.in_table += 1;
            draft.kind = Kind::Table;
            return;
        }
        // A row is a line; cells stand one after the other with tabs between them.
        "tr" if draft.in_table > 0 => {
            if !draft.text.is_empty() {
                draft.text.push('\n');
            }
            return;
        }
        "td" | "th" => {
            if !draft.text.is_empty() && !draft.text.ends_with('\n') {
                draft.text.push('\t');
            }
            return;
        }
        "br" if draft.in_pre > 0 => draft.text.push('\n'),
        "br" => draft.add(" "),
        "a" => draft.in_links += 1,
        _ => {}
    }
    if draft.in_table > 0 || !BLOCK_ELEMENTS.contains(&name) {
        return;
    }
    draft.end();
    draft.kind = match name {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Kind::Heading,
        "li" | "dd" | "dt" => Kind::ListItem,
        "pre" => Kind::Code,
        "figcaption" | "caption" => Kind::Caption,
        _ => Kind::Paragraph,
    };
    draft.in_pre += usize::from(name == "pre");
}

fn close(draft: &mut Draft, name: &str) {
    match name {
        "table" => {
            draft.in_table = draft.in_table.saturating_sub(1);
            draft.end();
        }
        "a" => draft.in_links = draft.in_links.saturating_sub(1),
        _ if draft.in_table > 0 || !BLOCK_ELEMENTS.contains(&name) => {}
        _ => {
            // The text of an item that has paragraphs inside is still an item's.
            draft.end();
            draft.in_pre = draft.in_pre.saturating_sub(usize::from(name == "pre"));
        }
    }
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
