//! Semantic search: passages that answer a question in other words, or in another language.
//!
//! The results of lexical search and the similarities of embeddings are combined by a weighted sum
//! (Bruch et al., "An Analysis of Fusion Functions for Hybrid Retrieval", 2023). The weights were set on the developing
//! half of the questions in `eval/pdf/questions`.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::embedding::{Embed, Embedding, Role};
use crate::index::{Index, number};
use crate::lexical_search::{Hit, MAX_HITS};
use crate::serialization::DecodeError;

/// The first byte of serialized embeddings: the version of the layout and of the model.
const LAYOUT_VERSION: u8 = 1;
/// Limit for the passages of a document that have embeddings.
const MAX_PASSAGES: usize = 4_000;
/// Passages that are sent to the model at once; between two batches the time is checked.
const BATCH_PASSAGES: usize = 4;
/// Best passages whose sentences are compared with the question one by one.
const COMPARED_PASSAGES: usize = 3;
/// Weight of lexical search in the combined score, of 1.
const LEXICAL_WEIGHT: f32 = 0.3;
/// Passages beside those of lexical search that get embeddings in any case, to compare with.
const BACKGROUND_PASSAGES: usize = 12;
/// Threshold for an answer in the question's own language: twice the similarity of the sentence less the mean
/// similarity of the passages. The model puts all texts into a narrow cone: texts that have nothing to do with a
/// question have a similarity of 0.7 to 0.8, answers one of 0.85 to 0.9.
const SAME_LANGUAGE_THRESHOLD: f32 = 0.905;
/// Threshold for an answer in another language: the mean similarity of the sentence and of the best passage.
/// There the similarity of all passages tells little: it depends more on the languages.
const CROSS_LINGUAL_THRESHOLD: f32 = 0.794;
/// Slope of the confidence at the threshold.
const CONFIDENCE_SLOPE: f32 = 7.5;
/// Limit for the confidence of an answer that is found by similarity alone.
const MAX_SEMANTIC_CONFIDENCE: f32 = 0.9;
/// Similarities of a question with unrelated text, and with text that says the same: the ends of the scale.
const UNRELATED_SIMILARITY: f32 = 0.75;
const EQUIVALENT_SIMILARITY: f32 = 0.90;
/// Lower limit for the range of similarities that scores are scaled by.
const MIN_SIMILARITY_RANGE: f32 = 0.05;

/// Embeddings of the passages of a document, as far as they were computed. They are kept beside the index, and more are
/// added with each question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassageEmbeddings {
    /// Embeddings by the numbers of the passages.
    passages: BTreeMap<u32, Embedding>,
}

impl PassageEmbeddings {
    /// Returns true if no passage has one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// The number of passages that have one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.passages.len()
    }

    /// Serializes the embeddings.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![LAYOUT_VERSION];
        bytes.extend(postcard::to_allocvec(self).unwrap_or_default());
        bytes
    }

    /// Deserializes embeddings.
    ///
    /// # Errors
    /// When the bytes are no embeddings, or of another layout.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let bytes = bytes.strip_prefix(&[LAYOUT_VERSION]).ok_or(DecodeError)?;
        postcard::from_bytes(bytes).map_err(|_| DecodeError)
    }
}

/// Access to the embedding model while a question is answered.
pub struct SemanticSearch<'a> {
    /// The model.
    pub embed: &'a dyn Embed,
    /// The embeddings of the document so far; more are added.
    pub embeddings: &'a mut PassageEmbeddings,
    /// Returns true while there is time to compute more.
    pub time_left: &'a dyn Fn() -> bool,
}

/// The similarities of a question with passages and sentences.
pub(super) struct SemanticScores {
    question: Embedding,
    /// True if the question is in another language than the document.
    cross_lingual: bool,
    /// Similarities of passages.
    passages: HashMap<usize, f32>,
    /// Similarities of the sentences that were compared one by one.
    lines: HashMap<usize, f32>,
}

impl SemanticScores {
    /// The confidence that a sentence answers, given its `lexical` confidence, and its scaled similarity, both from 0
    /// to 1; none for a sentence that was not compared.
    pub(super) fn of_sentence(&self, line: usize, lexical: f32) -> Option<(f32, f32)> {
        let similarity = *self.lines.get(&line)?;
        let beyond = if self.cross_lingual {
            f32::midpoint(similarity, self.passages.values().copied().fold(0.0, f32::max)) - CROSS_LINGUAL_THRESHOLD
        } else {
            2.0 * similarity
                - self.passages.values().sum::<f32>() / self.passages.len().max(1) as f32
                - SAME_LANGUAGE_THRESHOLD
        };
        let confidence = (0.5 + CONFIDENCE_SLOPE * beyond).clamp(0.0, MAX_SEMANTIC_CONFIDENCE);
        // A sentence that shares words with the question and means something else is doubtful.
        Some((
            confidence.max(f32::midpoint(confidence, lexical)),
            ((similarity - UNRELATED_SIMILARITY) / (EQUIVALENT_SIMILARITY - UNRELATED_SIMILARITY)).clamp(0.0, 1.0),
        ))
    }
}

