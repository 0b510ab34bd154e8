//! Scoring of the sentences that may answer a question.
//!
//! Among the sentences of the passages that were found, the one that has most of the question is taken, by the weight of
//! the terms, their closeness and order (Tao and Zhai, "An Exploration of Proximity Measures in Information Retrieval",
//! 2007), the heading above, and whether it has the kind of thing that is asked for. The weights were set on the
//! developing half of the questions in `eval/pdf/questions`.

use crate::analyzer::{Analyzer, Term, word_count};
use crate::index::Index;
use crate::lexical_search::{Hit, Query};
use crate::question;
use crate::question_patterns::AnswerType;
use crate::semantic_search::SemanticScores;

/// A sentence that may answer.
pub(super) struct Candidate {
    pub(super) line: usize,
    pub(super) score: f32,
    pub(super) confidence: f32,
    /// The overlap of the heading and the question (F1), from 0 to 1.
    pub(super) titled: f32,
}

/// Weight of the semantic similarity of a sentence, beside 1 for all its words.
const SEMANTIC_WEIGHT: f32 = 0.5;

/// Score of a passage that only has a count of something asked for, as a fraction of the best one's.
const COUNT_PASSAGE_RATIO: f32 = 0.5;
/// Limit for such passages.
const MAX_COUNT_PASSAGES: usize = 10;

/// Weights of the features of a sentence. Set on the developing half of the questions in `eval/pdf/questions`.
mod weights {
    /// Terms in the heading above and in the neighbouring sentences, beside those of the sentence itself.
    pub(super) const IN_HEADING: f32 = 0.9;
    pub(super) const IN_NEIGHBOUR: f32 = 0.45;
    /// Terms of the sentence itself.
    pub(super) const OWN_TERMS: f32 = 0.4;
    pub(super) const PASSAGE: f32 = 0.3;
    pub(super) const TERM_ORDER: f32 = 0.15;
    pub(super) const PROXIMITY: f32 = 0.1;
    /// A heading that is the question, and the fraction of it that counts after the first sentence.
    pub(super) const HEADING_MATCH: f32 = 0.4;
    pub(super) const HEADING_MATCH_LATER: f32 = 0.6;
    /// The expected type of answer.
    pub(super) const COUNT: f32 = 0.35;
    pub(super) const EXPECTED_TYPE: f32 = 0.2;
    pub(super) const MISSING_TYPE: f32 = -0.3;
    pub(super) const DEFINITION: f32 = 0.15;
    /// The form of the sentence.
    pub(super) const NO_PROSE: f32 = -0.25;
    pub(super) const VERY_SHORT: f32 = -0.2;
    pub(super) const QUESTION: f32 = -0.3;
    pub(super) const ANNOUNCEMENT: f32 = -0.05;
}

