//! Passages that say what a question asks in other words, or in another language.
//!
//! What the words of a question find (`search`) and what lies close to it in meaning are put together by a weighted sum
//! (Bruch et al., "An Analysis of Fusion Functions for Hybrid Retrieval", 2023). The weights were set on the developing
//! half of the questions in `tests/questions`.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::index::{Index, number};
use crate::meaning::{Embed, Role, Vector};
use crate::packed::Unreadable;
use crate::search::{Found, LOOKED_AT};

/// The first byte of kept meanings; another number means another layout, or another model.
const LAYOUT: u8 = 1;
/// So many passages of a document have meanings, at most.
const MOST: usize = 4_000;
/// So many passages are sent to the model at once; between two of these the time is looked at.
const AT_ONCE: usize = 4;
/// The sentences of so many passages are compared with the question one by one.
const CLOSELY: usize = 3;
/// How much the words count beside the meaning, of 1.
const WORDS: f32 = 0.3;
/// When no more than what the words found is needed, so many other passages are known all the same, to compare with.
const BACKGROUND: usize = 12;
/// A sentence answers a question in its own language when twice its likeness is so much more than that of the passages on
/// average. The model puts all texts into a narrow cone: what has nothing to do with a question is like it by 0.7 to 0.8,
/// what answers it by 0.85 to 0.9.
const ANSWERS: f32 = 0.905;
/// A sentence answers a question in another language when it and the best passage are so like the question, on average.
/// There the likeness of all passages says little: it is more about the languages.
const ANSWERS_ABROAD: f32 = 0.794;
/// How fast one becomes sure beyond that.
const STEEPNESS: f32 = 7.5;
/// Nobody is surer than that because of the meaning alone.
const SUREST: f32 = 0.9;

/// What the passages of a document mean, as far as it was found out. It is kept beside the index, and more is known with
/// each question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meanings {
    /// By the numbers of the passages.
    passages: BTreeMap<u32, Vector>,
}

impl Meanings {
    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// How many passages are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.passages.len()
    }

    /// For keeping.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![LAYOUT];
        bytes.extend(postcard::to_allocvec(self).unwrap_or_default());
        bytes
    }

    /// What was kept.
    ///
    /// # Errors
    /// When the bytes are no meanings, or of another layout.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Unreadable> {
        let bytes = bytes.strip_prefix(&[LAYOUT]).ok_or(Unreadable)?;
        postcard::from_bytes(bytes).map_err(|_| Unreadable)
    }
}

/// What meanings are found by while a question is answered.
pub struct Senses<'a> {
    /// The model.
    pub embed: &'a dyn Embed,
    /// What is known of the document already; more is added.
    pub meanings: &'a mut Meanings,
    /// Whether there is time to find out more.
    pub time_left: &'a dyn Fn() -> bool,
}

/// What a question means, beside what was found for it.
pub(super) struct Sensed {
    question: Vector,
    /// Whether the question is in another language than the document.
    abroad: bool,
    /// Of passages.
    passages: HashMap<usize, f32>,
    /// Of the sentences that were compared one by one.
    lines: HashMap<usize, f32>,
}

impl Sensed {
    /// How sure it is that a sentence answers, from 0 to 1, when its words make that sure by `words`; and how close it is
    /// in meaning, from 0 to 1. Nothing for a sentence that was not compared.
    pub(super) fn judge(&self, line: usize, words: f32) -> Option<(f32, f32)> {
        let likeness = *self.lines.get(&line)?;
        let beyond = if self.abroad {
            f32::midpoint(likeness, self.passages.values().copied().fold(0.0, f32::max)) - ANSWERS_ABROAD
        } else {
            2.0 * likeness - self.passages.values().sum::<f32>() / self.passages.len().max(1) as f32 - ANSWERS
        };
        let sure = (0.5 + STEEPNESS * beyond).clamp(0.0, SUREST);
        // What has the words of a question and means something else is doubtful.
        Some((
            sure.max(f32::midpoint(sure, words)),
            ((likeness - UNLIKE) / (LIKE - UNLIKE)).clamp(0.0, 1.0),
        ))
    }
}

/// The likeness of a question and what has nothing to do with it, and of a question and what says the same.
const UNLIKE: f32 = 0.75;
const LIKE: f32 = 0.90;

