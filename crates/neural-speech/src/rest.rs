//! The rest of a long text, whose lengths are computed while its sound is made: a length is reserved for it beforehand, by the pace of
//! some of its utterances, and all of them are fitted into that, each a little slower or faster than by itself.

use std::collections::VecDeque;

use crate::planned::Planned;
use crate::utterance::Utterance;

/// Utterances whose lengths are known before they are made: the last of a text end with what is reserved, and the more of them are known,
/// the less each is changed.
const KNOWN: usize = 6;

/// Factor on the length of an utterance at most, beyond which silence at the end is better.
const MOST_SLOWED: f64 = 1.1;

/// The pace of utterances: short ones have more silence, at their ends.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pace {
    /// Symbols between the ends, and their steps.
    symbols: (u64, u64),
    /// Utterances, and the steps of the silences at their ends.
    ends: (u64, u64),
}

impl Pace {
    pub fn add(&mut self, planned: &Planned) {
        let ends = planned.steps.first().into_iter().chain(planned.steps.last());
        let ends: u64 = ends.copied().map(u64::from).sum();
        self.symbols.0 += planned.utterance.symbols() - 2;
        self.symbols.1 += planned.steps().saturating_sub(ends);
        self.ends.0 += 1;
        self.ends.1 += ends;
    }

    /// Steps of so many utterances that have so many symbols with their ends.
    fn steps(&self, utterances: u64, symbols: u64) -> f64 {
        let rate = |(count, steps): (u64, u64)| steps as f64 / count.max(1) as f64;
        rate(self.ends) * utterances as f64 + rate(self.symbols) * symbols.saturating_sub(2 * utterances) as f64
    }
}

/// Utterances of which only the number of symbols is known, and what is reserved for them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rest {
    utterances: u64,
    /// Symbols, with the silences at both ends of each utterance.
    symbols: u64,
    /// Milliseconds of the pauses between utterances.
    pauses: u64,
    pace: Pace,
}

impl Rest {
    /// `utterances` that have a pace.
    pub fn new(utterances: &[Utterance], pace: Pace) -> Self {
        // The last one has no pause.
        let [before @ .., _] = utterances else {
            return Self::default();
        };
        Self {
            utterances: utterances.len() as u64,
            symbols: utterances.iter().map(Utterance::symbols).sum(),
            pauses: before.iter().map(|utterance| u64::from(utterance.pause)).sum(),
            pace,
        }
    }

    /// Steps that are reserved, without the pauses.
    pub fn steps(&self) -> u64 {
        // Each symbol has one at least.
        (self.pace.steps(self.utterances, self.symbols).ceil() as u64).max(self.symbols)
    }

    /// Milliseconds of the pauses.
    pub const fn pauses(&self) -> u64 {
        self.pauses
    }
}

/// Utterances that are fitted, one after the other, into what is reserved.
pub struct Fitting {
    /// Steps that are left.
    steps: u64,
    /// Utterances whose lengths are not known, and their symbols.
    unknown: (u64, u64),
    pace: Pace,
    known: VecDeque<Planned>,
}

impl Fitting {
    pub fn new(rest: &Rest) -> Self {
        Self {
            steps: rest.steps(),
            unknown: (rest.utterances, rest.symbols),
            pace: rest.pace,
            known: VecDeque::new(),
        }
    }

    /// True if the lengths of more utterances should be known, if there are more.
    pub fn wants_more(&self) -> bool {
        self.known.len() < KNOWN
    }

    /// Adds an utterance with the lengths that its symbols have by themselves.
    pub fn add(&mut self, planned: Planned) {
        let (utterances, symbols) = self.unknown;
        self.unknown = (
            utterances.saturating_sub(1),
            symbols.saturating_sub(planned.utterance.symbols()),
        );
        self.pace.add(&planned);
        self.known.push_back(planned);
    }

    /// The next utterance, fitted. The last one has no pause but the silence that is left.
    pub fn next(&mut self) -> Option<Planned> {
        let mut planned = self.known.pop_front()?;
        let own = planned.steps();
        let known: u64 = self.known.iter().map(Planned::steps).sum();
        let unknown = self.pace.steps(self.unknown.0, self.unknown.1);
        let factor = self.steps as f64 / ((own + known) as f64 + unknown).max(1.0);
        let steps = (own as f64 * factor.min(MOST_SLOWED)).round() as u64;
        // Each symbol to come has a step at least.
        let others = self.unknown.1 + self.known.iter().map(|other| other.utterance.symbols()).sum::<u64>();
        planned.fit(steps.min(self.steps.saturating_sub(others)));
        self.steps = self.steps.saturating_sub(planned.steps());
        if self.known.is_empty() && self.unknown.0 == 0 {
            planned.end_with(self.steps);
        }
        Some(planned)
    }
}
