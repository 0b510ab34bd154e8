//! A summary made of the document's own sentences, each with its page.
//!
//! The chosen sentences are central (see `graph`), stand where authors say what they write about (Edmundson, "New
//! Methods in Automatic Extracting", 1969: title words, headings, position), and repeat nothing that was chosen before
//! (Carbonell and Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering Documents and Producing
//! Summaries", 1998). Sentences that cannot be read without their surroundings are not chosen.

use quartet_api::Language;

use crate::analyzer::Analyzer;
use crate::candidates::{Candidates, Extract};
use crate::document::Document;
use crate::key_phrases::key_phrases;
use crate::prose::Prose;
use crate::title::title;

/// Upper limits for the parts of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SummaryLimits {
    /// Words; two Chinese or Japanese characters count as one.
    pub words: usize,
    /// Sentences.
    pub sentences: usize,
    /// Key points.
    pub key_points: usize,
    /// Key phrases.
    pub key_phrases: usize,
}

impl Default for SummaryLimits {
    fn default() -> Self {
        Self {
            words: 150,
            sentences: 7,
            key_points: 7,
            key_phrases: 8,
        }
    }
}

/// A summary.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The title of the document, if one was found.
    pub title: Option<String>,
    /// The language of the document and so of the summary.
    pub language: Language,
    /// The sentences in the order of the document.
    pub sentences: Vec<Extract>,
    /// One sentence of each main section, or further sentences of a document without sections; none is in the summary.
    pub key_points: Vec<Extract>,
    /// Key phrases of the document.
    pub key_phrases: Vec<String>,
}

impl Summary {
    /// The sentences as one text.
    #[must_use]
    pub fn text(&self) -> String {
        let space = if matches!(self.language, Language::Japanese | Language::Chinese) {
            ""
        } else {
            " "
        };
        self.sentences
            .iter()
            .map(|extract| extract.text.as_str())
            .collect::<Vec<_>>()
            .join(space)
    }
}

/// Summarises `document`. A document without sentences gets a summary without any.
#[must_use]
pub fn summarize(document: &Document, bounds: SummaryLimits) -> Summary {
    let prose = Prose::of(document);
    summarize_prose(document, &prose, bounds)
}

/// Summarises a document whose running text is already found.
#[must_use]
pub fn summarize_prose(document: &Document, prose: &Prose, bounds: SummaryLimits) -> Summary {
    let analyzer = Analyzer::new(prose.language);
    let title = title(document, prose);
    let candidates = Candidates::new(prose, &analyzer, title.as_deref());
    let chosen = candidates.choose(bounds.words, bounds.sentences, &[], |_| true);
    let key_points = candidates.key_points(bounds.key_points, &chosen);
    let extracts = |picked: &[usize]| picked.iter().map(|index| candidates.extract(*index)).collect();
    Summary {
        sentences: extracts(&chosen),
        key_points: extracts(&key_points),
        key_phrases: key_phrases(prose, &analyzer, bounds.key_phrases),
        language: prose.language,
        title,
    }
}

/// The best sentences of the document's beginning, which tell its subject.
pub(super) fn about(document: &Document, prose: &Prose, words: usize, sentences: usize) -> Vec<Extract> {
    let title = title(document, prose);
    let candidates = Candidates::new(prose, &Analyzer::new(prose.language), title.as_deref());
    let beginning = (candidates.places.len() / 8).max(10);
    let chosen = candidates.choose(words, sentences, &[], |index| index < beginning);
    chosen.into_iter().map(|index| candidates.extract(index)).collect()
}
