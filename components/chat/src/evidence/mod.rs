//! Evidence for answers from the web: passages of the pages, and sentences that answer by themselves.

mod prompt_injection;

#[cfg(test)]
mod tests;

use quartet_grounding::{Passage, estimate_tokens};
use quartet_text_analysis::Index;
use quartet_text_analysis::{Block, Document, Kind, Metadata, Page};

use crate::search::Source;

/// Limit for the passages that are shown to the model.
const MAX_PASSAGES: usize = 6;
/// Limit for the passages of an extract that answers.
const MAX_EXTRACT_PASSAGES: usize = 3;
/// Limit in bytes for the text of one page that is searched.
const MAX_PAGE_BYTES: usize = 200 * 1024;

/// Sentences of the pages that answer a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Extract {
    /// The sentences with their pages.
    pub passages: Vec<Passage>,
    /// True if they answer it, false if they are merely the nearest.
    pub answers: bool,
}

/// An index of pages.
pub struct Evidence {
    index: Index,
    /// The number of sentences that were left out because they address a language model.
    pub left_out: usize,
}

impl Evidence {
    /// Indexes the pages that were found.
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
                size <= MAX_PAGE_BYTES
            });
            let blocks = blocks.map(|block| prompt_injection::remove(block, &mut left_out));
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
        let found = self.index.passages(question, MAX_PASSAGES).into_iter();
        let passages = found.map(|citation| Passage {
            source: citation.page.saturating_sub(1),
            text: citation.quote,
        });
        passages
            .take_while(|passage| {
                size += estimate_tokens(&passage.text);
                // The best one is shown even where it is long.
                size <= most || size == estimate_tokens(&passage.text)
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
            passages.truncate(MAX_EXTRACT_PASSAGES);
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
