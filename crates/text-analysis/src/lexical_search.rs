//! Lexical search: passages of a document that are about the terms of a question.
//!
//! BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009) over text and headings,
//! with the forms and compounds of a term counted together. Adding terms of the best passages to the question (RM3: Lavrenko
//! and Croft, "Relevance-Based Language Models", 2001) was tried and left out: on the questions that develop this it made the
//! ranks worse, with any threshold and weight.

use std::collections::HashMap;

use crate::graph::{bm25, idf};
use crate::index::Index;

/// Limit for the passages that are found.
pub(super) const MAX_HITS: usize = 20;
/// Limit for the terms of a question.
const MAX_TERMS: usize = 64;
/// Number of passages from which on a term is not expanded by its variants.
const FREQUENT_TERM_PASSAGES: u32 = 12;
/// Length in characters from which on words are compared by their prefixes.
const MIN_PREFIX_CHARS: usize = 5;
/// Weight of a variant beside the term itself, at most.
const VARIANT_WEIGHT: f32 = 0.6;
/// Limit for the variants of a term.
const MAX_VARIANTS: usize = 6;
/// Weight of a term that the document does not have, beside the rarest that it has. A question may say in passing
/// what the document says otherwise, so that less than the whole is asked of it; on the developing questions this is where
/// most are answered without answering those that cannot be.
const UNKNOWN_TERM_WEIGHT: f32 = 0.5;
/// Weight of the covered part of the question in the score of a passage.
const COVERAGE_WEIGHT: f32 = 0.8;

/// A query: the terms of a question, each with its variants.
pub(super) struct Query {
    pub(super) concepts: Vec<Concept>,
}

/// A term and its variants.
pub(super) struct Concept {
    /// The term as in the question.
    pub(super) term: String,
    /// Terms of the document by number, with their weights, from 0 to 1.
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
        // A term that is frequent in the document needs no variants.
        if known < FREQUENT_TERM_PASSAGES {
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
        let known = if variants.is_empty() && !named {
            UNKNOWN_TERM_WEIGHT
        } else {
            1.0
        };
        Self {
            term,
            variants,
            weight: known * idf(frequency, size),
        }
    }

    /// The weight of the best match among `terms`, from 0 to 1.
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
    /// Makes a query of terms, each once. Those in `named` are names and numbers, for which nothing else can stand.
    pub(super) fn new(index: &Index, terms: impl Iterator<Item = String>, named: &[String]) -> Self {
        let mut concepts: Vec<Concept> = Vec::new();
        for term in terms.take(MAX_TERMS) {
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
    if letters < MIN_PREFIX_CHARS || term.chars().any(|c| c.is_numeric() || !is_spaced(c)) {
        return Vec::new();
    }
    let stem: String = term.chars().take(MIN_PREFIX_CHARS.max(letters * 2 / 3)).collect();
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
        let beginning = size >= MIN_PREFIX_CHARS && term.starts_with(other);
        if other != term && (beginning || other.starts_with(&stem)) {
            let shared = other.chars().zip(term.chars()).take_while(|(a, b)| a == b).count();
            found.push((number, VARIANT_WEIGHT * shared as f32 / size.max(letters) as f32 + 0.2));
        }
    }
    if found.len() < MAX_VARIANTS {
        // The end of a compound.
        for number in 0..index.terms.len() {
            let other = index.term(number);
            if other.len() > term.len() && other.ends_with(term)
                || term.len() > other.len() && other.chars().count() > MIN_PREFIX_CHARS && term.ends_with(other)
            {
                found.push((number, VARIANT_WEIGHT));
            }
        }
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.truncate(MAX_VARIANTS);
    found
}

/// Returns true if a character is of a script that separates words by spaces.
fn is_spaced(c: char) -> bool {
    use quartet_lang_detect::{Writing, writing};
    !matches!(writing(c), Writing::Han | Writing::Kana | Writing::Hangul)
}

/// A passage that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hit {
    pub(super) passage: usize,
    pub(super) score: f32,
    /// The fraction of the question's weight that it has, heading included, from 0 to 1.
    pub(super) coverage: f32,
}

/// The best passages for a query, best first.
pub(super) fn search(index: &Index, query: &Query) -> Vec<Hit> {
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
    let mut found: Vec<Hit> = scores
        .into_iter()
        .map(|(passage, (score, coverage))| Hit {
            passage,
            // A passage with all of the question is better than one that often has a part of it.
            score: score * (1.0 - COVERAGE_WEIGHT + COVERAGE_WEIGHT * coverage),
            coverage,
        })
        .collect();
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.passage.cmp(&b.passage)));
    found.truncate(MAX_HITS);
    found
}
