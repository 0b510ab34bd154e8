//! One of the sequences that are computed side by side: the tokens that the context holds of it, and the answer that is
//! being written.

use std::time::{Duration, Instant};

use llama_cpp_2::token::LlamaToken;

use super::draft::DraftLength;
use super::owner::Owner;
use super::sampling::Sampler;
use crate::pieces::Pieces;
use crate::protocol::{Finish, Options, Outcome, Token};

/// The factor by which a prompt may be read faster than lately, as far as hope goes.
const HOPE: f64 = 2.0;

/// A sequence.
pub struct Sequence {
    /// Its number in the context.
    pub number: i32,
    /// Its tokens; the context holds the first `fed` of them.
    pub tokens: Vec<LlamaToken>,
    /// Number of tokens computed.
    pub fed: usize,
    /// When it was last used, as the number of the answer.
    pub used: u64,
    /// Whose the tokens are.
    pub owner: Owner,
    /// The answer that is being written.
    pub running: Option<Running>,
}

/// An answer that is being written.
pub struct Running {
    /// The host's number for it.
    pub id: u64,
    /// Draws tokens.
    pub sampler: Sampler,
    /// Makes text of them.
    pub pieces: Pieces,
    /// The length of its drafts.
    pub draft: DraftLength,
    /// Text that was not sent yet.
    pub unsaid: String,
    /// Tokens of the answer so far.
    pub answer: u32,
    /// Probability of each, where that was asked for.
    pub tokens: Vec<Token>,
    /// Tokens that it may have.
    pub most: u32,
    /// When it was begun.
    pub begun: Instant,
    /// When its time is over.
    pub deadline: Option<Instant>,
    /// Time computed for it that was not told yet.
    pub busy: Duration,
    /// Reason why it is over, when it is.
    pub over: Option<Finish>,
    /// The number of the answer: the smaller, the older.
    pub number: u64,
    /// Tokens of the prompt.
    pub prompt: usize,
    /// Tokens of the prompt that the context held already.
    pub cached: usize,
}

impl Sequence {
    /// An empty one.
    pub fn new(number: u32) -> Self {
        Self {
            number: i32::try_from(number).unwrap_or(i32::MAX),
            tokens: Vec::new(),
            fed: 0,
            used: 0,
            owner: Owner::default(),
            running: None,
        }
    }

    /// Returns true if no answer is being written.
    pub fn is_idle(&self) -> bool {
        self.running.is_none()
    }

    /// Returns true if the prompt of an answer is not read to its end.
    pub fn is_reading(&self) -> bool {
        self.running.as_ref().is_some_and(|running| self.fed < running.prompt)
    }

    /// Returns true if the answer's time is over, or will be when its prompt is read, where `pace` tokens were computed in a second
    /// lately. What the host has read for everybody goes on in a later request from where it was: on a slow machine it would
    /// never be read otherwise.
    pub fn is_late(&self, now: Instant, pace: f64) -> bool {
        let Some(running) = &self.running else { return false };
        let Some(deadline) = running.deadline else { return false };
        let time = deadline.saturating_duration_since(now);
        let unread = match self.is_reading() {
            true => self.tokens.len() - self.fed,
            false => 0,
        };
        time.is_zero() || self.owner.is_client() && is_too_much(unread, pace, time)
    }

    /// The number that the host gave the answer.
    pub fn id(&self) -> Option<u64> {
        self.running.as_ref().map(|running| running.id)
    }

    /// The tokens that the context holds.
    pub fn held(&self) -> &[LlamaToken] {
        &self.tokens[..self.fed]
    }

    /// Begins an answer to a prompt, of which the context holds the first `cached` tokens for this sequence.
    pub fn begin(&mut self, prompt: Vec<LlamaToken>, cached: usize, owner: Owner, running: Running) {
        self.tokens = prompt;
        self.fed = cached;
        self.used = running.number;
        self.owner = owner;
        self.running = Some(running);
    }

    /// The context holds the first `fed` tokens now, though nothing was computed for them here; so many of them are everybody's.
    pub fn take(&mut self, fed: usize, everybodys: usize) {
        if let Some(running) = &mut self.running {
            running.cached += fed - self.fed;
        }
        self.fed = fed;
        self.owner.learn_common(everybodys);
    }

    /// Ends the answer; what was computed stays.
    pub fn end(&mut self) -> Option<Running> {
        self.tokens.truncate(self.fed);
        self.owner.touch();
        self.running.take()
    }

    /// The context holds only the first `tokens` of it any more.
    pub fn truncate(&mut self, tokens: usize) {
        self.tokens.truncate(tokens);
        self.fed = self.fed.min(tokens);
    }

    /// The context holds nothing of it any more.
    pub fn forget(&mut self) {
        self.truncate(0);
    }
}

impl Running {
    /// An answer with nothing written yet.
    pub fn new(
        id: u64,
        prompt: usize,
        cached: usize,
        number: u64,
        deadline: Option<Instant>,
        sampler: Sampler,
        options: Options,
    ) -> Self {
        Self {
            id,
            sampler,
            pieces: Pieces::new(options.stop),
            draft: DraftLength::default(),
            unsaid: String::new(),
            answer: 0,
            tokens: Vec::new(),
            most: options.max_tokens,
            begun: Instant::now(),
            deadline,
            busy: Duration::ZERO,
            over: None,
            number,
            prompt,
            cached,
        }
    }

    /// The time computed for it since the last call, in microseconds.
    pub fn take_busy(&mut self) -> u64 {
        let busy = std::mem::take(&mut self.busy);
        u64::try_from(busy.as_micros()).unwrap_or(u64::MAX)
    }

    /// Outcome of the answer.
    pub fn outcome(&self, finish: Finish) -> Outcome {
        let count = |tokens| u32::try_from(tokens).unwrap_or(u32::MAX);
        Outcome {
            finish,
            prompt_tokens: count(self.prompt),
            cached_tokens: count(self.cached),
            answer_tokens: self.answer,
            probability: self.sampler.probability(),
        }
    }
}

/// Returns true if so many tokens of a prompt cannot be read in a time, even if it goes twice as fast as lately.
fn is_too_much(unread: usize, pace: f64, time: Duration) -> bool {
    unread as f64 > HOPE * pace * time.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sequence of a client's, or of the host's, with a prompt of so many tokens and ten seconds to answer.
    fn begun(client: Option<u64>, tokens: i32, now: Instant) -> Sequence {
        let options = Options {
            max_tokens: 1,
            ..Options::default()
        };
        let sampler = Sampler::new(&options, None);
        let prompt: Vec<_> = (0..tokens).map(LlamaToken).collect();
        let deadline = Some(now + Duration::from_secs(10));
        let running = Running::new(1, prompt.len(), 0, 1, deadline, sampler, options);
        let mut sequence = Sequence::new(0);
        sequence.begin(prompt, 0, Owner::new(client, 0), running);
        sequence
    }

    #[test]
    fn what_the_host_reads_for_everybody_is_read_to_the_end_of_its_time() {
        let now = Instant::now();
        assert!(begun(Some(1), 500, now).is_late(now, 20.0));
        assert!(!begun(None, 500, now).is_late(now, 20.0));
        assert!(begun(None, 500, now).is_late(now + Duration::from_secs(10), 20.0));
    }

    #[test]
    fn a_prompt_that_cannot_be_read_in_time_is_known() {
        let time = Duration::from_secs(10);
        assert!(!is_too_much(0, 20.0, Duration::ZERO), "it is read");
        assert!(!is_too_much(400, 20.0, time), "it may go faster");
        assert!(is_too_much(401, 20.0, time));
    }
}
