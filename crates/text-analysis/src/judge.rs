//! Which sentence answers a question.
//!
//! Among the sentences of the passages that were found, the one that has most of the question is taken, by the weight of
//! the terms, their closeness and order (Tao and Zhai, "An Exploration of Proximity Measures in Information Retrieval",
//! 2007), the heading above, and whether it has the kind of thing that is asked for. The weights were set on the
//! developing half of the questions in `tests/questions`.

use crate::index::Index;
use crate::question::{self, Wants};
use crate::search::{Found, Query};
use crate::senses::Sensed;
use crate::summary::length;
use crate::words::{Term, Words};

/// A sentence that may answer.
pub(super) struct Candidate {
    pub(super) line: usize,
    pub(super) score: f32,
    pub(super) confidence: f32,
    /// How far the heading is the question, from 0 to 1.
    pub(super) titled: f32,
}

/// How much the meaning of a sentence counts, beside 1 for all words.
const CLOSE: f32 = 0.5;

/// How well a passage counts as found in which something is only counted, beside the best one.
const COUNTED: f32 = 0.5;
/// So many of them are looked at.
const MOST_COUNTED: usize = 10;

impl Index {
    /// The sentences of the passages that were found, best first.
    pub(super) fn candidates(
        &self,
        query: &Query,
        wanted: &[String],
        wants: Wants,
        found: &[Found],
        sensed: Option<&Sensed>,
        words: &Words,
    ) -> Vec<Candidate> {
        let best = found.first().map_or(1.0, |found| found.score).max(f32::EPSILON);
        let mut seen = std::collections::HashSet::new();
        let mut candidates: Vec<Candidate> = Vec::new();
        for found in found {
            let passage = &self.passages[found.passage];
            let lines = passage.first as usize..(passage.first + passage.count) as usize;
            let terms: Vec<Vec<Term>> = lines.clone().map(|line| words.terms(self.line(line))).collect();
            let heading: Vec<String> = words.content(self.heading(passage.first as usize)).collect();
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
                let mut candidate = self.judge(
                    line,
                    query,
                    wanted,
                    wants,
                    &terms[place],
                    &near,
                    &heading,
                    found.score / best,
                );
                if let Some((sure, close)) = sensed.and_then(|sensed| sensed.judge(line, candidate.confidence)) {
                    candidate.confidence = sure;
                    candidate.score += CLOSE * close;
                }
                candidates.push(candidate);
            }
        }
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.line.cmp(&b.line)));
        candidates
    }

    #[expect(clippy::too_many_arguments, reason = "all of them are what a sentence is judged by")]
    fn judge(
        &self,
        line: usize,
        query: &Query,
        wanted: &[String],
        wants: Wants,
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
            confidence += weight * here.max(0.9 * above).max(0.45 * beside);
        }
        // How much of the heading the question has: a heading that is the question is answered by its section.
        let asked = heading.iter().filter(|term| wanted.contains(term)).count() as f32 / heading.len().max(1) as f32;
        let titled = if in_heading + asked > 0.0 {
            2.0 * in_heading * asked / (in_heading + asked)
        } else {
            0.0
        };
        let text = self.line(line);
        let opens = line == 0 || self.sentences[line - 1].heading != self.sentences[line].heading;
        let words = length(text);
        let mut score =
            confidence + 0.4 * own + 0.3 * passage + 0.15 * in_order(wanted, terms) + 0.1 * together(query, terms);
        score += 0.4 * titled * if opens { 1.0 } else { 0.6 };
        score += match (wants, question::fits(text, wants)) {
            (Wants::Number, true) if counts(query, terms, text) => 0.35,
            (Wants::Number, true) => 0.0,
            (_, true) => 0.2,
            (Wants::Number | Wants::Time, false) => -0.3,
            (_, false) => 0.0,
        };
        if wants == Wants::Definition && defines(query, terms) {
            score += 0.15;
        }
        if !self.sentences[line].prose {
            score -= 0.25;
        }
        if words < 4 {
            score -= 0.2;
        }
        if text.ends_with(['?', '？', '؟']) {
            score -= 0.3;
        }
        if text.ends_with([':', '：']) {
            score -= 0.05;
        }
        Candidate {
            line,
            score,
            confidence: confidence.clamp(0.0, 1.0),
            titled,
        }
    }
}

/// Which part of the adjoining terms of the question adjoin in the sentence, too.
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

/// How close together the question's terms stand, from 0 to 1: the smallest window that has all that the sentence has.
fn together(query: &Query, terms: &[Term]) -> f32 {
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

/// Whether a sentence begins with what is to be defined.
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
    /// Adds the passages in which something that is asked for is counted: a word that stands all over a document leads
    /// to any of its passages, and not to the one that says how many there are.
    pub(super) fn add_counts(&self, query: &Query, words: &Words, found: &mut Vec<Found>) {
        let mut more: Vec<(usize, usize)> = Vec::new();
        for (number, passage) in self.passages.iter().enumerate() {
            if found.iter().any(|found| found.passage == number) {
                continue;
            }
            let lines = passage.first as usize..(passage.first + passage.count) as usize;
            let asked = lines
                .filter(|line| self.line(*line).contains(char::is_numeric))
                .map(|line| (words.terms(self.line(line)), self.line(line)))
                .filter(|(terms, text)| counts(query, terms, text))
                .map(|(terms, _)| {
                    let has = |term: &String| terms.iter().any(|other| other.text == *term);
                    query.concepts.iter().filter(|concept| has(&concept.term)).count()
                })
                .max();
            more.extend(asked.map(|asked| (asked, number)));
        }
        more.sort_by_key(|(asked, number)| (std::cmp::Reverse(*asked), *number));
        let score = found.first().map_or(1.0, |best| best.score) * COUNTED;
        found.extend(more.into_iter().take(MOST_COUNTED).map(|(_, passage)| Found {
            passage,
            score,
            coverage: 0.0,
        }));
    }
}

/// Whether a number stands right before something that is asked for, as in "59 100 software packages". Versions and the
/// numbers of sections are none: where words have spaces, it must stand by itself, without a mark after it.
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
