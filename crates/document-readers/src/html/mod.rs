//! Web pages as blocks of text: headings, paragraphs, items, tables, program text.
//!
//! The tokens are those of html5ever, as browsers read them; no tree is made of them. A tree would tell little more about
//! text, and deeply nested pages, which strangers can make, cost a builder of trees time that is quadratic in their depth, as do
//! the known methods that find the "main" part of a page by scores: what is no text of the page is told by its elements. The
//! tokenizer is fed piece by piece, and left when the time is up.

mod elements;
mod page;
mod pieces;

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

use self::page::Reader;
pub use self::pieces::{HtmlPage, Piece, Wanted};
use crate::draft::Draft;

/// Bytes between two looks at the clock.
const CHUNK_BYTES: usize = 8 * 1024;

/// Reads a page, as far as there is time.
pub fn read(html: &str, wanted: Wanted, in_time: &dyn Fn() -> bool) -> HtmlPage {
    let tokenizer = Tokenizer::new(Sink(RefCell::new(Reader::new(wanted))), TokenizerOpts::default());
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
    let mut page = tokenizer.sink.0.into_inner().page();
    page.is_cut = !whole;
    page
}

/// Adds the text of a page to a document: headings, blocks and links.
pub(crate) fn add(page: &HtmlPage, draft: &mut Draft<'_>) {
    for piece in &page.pieces {
        match piece.level {
            0 => draft.block(piece.block.kind, &piece.block.text),
            level => draft.heading(level, &piece.block.text),
        }
        for (text, url) in &piece.links {
            draft.link(text, url);
        }
    }
}

/// Takes tokens.
struct Sink(RefCell<Reader>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut reader = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => return reader.begins(&tag),
            Token::TagToken(tag) => reader.ends(&tag.name),
            Token::CharacterTokens(text) => reader.text(&text),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

#[cfg(test)]
mod tests {
    use quartet_text_analysis::Kind;

    use super::*;

    fn everything(html: &str) -> HtmlPage {
        read(html, Wanted::Everything, &|| true)
    }

    fn texts(page: &HtmlPage) -> Vec<(Kind, &str)> {
        page.pieces
            .iter()
            .map(|piece| (piece.block.kind, piece.block.text.as_str()))
            .collect()
    }

    #[test]
    fn documents_keep_headers_links_numbers_and_line_breaks() {
        let page = everything(
            "<html lang=de><head><title>A</title><meta name=author content='B C'></head><body><header><h1>Title</h1></header>
             <h3>Part</h3><p>One <a href='https://a.example/?x=1&amp;y'>two\n three</a>.<br>Next line.</p>
             <ol start=3><li>First<li>Second<ul><li>Inner</ul></ol><nav>Menu</nav><script>no</script>",
        );
        assert_eq!(
            (page.language.as_deref(), page.author.as_deref()),
            (Some("de"), Some("B C"))
        );
        assert_eq!(
            texts(&page),
            [
                (Kind::Heading, "Title"),
                (Kind::Heading, "Part"),
                (Kind::Paragraph, "One two three.\nNext line."),
                (Kind::ListItem, "3. First"),
                (Kind::ListItem, "4. Second"),
                (Kind::ListItem, "Inner"),
            ]
        );
        assert_eq!((page.pieces[0].level, page.pieces[1].level), (1, 3));
        let link = ("two three".to_owned(), "https://a.example/?x=1&y".to_owned());
        assert_eq!(page.pieces[2].links, [link]);
    }

    #[test]
    fn tables_that_arrange_a_page_are_no_tables() {
        let page = everything(
            "<table><tr><td>Left<td><table><tr><th>Bird<th>Length<tr><td>Swift<td>17 cm</table>After</table>
             <table><tr><td>One cell.</td></tr></table>",
        );
        assert_eq!(
            texts(&page),
            [
                (Kind::Paragraph, "Left"),
                (Kind::Table, "Bird\tLength\nSwift\t17 cm"),
                (Kind::Paragraph, "After"),
                (Kind::Paragraph, "One cell."),
            ]
        );
    }
}
