//! Candidate sentences of a summary: their selection, scores, and choice without redundancy.

use crate::analyzer::{Analyzer, word_count};
use crate::discourse_markers::points_back;
use crate::document::Kind;
use crate::graph::{Graph, scaled};
use crate::prose::{Prose, Sentence};
use crate::sections::{Role, without_number};
use crate::sentence::is_complete;

/// Limit for the sentences that are compared with each other; of a longer document those nearest to its subject are
/// kept.
const MAX_COMPARED_SENTENCES: usize = 600;
/// Weights of the features of a sentence; they add up to one. Set on one half of some papers with their abstracts
/// (`examples/pdf_summaries.rs`).
const CENTRALITY_WEIGHT: f32 = 0.30;
const CENTROID_WEIGHT: f32 = 0.20;
const POSITION_WEIGHT: f32 = 0.35;
const TITLE_WEIGHT: f32 = 0.15;
/// Weight of relevance against novelty (the lambda of MMR).
const RELEVANCE_WEIGHT: f32 = 0.7;
/// Sentences that are at least this similar are duplicates.
const DUPLICATE_SIMILARITY: f32 = 0.6;

/// A sentence of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extract {
    /// The sentence as it stands there, in one line.
    pub text: String,
    /// The page that it begins on, from 1.
    pub page: usize,
    /// The heading above it, without its number.
    pub section: Option<String>,
}

/// The sentences that may be chosen.
pub(super) struct Candidates<'a> {
    prose: &'a Prose,
    /// Their positions in the prose.
    pub(super) places: Vec<usize>,
    /// Their lengths in words.
    lengths: Vec<usize>,
    /// Their scores, from 0 to 1.
    scores: Vec<f32>,
    /// True for those that can be read only after the sentence before them.
    dangling: Vec<bool>,
    graph: Graph,
}

impl<'a> Candidates<'a> {
    pub(super) fn new(prose: &'a Prose, analyzer: &Analyzer, title: Option<&str>) -> Self {
        let mut places = places(prose, false);
        if places.len() < 3 {
            // Slides and forms have no sentences in paragraphs; what they have is better than nothing.
            places = self::places(prose, true);
        }
        let mut terms: Vec<Vec<String>> = places
            .iter()
            .map(|place| analyzer.content(&prose.sentences[*place].text).collect())
            .collect();
        if places.len() > MAX_COMPARED_SENTENCES {
            let near = Graph::new(&terms).centroid();
            let position: Vec<f32> = places.iter().map(|place| position(prose, *place)).collect();
            let mut order: Vec<usize> = (0..places.len()).collect();
            order.sort_by(|a, b| {
                (near[*b] + position[*b])
                    .total_cmp(&(near[*a] + position[*a]))
                    .then(a.cmp(b))
            });
            order.truncate(MAX_COMPARED_SENTENCES);
            order.sort_unstable();
            places = order.iter().map(|index| places[*index]).collect();
            terms = order.iter().map(|index| std::mem::take(&mut terms[*index])).collect();
        }
        let graph = Graph::new(&terms);
        let (centrality, centroid) = (graph.centrality(), graph.centroid());
        let positions: Vec<f32> = places.iter().map(|place| position(prose, *place)).collect();
        let about: std::collections::HashSet<String> = title
            .into_iter()
            .chain(
                prose
                    .sections
                    .iter()
                    .filter(|section| section.level == 1)
                    .map(|section| section.title.as_str()),
            )
            .flat_map(|text| analyzer.content(text))
            .collect();
        let titles = scaled(
            terms
                .iter()
                .map(|terms| {
                    let hits: std::collections::HashSet<&String> =
                        terms.iter().filter(|term| about.contains(*term)).collect();
                    (hits.len() as f32).sqrt()
                })
                .collect(),
        );
        let lengths: Vec<usize> = places
            .iter()
            .map(|place| word_count(&prose.sentences[*place].text))
            .collect();
        let scores = (0..places.len())
            .map(|index| {
                let sentence = &prose.sentences[places[index]];
                let sum = CENTRALITY_WEIGHT * centrality[index]
                    + CENTROID_WEIGHT * centroid[index]
                    + POSITION_WEIGHT * positions[index]
                    + TITLE_WEIGHT * titles[index];
                sum * readable(sentence, lengths[index])
            })
            .collect();
        let dangling = places
            .iter()
            .map(|place| points_back(&prose.sentences[*place].text, prose.language))
            .collect();
        Self {
            prose,
            places,
            lengths,
            scores,
            dangling,
            graph,
        }
    }

