//! A page that is being read, token by token.

use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Tag, TokenSinkResult};
use quartet_text_analysis::{Block, Kind};

use super::elements::{ends_itself, is_block, is_hidden, is_skipped, is_void};
use super::pieces::{HtmlPage, Piece, Wanted};

/// Size in bytes from which a part that is marked as the main one is taken for it.
const MIN_MAIN_BYTES: usize = 200;
/// Length in characters below which blocks that are all link are menus.
const MAX_MENU_CHARS: usize = 80;
/// Most lists and tables in one another whose kind is remembered.
const MAX_NESTING: usize = 100;

/// Names of the metadata with a page's date, the most reliable first.
const DATE_NAMES: [&str; 5] = [
    "article:modified_time",
    "article:published_time",
    "date",
    "dcterms.modified",
    "dc.date",
];

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
pub struct Reader {
    wanted: Wanted,
    page: HtmlPage,
    /// For each piece, true if it is in the main part.
    in_main: Vec<bool>,
    in_title: bool,
    /// The date, with the place of its name in [`DATE_NAMES`].
    date: Option<(usize, String)>,
    left_out: Option<Scope>,
    main: Option<Scope>,
    text: String,
    kind: Kind,
    level: u8,
    /// Links of the block.
    links: Vec<(String, String)>,
    /// The link that is open: its address, and where its text begins.
    link: Option<(String, usize)>,
    /// Bytes of the text that are inside of links.
    linked: usize,
    in_links: usize,
    in_pre: usize,
    /// Open tables, each with true while it may be one of data.
    tables: Vec<bool>,
    /// Open lists, each with the number of its next item where it counts them.
    lists: Vec<Option<u64>>,
}

impl Reader {
    pub fn new(wanted: Wanted) -> Self {
        Self {
            wanted,
            page: HtmlPage::default(),
            in_main: Vec::new(),
            in_title: false,
            date: None,
            left_out: None,
            main: None,
            text: String::new(),
            kind: Kind::Paragraph,
            level: 0,
            links: Vec::new(),
            link: None,
            linked: 0,
            in_links: 0,
            in_pre: 0,
            tables: Vec::new(),
            lists: Vec::new(),
        }
    }

    fn in_data_table(&self) -> bool {
        self.tables.last() == Some(&true)
    }