impl Index {
    /// The sentences of the passages that were found, best first.
    pub(super) fn candidates(
        &self,
        query: &Query,
        wanted: &[String],
        expected: AnswerType,
        found: &[Hit],
        semantic: Option<&SemanticScores>,
        analyzer: &Analyzer,
    ) -> Vec<Candidate> {
        let best = found.first().map_or(1.0, |found| found.score).max(f32::EPSILON);
        let mut seen = std::collections::HashSet::new();
        let mut candidates: Vec<Candidate> = Vec::new();
        for found in found {
            let passage = &self.passages[found.passage];
            let lines = passage.first as usize..(passage.first + passage.count) as usize;
            let terms: Vec<Vec<Term>> = lines.clone().map(|line| analyzer.terms(self.line(line))).collect();
            let heading: Vec<String> = analyzer.content(self.heading(passage.first as usize)).collect();
            for (place, line) in lines.clone().enumerate() {
                if !seen.insert(line) {
                    continue;
                }
                let near: Vec<&Vec<Term>> = terms
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| other.abs_diff(place) == 1)
                    .map(|(_, terms)| terms)
                    .collect();
                let mut candidate = self.score(
                    line,
                    query,
                    wanted,
                    expected,
                    &terms[place],
                    &near,
                    &heading,
                    found.score / best,
                );
                if let Some((confidence, similarity)) =
                    semantic.and_then(|scores| scores.of_sentence(line, candidate.confidence))
                {
                    candidate.confidence = confidence;
                    candidate.score += SEMANTIC_WEIGHT * similarity;
                }
                candidates.push(candidate);
            }
        }
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.line.cmp(&b.line)));
        candidates
    }

    #[expect(clippy::too_many_arguments, reason = "all of them are features of a sentence")]
    fn score(
        &self,
        line: usize,
        query: &Query,
        wanted: &[String],
        expected: AnswerType,
        terms: &[Term],
        near: &[&Vec<Term>],
        heading: &[String],
        passage: f32,
    ) -> Candidate {
        let whole = query.weight().max(f32::EPSILON);
        let (mut own, mut confidence, mut in_heading) = (0.0, 0.0, 0.0);
        for concept in &query.concepts {
            let weight = concept.weight / whole;
            let here = concept.in_terms(self, terms.iter().map(|term| term.text.as_str()));
            let above = concept.in_terms(self, heading.iter().map(String::as_str));
            let beside = concept.in_terms(
                self,
                near.iter()
                    .flat_map(|terms| terms.iter().map(|term| term.text.as_str())),
            );
            own += weight * here;
            in_heading += weight * above;
            confidence += weight
                * here
                    .max(weights::IN_HEADING * above)
                    .max(weights::IN_NEIGHBOUR * beside);
        }
        // The part of the heading that the question has: a heading that is the question is answered by its section.
        let asked = heading.iter().filter(|term| wanted.contains(term)).count() as f32 / heading.len().max(1) as f32;
        let titled = if in_heading + asked > 0.0 {
            2.0 * in_heading * asked / (in_heading + asked)
        } else {
            0.0
        };
        let text = self.line(line);
        let opens = line == 0 || self.sentences[line - 1].heading != self.sentences[line].heading;
        let words = word_count(text);
        let mut score = confidence
            + weights::OWN_TERMS * own
            + weights::PASSAGE * passage
            + weights::TERM_ORDER * in_order(wanted, terms)
            + weights::PROXIMITY * proximity(query, terms);
        score += weights::HEADING_MATCH * titled * if opens { 1.0 } else { weights::HEADING_MATCH_LATER };
        score += match (expected, question::suits(text, expected)) {
            (AnswerType::Number, true) if counts(query, terms, text) => weights::COUNT,
            (AnswerType::Number, true) => 0.0,
            (_, true) => weights::EXPECTED_TYPE,
            (AnswerType::Number | AnswerType::Time, false) => weights::MISSING_TYPE,
            (_, false) => 0.0,
        };
        if expected == AnswerType::Definition && defines(query, terms) {
            score += weights::DEFINITION;
        }
        if !self.sentences[line].prose {
            score += weights::NO_PROSE;
        }
        if words < 4 {
            score += weights::VERY_SHORT;
        }
        if text.ends_with(['?', '？', '؟']) {
            score += weights::QUESTION;
        }
        if text.ends_with([':', '：']) {
            score += weights::ANNOUNCEMENT;
        }
        Candidate {
            line,
            score,
            confidence: confidence.clamp(0.0, 1.0),
            titled,
        }
    }
}

/// The fraction of the question's bigrams of terms that the sentence has, too.
fn in_order(wanted: &[String], terms: &[Term]) -> f32 {
    let content: Vec<&str> = terms
        .iter()
        .filter(|term| term.content)
        .map(|term| term.text.as_str())
        .collect();
    let pairs = wanted.windows(2).count();
    let kept = wanted
        .windows(2)
        .filter(|pair| {
            content
                .windows(2)
                .any(|other| other[0] == pair[0] && other[1] == pair[1])
        })
        .count();
    kept as f32 / pairs.max(1) as f32
}