    /// Chooses the best sentences within the limits, in document order, none of which repeats one of `known`.
    pub(super) fn choose(
        &self,
        words: usize,
        sentences: usize,
        known: &[usize],
        allowed: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let mut chosen: Vec<usize> = Vec::new();
        let mut left = words;
        while chosen.len() < sentences {
            let best = (0..self.places.len())
                .filter(|index| allowed(*index) && !chosen.contains(index) && !known.contains(index))
                .filter(|index| self.lengths[*index] <= left)
                .filter(|index| !self.dangling[*index] || self.follows(*index, &chosen))
                .filter_map(|index| {
                    let alike = chosen
                        .iter()
                        .chain(known)
                        .map(|other| self.graph.cosine(index, *other))
                        .fold(0.0, f32::max);
                    (alike < DUPLICATE_SIMILARITY).then_some((
                        index,
                        RELEVANCE_WEIGHT * self.scores[index] - (1.0 - RELEVANCE_WEIGHT) * alike,
                    ))
                })
                .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
            let Some((best, _)) = best else {
                break;
            };
            left -= self.lengths[best];
            chosen.push(best);
        }
        if chosen.is_empty() && known.is_empty() {
            // Nothing fits: the best sentence, whatever its length and its beginning.
            let best = (0..self.places.len())
                .filter(|index| allowed(*index))
                .max_by(|a, b| self.scores[*a].total_cmp(&self.scores[*b]));
            chosen.extend(best);
        }
        chosen.sort_unstable();
        chosen
    }

    /// Returns true if the previous sentence of the same paragraph is chosen.
    fn follows(&self, index: usize, chosen: &[usize]) -> bool {
        let place = self.places[index];
        let Some(before) = place.checked_sub(1) else {
            return false;
        };
        self.prose.sentences[before].paragraph == self.prose.sentences[place].paragraph
            && chosen.iter().any(|other| self.places[*other] == before)
    }

    /// The best sentence of each main section, of the largest ones if there are many; without sections the next best ones.
    pub(super) fn key_points(&self, most: usize, known: &[usize]) -> Vec<usize> {
        let parts = self.parts();
        let mut points: Vec<usize> = Vec::new();
        if parts.len() >= 3 {
            let mut sized: Vec<(usize, usize)> = parts
                .iter()
                .enumerate()
                .map(|(part, (from, to))| (self.lengths[*from..*to].iter().sum(), part))
                .collect();
            sized.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
            let mut largest: Vec<usize> = sized.into_iter().take(most).map(|(_, part)| part).collect();
            largest.sort_unstable();
            for part in largest {
                let (from, to) = parts[part];
                let said: Vec<usize> = known.iter().chain(&points).copied().collect();
                points.extend(self.choose(60, 1, &said, |index| (from..to).contains(&index)));
            }
        } else {
            points = self.choose(usize::MAX, most.min(5), known, |_| true);
        }
        points
    }

    /// The main sections as ranges of candidates: those of the highest level that has three or more with something in
    /// them.
    fn parts(&self) -> Vec<(usize, usize)> {
        for level in 1..=3 {
            let mut parts: Vec<(usize, usize)> = Vec::new();
            let mut current = usize::MAX;
            let mut head = 0;
            for (index, place) in self.places.iter().enumerate() {
                let section = self.prose.sentences[*place].section;
                // The section of that level that this one is below.
                let top = (0..=section)
                    .rev()
                    .find(|at| self.prose.sections[*at].level <= level)
                    .unwrap_or(0);
                if top != current {
                    if current != usize::MAX {
                        parts.push((head, index));
                    }
                    (current, head) = (top, index);
                }
            }
            if current != usize::MAX {
                parts.push((head, self.places.len()));
            }
            if parts.len() >= 3 {
                return parts;
            }
        }
        Vec::new()
    }