    fn add(&mut self, text: &str) {
        let before = self.text.len();
        if self.in_pre > 0 && !self.in_data_table() {
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
        self.end_link();
        let text = std::mem::take(&mut self.text);
        let linked = std::mem::take(&mut self.linked);
        let links = std::mem::take(&mut self.links);
        let text = match self.kind {
            Kind::Code => text.trim_matches('\n').trim_end(),
            _ => text.trim(),
        };
        let heading = matches!(self.kind, Kind::Heading | Kind::Title);
        let menu = linked * 10 >= text.len() * 9 && text.chars().count() < MAX_MENU_CHARS && !heading;
        let menu = menu && self.wanted == Wanted::Article;
        if text.contains(char::is_alphanumeric) && !menu {
            // One cell, or one in each row, arranges text.
            let kind = match self.kind {
                Kind::Table if self.wanted == Wanted::Everything && !text.contains('\t') => Kind::Paragraph,
                kind => kind,
            };
            self.page.pieces.push(Piece {
                block: Block {
                    kind,
                    text: text.to_owned(),
                },
                level: std::mem::take(&mut self.level),
                links,
            });
            self.in_main.push(self.main.is_some());
        }
        self.level = 0;
        self.kind = match self.in_data_table() {
            true => Kind::Table,
            false => Kind::Paragraph,
        };
    }

    fn end_link(&mut self) {
        if let Some((url, from)) = self.link.take() {
            let text = self.text.get(from..).unwrap_or_default();
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            self.links.push((text, url));
        }
    }

    /// Takes the beginning of an element.
    pub fn begins(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name: &str = &tag.name;
        let attribute = |wanted: &str| {
            let found = tag.attrs.iter().find(|attribute| &*attribute.name.local == wanted);
            found.map(|attribute| &*attribute.value)
        };
        if name == "title" && self.page.title.is_empty() && self.left_out.is_none() {
            self.in_title = true;
        }
        self.metadata(name, &attribute);
        if self
            .left_out
            .as_ref()
            .is_some_and(|scope| ends_itself(&scope.name) && is_block(name))
        {
            self.left_out = None;
        }
        let article_only = self.wanted == Wanted::Article;
        if let Some(scope) = &mut self.left_out {
            scope.begins(name);
        } else if (is_skipped(name, article_only) || is_hidden(&attribute)) && !is_void(name) && !tag.self_closing {
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
            self.open(name, &attribute);
        }
        if tag.self_closing {
            // In XHTML such an element has ended; browsers go on as if it had not.
            return TokenSinkResult::Continue;
        }
        match name {
            "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => TokenSinkResult::RawData(RawKind::Rawtext),
            "script" => TokenSinkResult::RawData(RawKind::ScriptData),
            "plaintext" => TokenSinkResult::Plaintext,
            _ => TokenSinkResult::Continue,
        }
    }

    fn metadata<'a>(&mut self, name: &str, attribute: &dyn Fn(&str) -> Option<&'a str>) {
        let said = match name {
            "meta" => {
                let named = attribute("property").or_else(|| attribute("name")).unwrap_or_default();
                let content = || attribute("content").map(words).filter(|content| !content.is_empty());
                if named.eq_ignore_ascii_case("author") {
                    self.page.author = self.page.author.take().or_else(content);
                } else if named.eq_ignore_ascii_case("description") {
                    self.page.description = self.page.description.take().or_else(content);
                }
                let rank = DATE_NAMES.iter().position(|date| date.eq_ignore_ascii_case(named));
                rank.zip(attribute("content"))
            }
            "time" => Some(DATE_NAMES.len()).zip(attribute("datetime")),
            "html" => {
                let language = attribute("lang").or_else(|| attribute("xml:lang"));
                self.page.language = language.map(words).filter(|tag| !tag.is_empty());
                None
            }
            _ => None,
        };
        if let Some((rank, text)) = said
            && let Some(date) = day(text)
            && self.date.as_ref().is_none_or(|(best, _)| rank < *best)
        {
            self.date = Some((rank, date));
        }
    }

    /// Takes the end of an element.
    pub fn ends(&mut self, name: &str) {
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
        self.close(name);
        if self.main.as_mut().is_some_and(|scope| scope.ends(name)) {
            self.end();
            self.main = None;
        }
    }

    /// Takes text.
    pub fn text(&mut self, text: &str) {
        if self.in_title {
            self.page.title.push_str(text);
        } else if self.left_out.is_none() {
            self.add(text);
        }
    }

    /// The finished page.
    pub fn page(mut self) -> HtmlPage {
        self.end();
        let mut page = self.page;
        page.title = words(&page.title);
        let heading = page.pieces.iter().find(|piece| piece.block.kind == Kind::Heading);
        if let Some(heading) = heading
            && page.title.is_empty()
        {
            page.title = heading.block.text.clone();
        }
        page.date = self.date.map(|(_, date)| date);
        if self.wanted == Wanted::Article {
            let main = page.pieces.iter().zip(&self.in_main).filter(|(_, main)| **main);
            let size: usize = main.map(|(piece, _)| piece.block.text.len()).sum();
            if size >= MIN_MAIN_BYTES {
                let mut in_main = self.in_main.into_iter();
                page.pieces.retain(|_| in_main.next().unwrap_or(false));
            }
        }
        page
    }

