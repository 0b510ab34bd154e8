//! Which passages of a document are about the terms of a question.
//!
//! BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009) over text and headings,
//! with the forms and compounds of a term counted together. Adding terms of the best passages to the question (RM3: Lavrenko
//! and Croft, "Relevance-Based Language Models", 2001) was tried and left out: on the questions that develop this it made the
//! ranks worse, with any threshold and weight.

use std::collections::HashMap;

use crate::graph::{bm25, idf};
use crate::index::Index;

/// So many passages are looked at closely.
pub(super) const LOOKED_AT: usize = 20;
/// A question has no more terms than this.
const MOST_TERMS: usize = 64;
/// A term in so many passages is a word of the document.
const FREQUENT: u32 = 12;
/// Words are compared by their beginnings from this length on.
const SHORTEST: usize = 5;
/// How far a form or a compound says the same, at most.
const VARIANT: f32 = 0.6;
/// A term has at most so many of them.
const MOST_VARIANTS: usize = 6;
/// How much a term that the document does not have counts, beside the rarest that it has. A question may say in passing
/// what the document says otherwise, so that less than the whole is asked of it; on the developing questions this is where
/// most are answered without answering those that cannot be.
const UNKNOWN: f32 = 0.5;
/// How much a passage's score depends on how much of the question it has.
const COVERAGE: f32 = 0.8;

/// What a question asks about: each of its terms with others that may say the same.
pub(super) struct Query {
    pub(super) concepts: Vec<Concept>,
}

/// A term and its variants.
pub(super) struct Concept {
    /// As in the question.
    pub(super) term: String,
    /// Terms of the document by number, with how far they say the same, from 0 to 1.
    pub(super) variants: Vec<(usize, f32)>,
    /// Its inverse document frequency; half of the most for a term that the document does not have and that is no name.
    pub(super) weight: f32,
}

impl Concept {
    fn new(index: &Index, term: String, named: bool) -> Self {
        let size = index.passages.len();
        let exact = index.find(&term);
        let mut variants: Vec<(usize, f32)> = exact.map(|number| (number, 1.0)).into_iter().collect();
        let known = exact.map_or(0, |number| index.frequency(number));
        // What the document often says as it is asked needs no variants.
        if known < FREQUENT {
            variants.extend(related(index, &term));
        }
        let frequency = if exact.is_some() {
            known
        } else {
            variants
                .iter()
                .map(|(number, _)| index.frequency(*number))
                .max()
                .unwrap_or(0)
        };
        let known = if variants.is_empty() && !named { UNKNOWN } else { 1.0 };
        Self {
            term,
            variants,
            weight: known * idf(frequency, size),
        }
    }

    /// How far one of `terms` says it, from 0 to 1.
    pub(super) fn in_terms<'a>(&self, index: &Index, terms: impl Iterator<Item = &'a str>) -> f32 {
        let mut best = 0.0_f32;
        for term in terms {
            if term == self.term {
                return 1.0;
            }
            let likeness = self.variants.iter().find(|(number, _)| index.term(*number) == term);
            best = best.max(likeness.map_or(0.0, |(_, likeness)| *likeness));
        }
        best
    }
}

impl Query {
    /// Of terms, each once. Those that are `named` are names and numbers, for which nothing else can stand.
    pub(super) fn new(index: &Index, terms: impl Iterator<Item = String>, named: &[String]) -> Self {
        let mut concepts: Vec<Concept> = Vec::new();
        for term in terms.take(MOST_TERMS) {
            if concepts.iter().all(|concept| concept.term != term) {
                let named = named.contains(&term);
                concepts.push(Concept::new(index, term, named));
            }
        }
        Self { concepts }
    }

    /// The sum of the weights.
    pub(super) fn weight(&self) -> f32 {
        self.concepts.iter().map(|concept| concept.weight).sum()
    }
}

/// Terms of the document that are likely forms or compounds of `term`: they share a long beginning, or one is part of the
/// other, as "Sklavenhandel" and "Sklaven" are.
fn related(index: &Index, term: &str) -> Vec<(usize, f32)> {
    let letters = term.chars().count();
    if letters < SHORTEST || term.chars().any(|c| c.is_numeric() || !is_spaced(c)) {
        return Vec::new();
    }
    let stem: String = term.chars().take(SHORTEST.max(letters * 2 / 3)).collect();
    let short: String = term.chars().take(4).collect();
    let mut found = Vec::new();
    let from = index.first_not_before(&short);
    for number in from..index.terms.len() {
        let other = index.term(number);
        if !other.starts_with(&short) {
            break;
        }
        let size = other.chars().count();
        // One is the beginning of the other, or they differ only in their ends.
        let beginning = size >= SHORTEST && term.starts_with(other);
        if other != term && (beginning || other.starts_with(&stem)) {
            let shared = other.chars().zip(term.chars()).take_while(|(a, b)| a == b).count();
            found.push((number, VARIANT * shared as f32 / size.max(letters) as f32 + 0.2));
        }
    }
    if found.len() < MOST_VARIANTS {
        // The end of a compound.
        for number in 0..index.terms.len() {
            let other = index.term(number);
            if other.len() > term.len() && other.ends_with(term)
                || term.len() > other.len() && other.chars().count() > SHORTEST && term.ends_with(other)
            {
                found.push((number, VARIANT));
            }
        }
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.truncate(MOST_VARIANTS);
    found
}

/// Whether a character is of a script that has words of letters.
fn is_spaced(c: char) -> bool {
    use quartet_lang_detect::{Writing, writing};
    !matches!(writing(c), Writing::Han | Writing::Kana | Writing::Hangul)
}

/// A passage that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    pub(super) passage: usize,
    pub(super) score: f32,
    /// Which part of the question's weight it has, heading included, from 0 to 1.
    pub(super) coverage: f32,
}

/// The best passages for a query, best first.
pub(super) fn search(index: &Index, query: &Query) -> Vec<Found> {
    let average = (index.total as f32 / index.passages.len().max(1) as f32).max(1.0);
    let whole = query.weight().max(f32::EPSILON);
    let mut scores: HashMap<usize, (f32, f32)> = HashMap::new();
    let length = |passage: usize| index.passages[passage].length as f32 / average;
    for concept in &query.concepts {
        // Forms of a word count together.
        let mut counts: HashMap<usize, (f32, f32)> = HashMap::new();
        for (number, likeness) in &concept.variants {
            for (passage, count) in index.occurrences(*number) {
                let entry = counts.entry(passage).or_default();
                entry.0 += likeness * count;
                entry.1 = entry.1.max(*likeness);
            }
        }
        for (passage, (count, likeness)) in counts {
            let entry = scores.entry(passage).or_default();
            entry.0 += concept.weight * bm25(count, length(passage));
            entry.1 += concept.weight * likeness / whole;
        }
    }
    let mut found: Vec<Found> = scores
        .into_iter()
        .map(|(passage, (score, coverage))| Found {
            passage,
            // What has all of the question is better than what has a part of it often.
            score: score * (1.0 - COVERAGE + COVERAGE * coverage),
            coverage,
        })
        .collect();
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.passage.cmp(&b.passage)));
    found.truncate(LOOKED_AT);
    found
}
