//! Markdown (CommonMark with tables), by the parser `pulldown-cmark`.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options as Dialect, Parser, Tag, TagEnd};
use quartet_text_analysis::{Document, Kind};

use crate::draft::{Draft, rows};
use crate::html::{self, Wanted};
use crate::options::Options;

/// Reads a text.
pub fn read(text: &str, options: &Options<'_>) -> Document {
    let dialect = Dialect::ENABLE_TABLES
        | Dialect::ENABLE_FOOTNOTES
        | Dialect::ENABLE_STRIKETHROUGH
        | Dialect::ENABLE_TASKLISTS
        | Dialect::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut reader = Reader::new(options);
    for event in Parser::new_ext(text, dialect) {
        reader.take(event);
        if reader.draft.is_full() {
            break;
        }
    }
    reader.end();
    reader.draft.finish(0)
}

struct Reader<'o> {
    draft: Draft<'o>,
    options: &'o Options<'o>,
    text: String,
    kind: Kind,
    level: u8,
    /// Open lists, each with the number of its next item where it counts them.
    lists: Vec<Option<u64>>,
    rows: Vec<Vec<String>>,
    row: Vec<String>,
    links: Vec<(String, String)>,
    /// Open links, with their addresses and where their texts begin.
    open_links: Vec<(String, usize)>,
    in_metadata: bool,
    html: String,
}

impl<'o> Reader<'o> {
    fn new(options: &'o Options<'o>) -> Self {
        Self {
            draft: Draft::new(options),
            options,
            text: String::new(),
            kind: Kind::Paragraph,
            level: 0,
            lists: Vec::new(),
            rows: Vec::new(),
            row: Vec::new(),
            links: Vec::new(),
            open_links: Vec::new(),
            in_metadata: false,
            html: String::new(),
        }
    }

    /// Ends a block.
    fn end(&mut self) {
        let text = std::mem::take(&mut self.text);
        match std::mem::take(&mut self.level) {
            0 => self.draft.block(self.kind, &text),
            level => self.draft.heading(level, &text),
        }
        for (text, url) in std::mem::take(&mut self.links) {
            self.draft.link(&text, &url);
        }
        self.kind = Kind::Paragraph;
    }

    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.begins(tag),
            Event::End(tag) => self.ends(tag),
            Event::Text(text) if self.in_metadata => metadata(&text, &mut self.draft),
            Event::Text(text) | Event::Code(text) => self.text.push_str(&text),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text.push_str(&text),
            // A line of a file is not a line of a paragraph.
            Event::SoftBreak => self.text.push(' '),
            Event::HardBreak => self.text.push('\n'),
            Event::FootnoteReference(name) => self.text.push_str(&format!("[{name}]")),
            Event::TaskListMarker(done) => self.text.push_str(if done { "[x] " } else { "[ ] " }),
            Event::Html(markup) => self.html.push_str(&markup),
            // Elements inside a line mark up its text, which comes as text.
            Event::InlineHtml(markup) => {
                if markup.starts_with("<br") {
                    self.text.push('\n');
                }
            }
            Event::Rule => {}
        }
    }

    fn begins(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.end();
                self.level = match level {
                    HeadingLevel::H1 => 1,
                    HeadingLevel::H2 => 2,
                    HeadingLevel::H3 => 3,
                    HeadingLevel::H4 => 4,
                    HeadingLevel::H5 => 5,
                    HeadingLevel::H6 => 6,
                };
                self.kind = Kind::Heading;
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => {
                self.end();
                self.kind = Kind::Code;
            }
            Tag::List(first) => {
                self.end();
                self.lists.push(first);
            }
            Tag::Item => {
                self.end();
                self.kind = Kind::ListItem;
                if let Some(Some(number)) = self.lists.last_mut() {
                    self.text = format!("{number}. ");
                    *number += 1;
                }
            }
            // The first paragraph of an item or a note is the text of it.
            Tag::Paragraph if matches!(self.kind, Kind::ListItem | Kind::Footnote) => {}
            Tag::Paragraph | Tag::BlockQuote(_) | Tag::Table(_) => self.end(),
            Tag::FootnoteDefinition(name) => {
                self.end();
                self.kind = Kind::Footnote;
                self.text = format!("[{name}] ");
            }
            Tag::Link { dest_url, .. } => self.open_links.push((dest_url.into_string(), self.text.len())),
            Tag::MetadataBlock(_) => self.in_metadata = true,
            _ => {}
        }
    }

    fn ends(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::Item | TagEnd::FootnoteDefinition => {
                self.end();
            }
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::Link => {
                if let Some((url, from)) = self.open_links.pop()
                    && let Some(text) = self.text.get(from..)
                {
                    self.links.push((text.to_owned(), url));
                }
            }
            TagEnd::TableCell => self.row.push(std::mem::take(&mut self.text)),
            TagEnd::TableHead | TagEnd::TableRow => self.rows.push(std::mem::take(&mut self.row)),
            TagEnd::Table => {
                let table = std::mem::take(&mut self.rows);
                self.text = rows(&table);
                self.kind = Kind::Table;
                self.end();
            }
            TagEnd::MetadataBlock(_) => self.in_metadata = false,
            TagEnd::HtmlBlock => {
                let markup = std::mem::take(&mut self.html);
                let page = html::read(&markup, Wanted::Everything, self.options.time_left);
                html::add(&page, &mut self.draft);
            }
            _ => {}
        }
    }
}

/// Takes title, author and date of a block of YAML, where they stand on a line of their own.
fn metadata(yaml: &str, draft: &mut Draft<'_>) {
    for line in yaml.lines() {
        let Some((name, value)) = line.split_once(':') else {
            continue;
        };
        let value = value.trim().trim_matches(['"', '\'']);
        if value.is_empty() || value.starts_with(['[', '{', '|', '>']) {
            continue;
        }
        let metadata = draft.metadata();
        let field = match name {
            "title" => &mut metadata.title,
            "author" => &mut metadata.author,
            "date" => &mut metadata.created,
            "lang" | "language" => &mut metadata.language,
            _ => continue,
        };
        field.get_or_insert_with(|| value.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_blocks() {
        let document = read(
            "---\ntitle: \"The mill\"\nauthor: Reed\n---\n# Mills\n\nThey *grind*\nwheat, see [the\nriver](https://a.example).\n\n\
             2. Two\n3. Three\n   - Inner\n\n```rust\nlet x = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | **2** |\n\n\
             <details><p>More</p></details>\n\nLast[^1].\n\n[^1]: A note.\n",
            &Options::default(),
        );
        let blocks: Vec<_> = document.pages[0]
            .blocks
            .iter()
            .map(|block| (block.kind, block.text.as_str()))
            .collect();
        assert_eq!(
            blocks,
            [
                (Kind::Heading, "Mills"),
                (Kind::Paragraph, "They grind wheat, see the river."),
                (Kind::ListItem, "2. Two"),
                (Kind::ListItem, "3. Three"),
                (Kind::ListItem, "Inner"),
                (Kind::Code, "let x = 1;"),
                (Kind::Table, "a\tb\n1\t2"),
                (Kind::Paragraph, "More"),
                (Kind::Paragraph, "Last[1]."),
                (Kind::Footnote, "[1] A note."),
            ]
        );
        assert_eq!(document.metadata.title.as_deref(), Some("The mill"));
        assert_eq!(document.outline[0].title, "Mills");
        let link = &document.pages[0].links[0];
        assert_eq!(
            (link.text.as_str(), link.url.as_deref()),
            ("the river", Some("https://a.example"))
        );
    }
}
