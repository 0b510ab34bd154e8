//! The search index of a document: kept between its reading and the questions about it.
//!
//! The unit of search is a passage: some sentences of one section, each passage beginning with the last sentence of the
//! one before. The occurrences of terms are kept as differences, so that an index is smaller than the text and quick to
//! load: nothing is computed then.

use std::collections::HashMap;

use flate2::Compression;
use quartet_api::Language;
use serde::{Deserialize, Serialize};

use crate::analyzer::{Analyzer, word_count};
use crate::document::{Document, Kind};
use crate::overview::Overview;
use crate::prose::Prose;
use crate::sections::{Role, Section, without_number};
use crate::serialization::{DecodeError, pack, unpack};
use crate::summary::about;
use crate::title::title;

/// The first byte of a serialized index: the version of its layout.
const LAYOUT_VERSION: u8 = 3;
/// Limit in bytes for the text of a document that is kept and searched. [`Index::is_truncated`] tells when it was
/// reached.
pub const MAX_TEXT_BYTES: usize = 4 << 20;
/// A passage ends when it has this many words, or this many sentences.
const MAX_PASSAGE_WORDS: usize = 100;
const MAX_PASSAGE_SENTENCES: usize = 5;
/// Weights of a term in the text, in the heading above it, and in the heading above that one.
const TEXT_WEIGHT: u32 = 2;
const HEADING_WEIGHT: u32 = 4;
const PARENT_HEADING_WEIGHT: u32 = 1;

/// An inverted index of a document, to answer questions about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Index {
    pub(super) language: String,
    pub(super) facts: Facts,
    pub(super) overview: Overview,
    pub(super) truncated: bool,
    /// All sentences, without anything between them.
    pub(super) text: String,
    pub(super) sentences: Vec<Line>,
    pub(super) headings: Vec<String>,
    pub(super) passages: Vec<Passage>,
    /// The sum of the passages' lengths.
    pub(super) total: u64,
    /// The terms in the order of their bytes, each with a line end after it.
    pub(super) vocabulary: String,
    /// The start of each term in the vocabulary.
    pub(super) terms: Vec<u32>,
    /// The start of each term's postings.
    pub(super) starts: Vec<u32>,
    /// The passages of each term, as differences, each with its count, in LEB128.
    pub(super) postings: Vec<u8>,
}

/// Metadata of the document as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Facts {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    pub(super) created: Option<String>,
    pub(super) modified: Option<String>,
    pub(super) pages: usize,
    /// Sentences that tell its subject, with their pages.
    pub(super) about: Vec<(String, usize)>,
}

/// A sentence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Line {
    /// Its end in the text; it begins at the end of the one before.
    pub(super) end: u32,
    pub(super) page: u32,
    /// The heading above it.
    pub(super) heading: u32,
    /// Counts paragraphs.
    pub(super) paragraph: u32,
    /// True for running text and items of lists.
    pub(super) prose: bool,
    /// True for items of lists.
    pub(super) item: bool,
}

/// Some sentences of one section.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Passage {
    pub(super) first: u32,
    pub(super) count: u32,
    /// Its length in terms.
    pub(super) length: u32,
}

impl Index {
    /// Indexes a document.
    #[must_use]
    pub fn build(document: &Document) -> Self {
        let prose = Prose::of(document);
        let analyzer = Analyzer::new(prose.language);
        let about = about(document, &prose, 80, 2);
        let metadata = &document.metadata;
        let mut index = Self {
            language: prose.language.code().to_owned(),
            facts: Facts {
                title: title(document, &prose),
                author: metadata.author.clone().filter(|author| is_name(author)),
                created: metadata.created.clone(),
                modified: metadata.modified.clone(),
                pages: metadata.page_count.max(document.pages.len()),
                about: about.into_iter().map(|extract| (extract.text, extract.page)).collect(),
            },
            overview: Overview::of(document, &prose),
            truncated: prose.truncated || document.truncated,
            text: String::new(),
            sentences: Vec::new(),
            headings: prose
                .sections
                .iter()
                .map(|section| without_number(&section.title).to_owned())
                .collect(),
            passages: Vec::new(),
            total: 0,
            vocabulary: String::new(),
            terms: Vec::new(),
            starts: Vec::new(),
            postings: Vec::new(),
        };
        let kept = index.keep(&prose);
        index.split_passages(&prose, &kept);
        index.count(&prose, &analyzer);
        index
    }