impl Index {
    /// Compares a question with the passages of lexical search, and with others as far as they have embeddings; with
    /// `widely`, more of them get one as long as there is time.
    pub(super) fn semantic_scores(
        &self,
        question: &str,
        search: &mut SemanticSearch<'_>,
        found: &[Hit],
        widely: bool,
        cross_lingual: bool,
    ) -> Option<SemanticScores> {
        let question = search.embed.embed(Role::Question, &[question])?.pop()?;
        let mut wanted: Vec<usize> = found.iter().map(|found| found.passage).collect();
        wanted.extend(
            self.by_openings()
                .into_iter()
                .take(if widely { usize::MAX } else { BACKGROUND_PASSAGES }),
        );
        self.embed(wanted, search);
        let passages: HashMap<usize, f32> = search
            .embeddings
            .passages
            .iter()
            .map(|(passage, vector)| (*passage as usize, question.cosine_similarity(vector)))
            .filter(|(passage, _)| *passage < self.passages.len())
            .collect();
        // Without anything to compare with, a similarity tells nothing.
        if passages.is_empty() {
            return None;
        }
        Some(SemanticScores {
            question,
            cross_lingual,
            passages,
            lines: HashMap::new(),
        })
    }

    /// Computes the embeddings that are missing, of the first passage of each section first, as long as there is time.
    pub fn embed_passages(&self, search: &mut SemanticSearch<'_>) {
        self.embed(self.by_openings(), search);
    }

    fn embed(&self, mut wanted: Vec<usize>, search: &mut SemanticSearch<'_>) {
        let known = &search.embeddings.passages;
        let mut seen = HashSet::new();
        wanted.retain(|passage| !known.contains_key(&number(*passage)) && seen.insert(*passage));
        wanted.truncate(MAX_PASSAGES.saturating_sub(known.len()));
        for passages in wanted.chunks(BATCH_PASSAGES) {
            if !(search.time_left)() {
                break;
            }
            let texts: Vec<String> = passages.iter().map(|passage| self.passage_text(*passage)).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let Some(vectors) = search.embed.embed(Role::Passage, &texts) else {
                break;
            };
            let numbers = passages.iter().map(|passage| number(*passage));
            search.embeddings.passages.extend(numbers.zip(vectors));
        }
    }

    /// The best passages by lexical and semantic search together, best first.
    pub(super) fn fuse(&self, found: &[Hit], scores: &SemanticScores) -> Vec<Hit> {
        let best = found.first().map_or(1.0, |found| found.score).max(f32::EPSILON);
        let similarities = scores.passages.values().copied();
        let (low, high) = similarities.fold((f32::MAX, f32::MIN), |(low, high), similarity| {
            (low.min(similarity), high.max(similarity))
        });
        let range = (high - low).max(MIN_SIMILARITY_RANGE);
        let mut fused: HashMap<usize, Hit> = HashMap::new();
        for (passage, similarity) in &scores.passages {
            let score = (1.0 - LEXICAL_WEIGHT) * (similarity - low) / range;
            let (passage, coverage) = (*passage, 0.0);
            fused.insert(
                passage,
                Hit {
                    passage,
                    score,
                    coverage,
                },
            );
        }
        for Hit {
            passage,
            score,
            coverage,
        } in found
        {
            let entry = fused.entry(*passage).or_insert(Hit {
                passage: *passage,
                score: 0.0,
                coverage: 0.0,
            });
            entry.score += LEXICAL_WEIGHT * score / best;
            entry.coverage = *coverage;
        }
        let mut fused: Vec<Hit> = fused.into_values().collect();
        fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.passage.cmp(&b.passage)));
        fused.truncate(MAX_HITS);
        fused
    }

    /// Compares the sentences of the best passages with the question one by one.
    pub(super) fn score_sentences(&self, found: &[Hit], search: &SemanticSearch<'_>, scores: &mut SemanticScores) {
        let mut lines: Vec<usize> = found
            .iter()
            .take(COMPARED_PASSAGES)
            .flat_map(|found| {
                let passage = &self.passages[found.passage];
                passage.first as usize..(passage.first + passage.count) as usize
            })
            .collect();
        lines.sort_unstable();
        lines.dedup();
        let texts: Vec<&str> = lines.iter().map(|line| self.line(*line)).collect();
        if let Some(vectors) = search.embed.embed(Role::Passage, &texts) {
            let similarities = vectors.iter().map(|vector| scores.question.cosine_similarity(vector));
            scores.lines = lines.into_iter().zip(similarities).collect();
        }
    }

    /// The text of a passage, with the heading above it.
    fn passage_text(&self, passage: usize) -> String {
        let passage = &self.passages[passage];
        let first = passage.first as usize;
        let mut text = self.heading(first).to_owned();
        for line in first..first + passage.count as usize {
            text.push(' ');
            text.push_str(self.line(line));
        }
        text
    }

    /// The order of all passages: the first one of each section, then the second ones, and so on.
    fn by_openings(&self) -> Vec<usize> {
        let mut place = 0;
        let mut last = None;
        let mut passages: Vec<(usize, usize)> = (0..self.passages.len())
            .map(|passage| {
                let heading = self.sentences[self.passages[passage].first as usize].heading;
                place = if last == Some(heading) { place + 1 } else { 0 };
                last = Some(heading);
                (place, passage)
            })
            .collect();
        passages.sort_unstable();
        passages.into_iter().map(|(_, passage)| passage).collect()
    }
}
