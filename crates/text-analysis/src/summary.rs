//! A summary made of the document's own sentences, each with its page.
//!
//! What is chosen is central among the sentences (see `graph`), stands where authors say what they write about (Edmundson,
//! "New Methods in Automatic Extracting", 1969: title words, headings, position), and repeats nothing that was chosen before
//! (Carbonell and Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering Documents and Producing Summaries",
//! 1998). What cannot be read without its surroundings is not chosen.

use quartet_api::Language;
use quartet_lang_detect::{Writing, writing};

use crate::candidates::Candidates;
use crate::document::Document;
use crate::phrases::key_phrases;
use crate::prose::Prose;
use crate::title::title;
use crate::words::Words;

/// What a summary shall be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// At most so many words; two Chinese or Japanese characters count as one.
    pub words: usize,
    /// At most so many sentences.
    pub sentences: usize,
    /// At most so many key points.
    pub key_points: usize,
    /// At most so many key phrases.
    pub key_phrases: usize,
}

impl Default for Bounds {
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
    /// What the document is called, if it can be told.
    pub title: Option<String>,
    /// The language of the document and so of the summary.
    pub language: Language,
    /// The sentences in the order of the document.
    pub sentences: Vec<Extract>,
    /// What the main sections say, or further sentences of a document without sections; none of them is in the summary.
    pub key_points: Vec<Extract>,
    /// What the document speaks of.
    pub key_phrases: Vec<String>,
}

/// A sentence of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extract {
    /// As it stands there, in one line.
    pub text: String,
    /// The page that it begins on, from 1.
    pub page: usize,
    /// The heading that it stands below, without its number.
    pub section: Option<String>,
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
pub fn summarize(document: &Document, bounds: Bounds) -> Summary {
    let prose = Prose::of(document);
    summarize_prose(document, &prose, bounds)
}

/// The same for a document whose text is already found.
#[must_use]
pub fn summarize_prose(document: &Document, prose: &Prose, bounds: Bounds) -> Summary {
    let words = Words::new(prose.language);
    let title = title(document, prose);
    let candidates = Candidates::new(prose, &words, title.as_deref());
    let chosen = candidates.choose(bounds.words, bounds.sentences, &[], |_| true);
    let key_points = candidates.key_points(bounds.key_points, &chosen);
    let extracts = |picked: &[usize]| picked.iter().map(|index| candidates.extract(*index)).collect();
    Summary {
        sentences: extracts(&chosen),
        key_points: extracts(&key_points),
        key_phrases: key_phrases(prose, &words, bounds.key_phrases),
        language: prose.language,
        title,
    }
}

/// Sentences that say what the whole is about: the best ones of its beginning.
pub(super) fn about(document: &Document, prose: &Prose, words: usize, sentences: usize) -> Vec<Extract> {
    let title = title(document, prose);
    let candidates = Candidates::new(prose, &Words::new(prose.language), title.as_deref());
    let beginning = (candidates.places.len() / 8).max(10);
    let chosen = candidates.choose(words, sentences, &[], |index| index < beginning);
    chosen.into_iter().map(|index| candidates.extract(index)).collect()
}

/// How long a text is, in words; two characters of scripts without spaces count as one.
#[must_use]
pub fn length(text: &str) -> usize {
    let solid = text
        .chars()
        .filter(|c| matches!(writing(*c), Writing::Han | Writing::Kana))
        .count();
    let spaced = text
        .split_whitespace()
        .filter(|word| {
            word.chars()
                .any(|c| c.is_alphanumeric() && !matches!(writing(c), Writing::Han | Writing::Kana))
        })
        .count();
    spaced + solid.div_ceil(2)
}