    /// The language of the document.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language.parse().unwrap_or(Language::English)
    }

    /// Overview of the document.
    #[must_use]
    pub fn overview(&self) -> &Overview {
        &self.overview
    }

    /// Author and title as the file's metadata has them, as far as they are sensible.
    #[must_use]
    pub fn metadata(&self) -> (Option<&str>, Option<&str>) {
        (self.facts.author.as_deref(), self.facts.title.as_deref())
    }

    /// Returns true if something of the document is not in it.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// Serializes the index.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        pack(LAYOUT_VERSION, self, Compression::new(5))
    }

    /// Deserializes an index.
    ///
    /// # Errors
    /// When the bytes are no index, or one of another layout.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let index: Self = unpack(LAYOUT_VERSION, bytes)?;
        index.is_sound().then_some(index).ok_or(DecodeError)
    }

    /// Returns true if all numbers point into the index.
    fn is_sound(&self) -> bool {
        let mut end = 0;
        let sentences = self.sentences.iter().all(|line| {
            let sound = line.end as usize >= end
                && self.text.is_char_boundary(line.end as usize)
                && (line.heading as usize) < self.headings.len();
            end = line.end as usize;
            sound
        });
        let passages = self
            .passages
            .iter()
            .all(|passage| (passage.first as usize).saturating_add(passage.count as usize) <= self.sentences.len());
        let terms = self.terms.len() == self.starts.len()
            && self
                .terms
                .iter()
                .all(|start| self.vocabulary.is_char_boundary(*start as usize))
            && self.terms.is_sorted()
            && self
                .terms
                .last()
                .is_none_or(|last| (*last as usize) < self.vocabulary.len())
            && self
                .starts
                .iter()
                .all(|start| (*start as usize) < self.postings.len().max(1));
        sentences && passages && terms
    }

    /// Keeps the sentences that can be asked for, and returns their positions in the prose.
    fn keep(&mut self, prose: &Prose) -> Vec<usize> {
        let is_list = |place: &usize| prose.sections[prose.sentences[*place].section].role == Role::List;
        let lists = (0..prose.sentences.len()).filter(is_list).count();
        // When most of it is a list, the list is what it has to say.
        let whole = lists * 2 > prose.sentences.len();
        let mut kept = Vec::new();
        for (place, sentence) in prose.sentences.iter().enumerate() {
            if !whole && is_list(&place) {
                continue;
            }
            if self.text.len() + sentence.text.len() > MAX_TEXT_BYTES {
                self.truncated = true;
                break;
            }
            self.text.push_str(&sentence.text);
            self.sentences.push(Line {
                end: number(self.text.len()),
                page: number(sentence.page),
                heading: number(sentence.section),
                paragraph: number(sentence.paragraph),
                prose: matches!(sentence.kind, Kind::Paragraph | Kind::ListItem),
                item: sentence.kind == Kind::ListItem,
            });
            kept.push(place);
        }
        kept
    }

    /// Splits the sentences into passages.
    fn split_passages(&mut self, prose: &Prose, kept: &[usize]) {
        let mut first = 0;
        while first < kept.len() {
            let section = prose.sentences[kept[first]].section;
            let mut size = 0;
            let mut last = first;
            for (place, index) in kept.iter().enumerate().skip(first) {
                let sentence = &prose.sentences[*index];
                if sentence.section != section
                    || (place > first && (size >= MAX_PASSAGE_WORDS || place - first >= MAX_PASSAGE_SENTENCES))
                {
                    break;
                }
                size += word_count(&sentence.text);
                last = place;
            }
            self.passages.push(Passage {
                first: number(first),
                count: number(last + 1 - first),
                length: 0,
            });
            let goes_on = kept
                .get(last + 1)
                .is_some_and(|next| prose.sentences[*next].section == section);
            first = if goes_on && last > first { last } else { last + 1 };
        }
    }

    /// Counts the terms of the passages.
    fn count(&mut self, prose: &Prose, analyzer: &Analyzer) {
        let headings: Vec<Vec<String>> = (0..prose.sections.len())
            .map(|section| {
                analyzer
                    .content(without_number(&prose.sections[section].title))
                    .collect()
            })
            .collect();
        let said: Vec<Vec<String>> = (0..self.sentences.len())
            .map(|line| analyzer.content(self.line(line)).collect())
            .collect();
        let mut occurrences: HashMap<&str, Vec<(u32, u32)>> = HashMap::new();
        let parents = parents(&prose.sections);
        for passage in 0..self.passages.len() {
            let Passage { first, count, .. } = self.passages[passage];
            let mut counts: HashMap<&str, u32> = HashMap::new();
            let mut length = 0;
            for terms in &said[first as usize..(first + count) as usize] {
                for term in terms {
                    *counts.entry(term).or_default() += TEXT_WEIGHT;
                    length += 1;
                }
            }
            let section = self.sentences[first as usize].heading as usize;
            for term in &headings[section] {
                *counts.entry(term).or_default() += HEADING_WEIGHT;
            }
            if let Some(parent) = parents[section] {
                for term in &headings[parent] {
                    *counts.entry(term).or_default() += PARENT_HEADING_WEIGHT;
                }
            }
            self.passages[passage].length = length;
            self.total += u64::from(length);
            for (term, count) in counts {
                occurrences.entry(term).or_default().push((number(passage), count));
            }
        }
        let mut terms: Vec<(&str, Vec<(u32, u32)>)> = occurrences.into_iter().collect();
        terms.sort_unstable_by_key(|(term, _)| *term);
        for (term, occurrences) in terms {
            self.terms.push(number(self.vocabulary.len()));
            self.vocabulary.push_str(term);
            self.vocabulary.push('\n');
            self.starts.push(number(self.postings.len()));
            let mut last = 0;
            write(&mut self.postings, number(occurrences.len()));
            for (passage, count) in occurrences {
                write(&mut self.postings, passage - last);
                write(&mut self.postings, count);
                last = passage;
            }
        }
    }

    /// The text of a sentence.
    pub(super) fn line(&self, line: usize) -> &str {
        let from = line
            .checked_sub(1)
            .map_or(0, |before| self.sentences[before].end as usize);
        &self.text[from..self.sentences[line].end as usize]
    }

    /// The heading above a sentence.
    pub(super) fn heading(&self, line: usize) -> &str {
        &self.headings[self.sentences[line].heading as usize]
    }

    /// The number of a term, if the document has it.
    pub(super) fn find(&self, term: &str) -> Option<usize> {
        let at = self.first_not_before(term);
        (at < self.terms.len() && self.term(at) == term).then_some(at)
    }

    /// The number of the first term that is not before `text`.
    pub(super) fn first_not_before(&self, text: &str) -> usize {
        let (mut low, mut high) = (0, self.terms.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.term(middle) < text {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// A term by its number.
    pub(super) fn term(&self, number: usize) -> &str {
        self.vocabulary[self.terms[number] as usize..]
            .split('\n')
            .next()
            .unwrap_or("")
    }

    /// The document frequency of a term, in passages.
    pub(super) fn frequency(&self, number: usize) -> u32 {
        let mut bytes = self.postings.get(self.starts[number] as usize..).unwrap_or_default();
        read(&mut bytes)
    }

    /// The passages of a term, by its number, each with its weighted count in occurrences in the text.
    pub(super) fn occurrences(&self, number: usize) -> Vec<(usize, f32)> {
        let mut bytes = self.postings.get(self.starts[number] as usize..).unwrap_or_default();
        let size = read(&mut bytes);
        let mut passage = 0_usize;
        (0..size)
            .map_while(|_| {
                passage += read(&mut bytes) as usize;
                let count = read(&mut bytes);
                (passage < self.passages.len()).then_some((passage, count as f32 / TEXT_WEIGHT as f32))
            })
            .collect()
    }
}

/// Returns true if an author of the metadata can be a name, and is nothing that a program left there.
fn is_name(author: &str) -> bool {
    let lower = author.to_lowercase();
    let left_over = ["(0x", "unknown", "anonymous", "administrator", "[object"];
    author.chars().any(char::is_alphabetic) && !left_over.iter().any(|mark| lower.contains(mark))
}

/// The section above each.
fn parents(sections: &[Section]) -> Vec<Option<usize>> {
    let mut above: Vec<usize> = Vec::new();
    let find = |(place, section): (usize, &Section)| {
        while above.last().is_some_and(|last| sections[*last].level >= section.level) {
            above.pop();
        }
        let parent = above.last().copied();
        above.push(place);
        parent
    };
    sections.iter().enumerate().map(find).collect()
}

pub(super) fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn write(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Reads a number; bytes that end too early give zero.
fn read(bytes: &mut &[u8]) -> u32 {
    let mut value = 0;
    for shift in (0..32).step_by(7) {
        let Some((byte, rest)) = bytes.split_first() else {
            return 0;
        };
        *bytes = rest;
        value |= u32::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    value
}