    fn open<'a>(&mut self, name: &str, attribute: &dyn Fn(&str) -> Option<&'a str>) {
        match name {
            "table" => {
                // What has a table inside arranges the page.
                if let Some(outer) = self.tables.last_mut() {
                    if *outer && self.kind == Kind::Table {
                        self.kind = Kind::Paragraph;
                        self.text = std::mem::take(&mut self.text).replace('\t', "\n");
                    }
                    *outer = false;
                }
                self.end();
                if self.tables.len() < MAX_NESTING {
                    self.tables.push(attribute("role") != Some("presentation"));
                }
                self.kind = match self.in_data_table() {
                    true => Kind::Table,
                    false => Kind::Paragraph,
                };
                return;
            }
            // A row is a line; cells stand one after the other with tabs between them.
            "tr" if self.in_data_table() => {
                if !self.text.is_empty() {
                    self.text.truncate(self.text.trim_end_matches(' ').len());
                    self.text.push('\n');
                }
                return;
            }
            "td" | "th" if self.in_data_table() => {
                if !self.text.is_empty() && !self.text.ends_with('\n') {
                    self.text.truncate(self.text.trim_end_matches(' ').len());
                    self.text.push('\t');
                }
                return;
            }
            "td" | "th" if !self.tables.is_empty() => return self.end(),
            "br" if self.in_pre > 0 && !self.in_data_table() => self.text.push('\n'),
            "br" if self.wanted == Wanted::Everything && !self.in_data_table() && !self.text.is_empty() => {
                self.text.push('\n');
            }
            "br" => self.add(" "),
            "a" => {
                self.in_links += 1;
                self.end_link();
                self.link = attribute("href").map(|url| (url.to_owned(), self.text.len()));
            }
            _ => {}
        }
        if self.in_data_table() {
            if is_block(name) && !self.text.is_empty() {
                self.add(" ");
            }
            return;
        }
        if !is_block(name) {
            return;
        }
        // A paragraph that begins an item is the item's text.
        if self.kind == Kind::ListItem && matches!(name, "p" | "div") && self.is_only_a_number() {
            return;
        }
        self.end();
        match name {
            "ol" | "ul" if self.lists.len() < MAX_NESTING => {
                let first = attribute("start").and_then(|start| start.parse().ok()).unwrap_or(1);
                self.lists.push((name == "ol").then_some(first));
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.level = name.as_bytes()[1] - b'0',
            "li" if self.wanted == Wanted::Everything => {
                if let Some(Some(number)) = self.lists.last_mut() {
                    self.text = format!("{number}. ");
                    *number = number.saturating_add(1);
                }
            }
            _ => {}
        }
        self.kind = match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Kind::Heading,
            "li" | "dd" | "dt" => Kind::ListItem,
            "pre" => Kind::Code,
            "figcaption" | "caption" => Kind::Caption,
            _ => Kind::Paragraph,
        };
        self.in_pre += usize::from(name == "pre");
    }

    /// Returns true if nothing of an item is there but its number.
    fn is_only_a_number(&self) -> bool {
        let text = self.text.trim();
        text.strip_suffix('.')
            .unwrap_or(text)
            .bytes()
            .all(|byte| byte.is_ascii_digit())
    }

    fn close(&mut self, name: &str) {
        match name {
            "table" => {
                self.end();
                self.tables.pop();
                self.kind = match self.in_data_table() {
                    true => Kind::Table,
                    false => Kind::Paragraph,
                };
            }
            "a" => {
                self.in_links = self.in_links.saturating_sub(1);
                self.end_link();
            }
            _ if self.in_data_table() || !is_block(name) => {}
            _ => {
                // The text of an item that has paragraphs inside is still an item's.
                self.end();
                self.in_pre = self.in_pre.saturating_sub(usize::from(name == "pre"));
                if matches!(name, "ol" | "ul") {
                    self.lists.pop();
                }
            }
        }
    }
}

/// A text with single spaces.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The day of a date and time in ISO 8601.
fn day(text: &str) -> Option<String> {
    let day = text.trim().get(..10)?;
    let mut parts = day.split('-');
    let mut number = |digits: usize| {
        let part = parts.next()?;
        (part.len() == digits).then(|| part.parse::<u16>().ok()).flatten()
    };
    let (_, month, day_of_month) = (number(4)?, number(2)?, number(2)?);
    ((1..=12).contains(&month) && (1..=31).contains(&day_of_month)).then(|| day.to_owned())
}