impl Index {
    /// Compares a question with the passages that its words found, and with others as far as they are known; when it is
    /// asked `widely`, more of them become known as long as there is time.
    pub(super) fn sense(
        &self,
        question: &str,
        senses: &mut Senses<'_>,
        found: &[Found],
        widely: bool,
        abroad: bool,
    ) -> Option<Sensed> {
        let question = senses.embed.embed(Role::Question, &[question])?.pop()?;
        let mut wanted: Vec<usize> = found.iter().map(|found| found.passage).collect();
        wanted.extend(
            self.by_openings()
                .into_iter()
                .take(if widely { usize::MAX } else { BACKGROUND }),
        );
        self.find_out(wanted, senses);
        let passages: HashMap<usize, f32> = senses
            .meanings
            .passages
            .iter()
            .map(|(passage, vector)| (*passage as usize, question.likeness(vector)))
            .filter(|(passage, _)| *passage < self.passages.len())
            .collect();
        // Without anything to compare with, a likeness says nothing.
        if passages.is_empty() {
            return None;
        }
        Some(Sensed {
            question,
            abroad,
            passages,
            lines: HashMap::new(),
        })
    }

    /// Finds out what passages mean that are not known yet, the first one of each section first, as long as there is time.
    pub fn learn(&self, senses: &mut Senses<'_>) {
        self.find_out(self.by_openings(), senses);
    }

    fn find_out(&self, mut wanted: Vec<usize>, senses: &mut Senses<'_>) {
        let known = &senses.meanings.passages;
        let mut seen = HashSet::new();
        wanted.retain(|passage| !known.contains_key(&number(*passage)) && seen.insert(*passage));
        wanted.truncate(MOST.saturating_sub(known.len()));
        for passages in wanted.chunks(AT_ONCE) {
            if !(senses.time_left)() {
                break;
            }
            let texts: Vec<String> = passages.iter().map(|passage| self.said(*passage)).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let Some(vectors) = senses.embed.embed(Role::Passage, &texts) else {
                break;
            };
            let numbers = passages.iter().map(|passage| number(*passage));
            senses.meanings.passages.extend(numbers.zip(vectors));
        }
    }

    /// The best passages by words and meaning together, best first.
    pub(super) fn fuse(&self, found: &[Found], sensed: &Sensed) -> Vec<Found> {
        let best = found.first().map_or(1.0, |found| found.score).max(f32::EPSILON);
        let likenesses = sensed.passages.values().copied();
        let (low, high) = likenesses.fold((f32::MAX, f32::MIN), |(low, high), likeness| {
            (low.min(likeness), high.max(likeness))
        });
        let range = (high - low).max(0.05);
        let mut fused: HashMap<usize, Found> = HashMap::new();
        for (passage, likeness) in &sensed.passages {
            let score = (1.0 - WORDS) * (likeness - low) / range;
            let (passage, coverage) = (*passage, 0.0);
            fused.insert(
                passage,
                Found {
                    passage,
                    score,
                    coverage,
                },
            );
        }
        for Found {
            passage,
            score,
            coverage,
        } in found
        {
            let entry = fused.entry(*passage).or_insert(Found {
                passage: *passage,
                score: 0.0,
                coverage: 0.0,
            });
            entry.score += WORDS * score / best;
            entry.coverage = *coverage;
        }
        let mut fused: Vec<Found> = fused.into_values().collect();
        fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.passage.cmp(&b.passage)));
        fused.truncate(LOOKED_AT);
        fused
    }

    /// Compares the sentences of the best passages with the question one by one.
    pub(super) fn compare(&self, found: &[Found], senses: &Senses<'_>, sensed: &mut Sensed) {
        let mut lines: Vec<usize> = found
            .iter()
            .take(CLOSELY)
            .flat_map(|found| {
                let passage = &self.passages[found.passage];
                passage.first as usize..(passage.first + passage.count) as usize
            })
            .collect();
        lines.sort_unstable();
        lines.dedup();
        let texts: Vec<&str> = lines.iter().map(|line| self.line(*line)).collect();
        if let Some(vectors) = senses.embed.embed(Role::Passage, &texts) {
            let likenesses = vectors.iter().map(|vector| sensed.question.likeness(vector));
            sensed.lines = lines.into_iter().zip(likenesses).collect();
        }
    }

    /// What a passage says, with the heading above it.
    fn said(&self, passage: usize) -> String {
        let passage = &self.passages[passage];
        let first = passage.first as usize;
        let mut text = self.heading(first).to_owned();
        for line in first..first + passage.count as usize {
            text.push(' ');
            text.push_str(self.line(line));
        }
        text
    }

    /// All passages: the first one of each section, then the second ones, and so on.
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
