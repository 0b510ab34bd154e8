//! Speech of known length: planned in one pass over the clauses, made in a second.
//!
//! The size in a WAV header and a `Content-Length` are sent before the speech, so they have to be known before it is
//! made, and making it takes too long to be done twice. So a first, fast pass lays every clause out in time
//! ([`super::articulation`]) and keeps its length; the second makes the sound. Between them, a plan keeps four bytes
//! for each clause. Both must be given the same clauses; with others, the total still is what was planned.

use quartet_api::tts::SAMPLE_RATE;
use quartet_api::{Language, Voice};

use super::phrase::{self, Phrase};
use super::{post_process, render, voice};
use quartet_text_normalization::alignment::Group;
use quartet_text_normalization::{Clause, Pause};

/// The seconds that a number of samples lasts.
pub fn seconds(samples: u64) -> f64 {
    samples as f64 / f64::from(SAMPLE_RATE)
}

/// The length of a text's speech, and of every clause in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    voice: Voice,
    /// In percent of the voice's own.
    speed: u16,
    /// The length of every clause with its pause, in samples.
    slots: Vec<u32>,
}

/// Silence before the first sound and after the last, in samples: 50 and 100 ms.
const LEAD_SAMPLES: u32 = SAMPLE_RATE / 20;
const TRAIL_SAMPLES: u32 = SAMPLE_RATE / 10;

impl Plan {
    /// Plans the speech of `clauses` by `voice`.
    pub fn new(clauses: impl Iterator<Item = Clause>, voice: Voice) -> Self {
        Self::with_speed(clauses, voice, 100)
    }

    /// Plans the speech of `clauses` by `voice`, with a speed in percent of the voice's own, above zero.
    pub fn with_speed(mut clauses: impl Iterator<Item = Clause>, voice: Voice, speed: u16) -> Self {
        let mut plan = Self {
            voice,
            speed: speed.max(1),
            slots: Vec::new(),
        };
        let mut last_pause = 0;
        loop {
            let batch = phrase::next_batch(&mut clauses);
            if batch.is_empty() {
                break;
            }
            for (clause, phrases) in batch.iter().zip(phrase::translate(&batch)) {
                let mut length = render::length(&phrases, voice, plan.speed);
                if length > 0 {
                    last_pause = pause(clause.pause, voice) * 100 / u32::from(plan.speed);
                    length += u64::from(last_pause);
                }
                plan.slots.push(u32::try_from(length).unwrap_or(u32::MAX));
            }
        }
        // After the last sound, nothing follows that a pause would be before.
        if let Some(last) = plan.slots.iter_mut().rfind(|slot| **slot > 0) {
            *last -= last_pause;
        }
        plan
    }

    /// The exact number of samples: zero where there is nothing to say.
    pub fn samples(&self) -> u64 {
        let speech: u64 = self.slots.iter().copied().map(u64::from).sum();
        if speech == 0 {
            0
        } else {
            u64::from(LEAD_SAMPLES) + speech + u64::from(TRAIL_SAMPLES)
        }
    }

    /// The clauses with the words that are heard of each, at samples of the speech.
    ///
    /// `clauses` are those that the plan was made of.
    pub fn words<C>(&self, mut clauses: C) -> impl Iterator<Item = (Clause, Vec<Group>)>
    where
        C: Iterator<Item = Clause>,
    {
        let mut slots = self.slots.iter();
        let mut start = u64::from(LEAD_SAMPLES);
        let batches = std::iter::from_fn(move || {
            let batch = phrase::next_batch(&mut clauses);
            (!batch.is_empty()).then_some(batch)
        });
        batches.flat_map(move |batch| {
            let phrases = phrase::translate(&batch);
            let clauses = batch.into_iter().zip(phrases).map(|(clause, phrases)| {
                let words = render::words(&phrases, self.voice, self.speed, start);
                start += slots.next().copied().map_or(0, u64::from);
                (clause, words)
            });
            clauses.collect::<Vec<_>>()
        })
    }

