//! What an answer from the web stands on: passages of the pages, and sentences that answer by themselves.

mod instructions;

#[cfg(test)]
mod tests;

use quartet_grounding::{Passage, tokens};
use quartet_text_analysis::Index;
use quartet_text_analysis::{Block, Document, Kind, Metadata, Page};

use crate::search::Source;

/// Passages that are shown to the model, at most.
const PASSAGES: usize = 6;
/// Text of one page that is looked through, in bytes.
const PAGE: usize = 200 * 1024;

/// Sentences of the pages that answer a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Extract {
    /// The sentences with their pages.
    pub passages: Vec<Passage>,
    /// Whether they answer it, rather than being the nearest that there is.
    pub answers: bool,
}

/// Pages, ready to be asked.
pub struct Evidence {
    index: Index,
    /// Sentences that were left out because they speak to whoever reads by machine.
    pub left_out: usize,
}

impl Evidence {
    /// Of what was found.
    #[must_use]
    pub fn new(sources: &[Source]) -> Self {
        let mut left_out = 0;
        let pages = sources.iter().enumerate().map(|(index, source)| {
            let title = Block {
                kind: Kind::Heading,
                text: source.title.clone(),
            };
            let mut size = 0;
            let blocks = std::iter::once(&title).chain(&source.blocks).take_while(|block| {
                size += block.text.len();
                size <= PAGE
            });
            let blocks = blocks.map(|block| instructions::without(block, &mut left_out));
            Page {
                number: index + 1,
                blocks: blocks.filter(|block| !block.text.trim().is_empty()).collect(),
                ..Page::default()
            }
        });
        let pages: Vec<_> = pages.collect();
        let document = Document {
            metadata: Metadata {
                page_count: pages.len(),
                ..Metadata::default()
            },
            pages,
            ..Document::default()
        };
        Self {
            index: Index::build(&document),
            left_out,
        }
    }

    /// The passages that are nearest to a question, best first, of together at most `most` tokens or so.
    #[must_use]
    pub fn passages(&self, question: &str, most: usize) -> Vec<Passage> {
        let mut size = 0;
        let found = self.index.passages(question, PASSAGES).into_iter();
        let passages = found.map(|citation| Passage {
            source: citation.page.saturating_sub(1),
            text: citation.quote,
        });
        passages
            .take_while(|passage| {
                size += tokens(&passage.text);
                // The best one is shown even where it is long.
                size <= most || size == tokens(&passage.text)
            })
            .collect()
    }

    /// The sentences that answer a question by themselves, else the passage that is nearest to it.
    #[must_use]
    pub fn extract(&self, question: &str, before: Option<&str>) -> Option<Extract> {
        let answer = self.index.answer(question, before);
        let mut passages: Vec<Passage> = Vec::new();
        for citation in answer.citations {
            let passage = Passage {
                source: citation.page.saturating_sub(1),
                text: citation.quote,
            };
            if !passages.contains(&passage) {
                passages.push(passage);
            }
        }
        if answer.found && !passages.is_empty() {
            passages.truncate(3);
            return Some(Extract {
                passages,
                answers: true,
            });
        }
        let nearest = self.passages(question, usize::MAX).into_iter().next()?;
        Some(Extract {
            passages: vec![nearest],
            answers: false,
        })
    }
}