    pub(super) fn extract(&self, index: usize) -> Extract {
        let sentence = &self.prose.sentences[self.places[index]];
        let heading = without_number(self.prose.heading(sentence));
        Extract {
            text: sentence.text.clone(),
            page: sentence.page,
            section: (!heading.is_empty()).then(|| heading.to_owned()),
        }
    }
}

/// The positions of the sentences that may be chosen.
fn places(prose: &Prose, lenient: bool) -> Vec<usize> {
    let mut places: Vec<usize> = (0..prose.sentences.len())
        .filter(|place| {
            let sentence = &prose.sentences[*place];
            let role = prose.sections[sentence.section].role;
            !matches!(role, Role::List | Role::About) && is_candidate(sentence, lenient)
        })
        .collect();
    // The same sentence may stand on many pages.
    let mut seen = std::collections::HashSet::new();
    places.retain(|place| seen.insert(prose.sentences[*place].text.as_str()));
    places
}

/// Returns true if a sentence is prose of a usable length.
fn is_candidate(sentence: &Sentence, lenient: bool) -> bool {
    let text = sentence.text.as_str();
    if lenient {
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        return !matches!(sentence.kind, Kind::Code | Kind::Footnote | Kind::Table) && letters >= 8;
    }
    let kind = matches!(sentence.kind, Kind::Paragraph | Kind::ListItem);
    let words = word_count(text);
    // The sign of a footnote is a number, but no digit.
    let begins = text
        .chars()
        .find(|c| c.is_alphanumeric())
        .is_some_and(|c| !c.is_lowercase() && (c.is_alphabetic() || c.is_ascii_digit()));
    let asks = text.trim_end_matches(['"', '”', ')', '」']).ends_with(['?', '？', '؟']);
    let (mut letters, mut others) = (0_usize, 0_usize);
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        // Marks of vowels are letters for this purpose.
        if c.is_alphabetic() || unicode_normalization::char::is_combining_mark(c) {
            letters += 1;
        } else {
            others += 1;
        }
    }
    kind && (6..=60).contains(&words) && begins && !asks && is_complete(text) && letters >= others * 5
}

/// The score of a sentence's position, from 0 to 1: its section, and its place in section and paragraph.
fn position(prose: &Prose, place: usize) -> f32 {
    let sentence = &prose.sentences[place];
    let role: f32 = match prose.sections[sentence.section].role {
        Role::Abstract => 1.0,
        Role::Introduction => 0.8,
        Role::Conclusion => 0.65,
        _ => 0.35,
    };
    let first = place == 0 || prose.sentences[place - 1].paragraph != sentence.paragraph;
    // Documents begin with what they are about.
    let early = 1.0 / (1.0 + place as f32 / 12.0);
    (role * if first { 1.0 } else { 0.85 }).max(early)
}

/// A factor for how well a sentence reads on its own, from 0 to 1.
fn readable(sentence: &Sentence, length: usize) -> f32 {
    let text = sentence.text.as_str();
    let mut factor = 1.0;
    if sentence.kind == Kind::ListItem {
        factor *= 0.8;
    }
    if !(10..=40).contains(&length) {
        factor *= 0.85;
    }
    // References to places in the document: figures, sections, citations.
    let marks = text
        .chars()
        .filter(|c| {
            matches!(
                c,
                '(' | ')' | '[' | ']' | '/' | '_' | '=' | '<' | '>' | '\\' | '{' | '}'
            )
        })
        .count();
    if marks > 2 {
        factor *= 0.85;
    }
    if text.contains("://")
        || text.contains(" (see ")
        || text.contains("Figure ")
        || text.contains("Table ")
        || text.contains("Section ")
    {
        factor *= 0.75;
    }
    factor
}
