//! What an answer from the web stands on: passages of the pages, sentences that answer by themselves, and whether a sentence
//! that a model wrote is borne out by them.

mod instructions;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use quartet_api::Language;
use quartet_document::Index;
use quartet_document::words::Words;
use quartet_document::{Block, Document, Kind, Metadata, Page};

use crate::search::Source;

/// Passages that are shown to the model, at most.
const PASSAGES: usize = 6;
/// Of the words of a sentence that say something, so many must stand in the sources.
const SHARE: f32 = 0.7;
/// Text of one page that is looked through, in bytes.
const PAGE: usize = 200 * 1024;

/// A piece of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The page, from 0.
    pub source: usize,
    /// As it stands there.
    pub text: String,
}

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

/// About how many tokens a text has for a model.
#[must_use]
pub fn tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let other = text.chars().filter(|c| !c.is_ascii()).count();
    ascii / 4 + other * 4 / 5 + 1
}

/// What sentences of an answer are held against: the words, numbers and names of passages and of the question.
pub struct Support {
    words: Words,
    language: Language,
    /// Of each passage: its source, its terms, its numbers, its text in lower case.
    passages: Vec<(usize, HashSet<String>, HashSet<String>, String)>,
    asked: (HashSet<String>, HashSet<String>, String),
}

impl Support {
    /// For an answer in `language` to a question, from passages.
    #[must_use]
    pub fn new(passages: &[Passage], question: &str, language: Language) -> Self {
        let words = Words::new(language);
        let of = |text: &str| {
            (
                words.content(text).collect::<HashSet<_>>(),
                numbers(text).collect::<HashSet<_>>(),
                text.to_lowercase(),
            )
        };
        let passages = passages.iter().map(|passage| {
            let (terms, numbers, text) = of(&passage.text);
            (passage.source, terms, numbers, text)
        });
        Self {
            passages: passages.collect(),
            asked: of(question),
            words,
            language,
        }
    }

    /// The source that bears a sentence out: one that has nearly all of its words, and every number and name in it. Nothing
    /// where none does, or where the sentence says nothing.
    #[must_use]
    pub fn source(&self, sentence: &str) -> Option<usize> {
        let terms: HashSet<String> = self.words.content(sentence).collect();
        let (asked, asked_numbers, asked_text) = &self.asked;
        // What only repeats the question is no answer.
        if terms.is_subset(asked) {
            return None;
        }
        let best = self.passages.iter().filter_map(|(source, known, numbers, text)| {
            let bare = sentence.to_lowercase();
            let shared = terms
                .iter()
                .filter(|term| known.contains(*term) || asked.contains(*term))
                .count();
            let share = shared as f32 / terms.len() as f32;
            let of_numbers =
                self::numbers(sentence).all(|number| numbers.contains(&number) || asked_numbers.contains(&number));
            let of_names =
                names(sentence, self.language).all(|name| text.contains(&name) || asked_text.contains(&name));
            let new = terms.iter().any(|term| known.contains(term) && !asked.contains(term)) || text.contains(&bare);
            (share >= SHARE && of_numbers && of_names && new).then_some((*source, share))
        });
        best.max_by(|one, other| one.1.total_cmp(&other.1))
            .map(|(source, _)| source)
    }
}

/// The numbers in a text, without what groups their digits; not those of references in brackets.
pub fn numbers(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !(c.is_numeric() || matches!(c, '.' | ',' | '\u{a0}' | '\u{202f}')))
        .map(|number| number.chars().filter(|c| c.is_numeric()).collect::<String>())
        .filter(|number| !number.is_empty())
}

/// Words with a capital letter inside of a sentence, in lower case; not in German, where all nouns have one, and not the first
/// word.
fn names(sentence: &str, language: Language) -> impl Iterator<Item = String> {
    sentence
        .split_whitespace()
        .skip(1)
        .filter(move |_| language != Language::German)
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| word.chars().next().is_some_and(char::is_uppercase) && word.chars().count() > 1)
        .map(|word| word.trim_end_matches("'s").trim_end_matches("’s").to_lowercase())
}