    /// Synthesises the speech: chunks of at most two seconds, which add up to [`Plan::samples`].
    ///
    /// `clauses` are those that the plan was made of.
    pub fn synthesise<C: Iterator<Item = Clause>>(self, clauses: C) -> SpeechChunks<C> {
        let left = self.samples();
        SpeechChunks {
            voice: self.voice,
            speed: self.speed,
            slots: self.slots.into_iter(),
            clauses,
            batch: Vec::new().into_iter(),
            speech: Vec::new(),
            position: 0,
            silence: u64::from(LEAD_SAMPLES).min(left),
            left,
        }
    }
}

/// The speech of a planned text, chunk by chunk.
#[derive(Debug)]
pub struct SpeechChunks<C> {
    voice: Voice,
    speed: u16,
    /// The lengths of the clauses that are still to come.
    slots: std::vec::IntoIter<u32>,
    /// The clauses of the batches that are still to come.
    clauses: C,
    /// The clauses of the batch that are still to come.
    batch: std::vec::IntoIter<Vec<Phrase>>,
    /// Speech that is being sent.
    speech: Vec<i16>,
    /// The part of it that has been sent, in samples.
    position: usize,
    /// Silence that follows the speech, in samples.
    silence: u64,
    /// Samples that are still to be sent, all in all.
    left: u64,
}

/// The length of a chunk in samples: two seconds.
const CHUNK_SAMPLES: usize = 2 * SAMPLE_RATE as usize;

impl<C: Iterator<Item = Clause>> Iterator for SpeechChunks<C> {
    type Item = Vec<i16>;

    fn next(&mut self) -> Option<Vec<i16>> {
        let mut chunk = Vec::new();
        while chunk.len() < CHUNK_SAMPLES && self.left > 0 {
            let room = (CHUNK_SAMPLES - chunk.len()).min(usize::try_from(self.left).unwrap_or(CHUNK_SAMPLES));
            let rest = &self.speech[self.position..];
            let count = if !rest.is_empty() {
                let count = rest.len().min(room);
                chunk.extend_from_slice(&rest[..count]);
                self.position += count;
                count
            } else if self.silence > 0 {
                let count = usize::try_from(self.silence).unwrap_or(room).min(room);
                chunk.resize(chunk.len() + count, 0);
                self.silence -= count as u64;
                count
            } else if let Some(slot) = self.slots.next() {
                self.make(slot);
                0
            } else {
                self.silence = self.left;
                0
            };
            self.left -= count as u64;
        }
        (!chunk.is_empty()).then_some(chunk)
    }
}

impl<C: Iterator<Item = Clause>> SpeechChunks<C> {
    /// Makes the next clause's speech and the silence after it.
    fn make(&mut self, slot: u32) {
        if self.batch.len() == 0 {
            self.batch = phrase::translate(&phrase::next_batch(&mut self.clauses)).into_iter();
        }
        let phrases = self.batch.next().unwrap_or_default();
        self.speech = post_process::post_process(
            render::samples(&phrases, self.voice, self.speed),
            main_language(&phrases),
            self.voice,
        );
        self.position = 0;
        // Longer than planned only if it is not the clause that was planned.
        self.speech.truncate(slot as usize);
        self.silence = u64::from(slot) - self.speech.len() as u64;
    }
}

/// The language of most of a clause.
fn main_language(phrases: &[Phrase]) -> Language {
    phrases
        .iter()
        .max_by_key(|phrase| phrase.codes.len())
        .map_or(Language::English, |phrase| phrase.language)
}

/// The silence after a clause, in samples.
fn pause(pause: Pause, voice: Voice) -> u32 {
    let milliseconds = match pause {
        Pause::Clause => 180,
        Pause::Sentence => 400,
        Pause::Paragraph => 750,
    };
    milliseconds * SAMPLE_RATE / 1_000 * voice::profile(voice).pauses / 100
}
