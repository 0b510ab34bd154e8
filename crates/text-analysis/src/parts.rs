//! The text of a document in its order, for whoever reads all of it.

use quartet_api::Language;

use crate::analyzer::word_count;
use crate::index::Index;

/// Some sentences of one section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The page on which it begins, from 1.
    pub page: usize,
    /// The heading above it; empty where there is none.
    pub heading: String,
    /// Its sentences; each paragraph is a line.
    pub text: String,
}

impl Index {
    /// The whole text as parts that do not overlap, in its order. A part ends with its section, or with the sentence that gives it
    /// so many words.
    #[must_use]
    pub fn parts(&self, words: usize) -> Vec<Part> {
        let space = match self.language() {
            Language::Japanese | Language::Chinese => "",
            _ => " ",
        };
        let mut parts: Vec<Part> = Vec::new();
        let (mut size, mut before) = (0, None);
        for (number, line) in self.sentences.iter().enumerate() {
            let text = self.line(number).trim();
            let goes_on = before.filter(|(heading, _)| *heading == line.heading && size < words);
            match (parts.last_mut(), goes_on) {
                (Some(part), Some((_, paragraph))) => {
                    part.text
                        .push_str(if paragraph == line.paragraph { space } else { "\n" });
                    part.text.push_str(text);
                }
                _ => {
                    size = 0;
                    parts.push(Part {
                        page: line.page as usize,
                        heading: self.heading(number).to_owned(),
                        text: text.to_owned(),
                    });
                }
            }
            size += word_count(text);
            before = Some((line.heading, line.paragraph));
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Block, Document, Kind, Page};

    #[test]
    fn parts_have_the_whole_text_once_under_their_headings() {
        let block = |kind, text: &str| Block {
            kind,
            text: text.to_owned(),
        };
        let blocks = vec![
            block(Kind::Heading, "Showers"),
            block(
                Kind::Paragraph,
                "One token is needed for five minutes. It costs 50 cents.",
            ),
            block(Kind::Paragraph, "Tokens are sold at the kiosk."),
            block(Kind::Heading, "Dogs"),
            block(Kind::Paragraph, "Dogs stay outside."),
        ];
        let page = Page {
            number: 1,
            blocks,
            ..Page::default()
        };
        let document = Document {
            pages: vec![page],
            ..Document::default()
        };
        let index = Index::build(&document);
        let part = |heading: &str, text: &str| Part {
            page: 1,
            heading: heading.to_owned(),
            text: text.to_owned(),
        };
        let showers = "One token is needed for five minutes. It costs 50 cents.\nTokens are sold at the kiosk.";
        assert_eq!(
            index.parts(80),
            [part("Showers", showers), part("Dogs", "Dogs stay outside.")]
        );
        let short = index.parts(3);
        assert_eq!(short.len(), 4);
        assert_eq!(short[1], part("Showers", "It costs 50 cents."));
    }
}