/// The proximity of the question's terms, from 0 to 1: the smallest window that has all that the sentence has.
fn proximity(query: &Query, terms: &[Term]) -> f32 {
    let places: Vec<(usize, usize)> = terms
        .iter()
        .enumerate()
        .filter_map(|(place, term)| {
            query
                .concepts
                .iter()
                .position(|concept| concept.term == term.text)
                .map(|wanted| (place, wanted))
        })
        .take(100)
        .collect();
    let mut kinds: Vec<usize> = places.iter().map(|(_, wanted)| *wanted).collect();
    kinds.sort_unstable();
    kinds.dedup();
    if kinds.len() < 2 {
        return 0.0;
    }
    let mut smallest = usize::MAX;
    for (at, (from, _)) in places.iter().enumerate() {
        let mut missing = kinds.clone();
        for (place, wanted) in &places[at..] {
            missing.retain(|kind| kind != wanted);
            if missing.is_empty() {
                smallest = smallest.min(place - from + 1);
                break;
            }
        }
    }
    if smallest == usize::MAX {
        0.0
    } else {
        kinds.len() as f32 / smallest as f32
    }
}

/// Returns true if a sentence begins with the terms that are to be defined.
fn defines(query: &Query, terms: &[Term]) -> bool {
    let first: Vec<&str> = terms
        .iter()
        .filter(|term| term.content)
        .take(3)
        .map(|term| term.text.as_str())
        .collect();
    let hits = query
        .concepts
        .iter()
        .filter(|concept| first.contains(&concept.term.as_str()))
        .count();
    hits > 0 && hits >= query.concepts.len().min(2)
}

impl Index {
    /// Adds the passages that count something asked for: a word that stands all over a document leads to any of its
    /// passages, and not to the one that says how many there are.
    pub(super) fn add_counts(&self, query: &Query, analyzer: &Analyzer, found: &mut Vec<Hit>) {
        let mut more: Vec<(usize, usize)> = Vec::new();
        for (number, passage) in self.passages.iter().enumerate() {
            if found.iter().any(|found| found.passage == number) {
                continue;
            }
            let lines = passage.first as usize..(passage.first + passage.count) as usize;
            let asked = lines
                .filter(|line| self.line(*line).contains(char::is_numeric))
                .map(|line| (analyzer.terms(self.line(line)), self.line(line)))
                .filter(|(terms, text)| counts(query, terms, text))
                .map(|(terms, _)| {
                    let has = |term: &String| terms.iter().any(|other| other.text == *term);
                    query.concepts.iter().filter(|concept| has(&concept.term)).count()
                })
                .max();
            more.extend(asked.map(|asked| (asked, number)));
        }
        more.sort_by_key(|(asked, number)| (std::cmp::Reverse(*asked), *number));
        let score = found.first().map_or(1.0, |best| best.score) * COUNT_PASSAGE_RATIO;
        found.extend(more.into_iter().take(MAX_COUNT_PASSAGES).map(|(_, passage)| Hit {
            passage,
            score,
            coverage: 0.0,
        }));
    }
}

/// Returns true if a number stands right before something that is asked for, as in "59 100 software packages". Versions
/// and the numbers of sections are none: where words have spaces, it must stand by itself, without a mark after it.
fn counts(query: &Query, terms: &[Term], text: &str) -> bool {
    let is_number = |word: &&str| {
        let ends = |c: Option<char>| c.is_some_and(char::is_numeric);
        let inside = |c: char| c.is_numeric() || matches!(c, '.' | ',' | '\'' | '’');
        ends(word.chars().next()) && ends(word.chars().last()) && word.chars().all(inside)
    };
    let alone: Vec<&str> = text.split_whitespace().filter(is_number).collect();
    let spaced = text.contains(' ');
    terms.iter().enumerate().any(|(place, term)| {
        let number = term.text.starts_with(char::is_numeric)
            && (!spaced || alone.iter().any(|word| word.contains(term.text.as_str())));
        let asked = |other: &Term| query.concepts.iter().any(|concept| concept.term == other.text);
        number && terms[place + 1..].iter().take(3).any(asked)
    })
}
