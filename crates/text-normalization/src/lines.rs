//! The lines of a text of any size, long ones in pieces, so that nothing later needs memory for more than a piece.

use unicode_segmentation::{GraphemeCursor, GraphemeIncomplete};

/// The greatest length of a piece.
const MAX_PIECE_BYTES: usize = 3_000;

/// The end of a piece of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// More of the same line.
    Continues,
    /// A line break, or the end of the text.
    Break,
    /// A character that ends paragraphs: form feed, vertical tab, U+2029.
    Paragraph,
}

/// The lines of a text; see [`LineEnd`].
#[derive(Debug, Clone)]
pub(super) struct Lines<'a> {
    rest: &'a str,
}

impl<'a> Lines<'a> {
    /// All lines of `text`.
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (&'a str, LineEnd);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let window = &self.rest[..self.rest.floor_char_boundary(MAX_PIECE_BYTES)];
        let breaks = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
        if let Some((at, found)) = window.char_indices().find(|(_, c)| breaks.contains(c)) {
            let line = &window[..at];
            self.rest = &self.rest[at + found.len_utf8()..];
            if found == '\r' {
                self.rest = self.rest.strip_prefix('\n').unwrap_or(self.rest);
            }
            let end = match found {
                '\u{b}' | '\u{c}' | '\u{2029}' => LineEnd::Paragraph,
                _ => LineEnd::Break,
            };
            return Some((line, end));
        }
        if window.len() == self.rest.len() {
            self.rest = "";
            return Some((window, LineEnd::Break));
        }
        let cut = cut(window);
        let (piece, rest) = self.rest.split_at(cut);
        self.rest = rest;
        Some((piece, LineEnd::Continues))
    }
}

/// The best place to cut a full window: after a sentence, after a clause, at a space, between graphemes.
fn cut(window: &str) -> usize {
    let half = window.len() / 3;
    let after = |marks: &[char], spaced: bool| {
        window
            .char_indices()
            .rev()
            .take_while(|(at, _)| *at > half)
            .find(|(at, c)| marks.contains(c) && (!spaced || window[at + c.len_utf8()..].starts_with(' ')))
            .map(|(at, c)| at + c.len_utf8())
    };
    after(&['.', '!', '?'], true)
        .or_else(|| after(&['。', '！', '？', '।', '؟', '…'], false))
        .or_else(|| after(&[',', ';', ':', '،'], true))
        .or_else(|| after(&['、', '，', '；'], false))
        .or_else(|| after(&[' '], false))
        .unwrap_or_else(|| grapheme_boundary(window))
}

/// The last grapheme boundary inside `window`; its end if there is none, as in a heap of combining marks.
pub(super) fn grapheme_boundary(window: &str) -> usize {
    let mut cursor = GraphemeCursor::new(window.len(), window.len(), true);
    let before: Result<Option<usize>, GraphemeIncomplete> = cursor.prev_boundary(window, 0);
    match before {
        Ok(Some(at)) if at > window.len() / 2 => at,
        _ => window.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_break() {
        let found: Vec<_> = Lines::new("a\nb\r\nc\rd\u{2029}e").collect();
        let ends: Vec<_> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(ends, ["a", "b", "c", "d", "e"]);
        assert_eq!(found[3].1, LineEnd::Paragraph);
    }

    #[test]
    fn nothing_is_lost_in_pieces() {
        for text in [
            "x".repeat(10_000),
            "wörter ".repeat(2_000),
            "漢字".repeat(5_000),
            "\u{301}".repeat(5_000),
        ] {
            let joined: String = Lines::new(&text).map(|(piece, _)| piece).collect();
            assert_eq!(joined, text);
            assert!(Lines::new(&text).all(|(piece, _)| piece.len() <= MAX_PIECE_BYTES));
        }
    }
}
