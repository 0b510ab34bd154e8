//! The rest of a long text, whose lengths are computed while its sound is made: a length is reserved for it beforehand, by the number of
//! its symbols, and its utterances are fitted into that, each a little slower or faster than by itself.

use std::collections::VecDeque;

use crate::planned::Planned;
use crate::utterance::Utterance;

/// Utterances whose lengths are known before they are made: the last of a text end with what is reserved, and the more of them are known,
/// the less each is changed.
const KNOWN: usize = 6;

/// Factor on the length of an utterance at most, beyond which silence at the end is better.
const MOST_SLOWED: f64 = 1.1;

/// Utterances of which only the number of symbols is known, and what is reserved for them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rest {
    /// Symbols, with the silences at both ends of each utterance.
    symbols: u64,
    /// Milliseconds of the pauses between utterances.
    pauses: u64,
    /// The pause behind the last one so far, which is none if it stays the last.
    last_pause: u64,
    /// Steps of a symbol, on average.
    rate: f64,
}

impl Rest {
    /// Nothing yet, behind so many symbols that take so many steps.
    pub fn after(symbols: u64, steps: u64) -> Self {
        Self {
            rate: steps as f64 / symbols.max(1) as f64,
            ..Self::default()
        }
    }

    pub fn add(&mut self, utterance: &Utterance) {
        self.symbols += utterance.symbols();
        self.pauses += self.last_pause;
        self.last_pause = u64::from(utterance.pause);
    }

    /// True if there is no utterance.
    pub const fn is_nothing(&self) -> bool {
        self.symbols == 0
    }

    /// Steps that are reserved, without the pauses.
    pub fn steps(&self) -> u64 {
        (self.symbols as f64 * self.rate).ceil() as u64
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
    /// Symbols whose lengths are not known.
    unknown: u64,
    /// Symbols whose lengths were known, and their steps.
    seen: (u64, u64),
    known: VecDeque<Planned>,
}

impl Fitting {
    /// Into `rest`, behind so many symbols that take so many steps.
    pub fn new(rest: &Rest, symbols: u64, steps: u64) -> Self {
        Self {
            steps: rest.steps(),
            unknown: rest.symbols,
            seen: (symbols, steps),
            known: VecDeque::new(),
        }
    }

    /// True if the lengths of more utterances should be known, if there are more.
    pub fn wants_more(&self) -> bool {
        self.known.len() < KNOWN
    }

    /// Adds an utterance with the lengths that its symbols have by themselves.
    pub fn add(&mut self, planned: Planned) {
        let (symbols, steps) = (planned.utterance.symbols(), planned.steps());
        self.unknown = self.unknown.saturating_sub(symbols);
        self.seen = (self.seen.0 + symbols, self.seen.1 + steps);
        self.known.push_back(planned);
    }

    /// The next utterance, fitted. The last one has no pause but the silence that is left.
    pub fn next(&mut self) -> Option<Planned> {
        let mut planned = self.known.pop_front()?;
        let own = planned.steps();
        let known: u64 = self.known.iter().map(Planned::steps).sum();
        let unknown = self.unknown as f64 * self.seen.1 as f64 / self.seen.0.max(1) as f64;
        let factor = self.steps as f64 / ((own + known) as f64 + unknown).max(1.0);
        let steps = (own as f64 * factor.min(MOST_SLOWED)).round() as u64;
        // Each symbol to come has a step at least.
        let others = self.unknown + self.known.iter().map(|other| other.utterance.symbols()).sum::<u64>();
        planned.fit(steps.min(self.steps.saturating_sub(others)));
        self.steps = self.steps.saturating_sub(planned.steps());
        if self.known.is_empty() && self.unknown == 0 {
            planned.end_with(self.steps);
        }
        Some(planned)
    }
}
