//! Measurements of a version while it is compared with another.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hdrhistogram::Histogram;
use quartet_api::operations::Answer;

use crate::capabilities::operation::Operation;

/// Longest time that the histogram tells apart, in microseconds.
const MAX_TIME_MICROS: u64 = 600_000_000;

/// The outcome of a request, as far as it says something about the version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Answered with a status below 400.
    Answered,
    /// The component refused it with a status from 400 to 499.
    Refused,
    /// Failed in the service: a status of 500 or more, or an answer that was cut off.
    Failed,
}

/// Numbers of one version since a trial began.
#[derive(Default)]
pub struct Sample(Mutex<Tally>);

/// Counts, and times by operation.
#[derive(Default, Clone)]
pub struct Tally {
    /// Requests with an outcome.
    pub requests: u64,
    /// Requests that failed in the service.
    pub failed: u64,
    /// Requests that the component refused.
    pub refused: u64,
    /// Microseconds of the requests that were answered, by the path of the operation: whole answers until they are
    /// over, streams until they begin.
    pub times: BTreeMap<String, Histogram<u32>>,
}

impl Sample {
    /// Counts a request: `head` is the time until its answer began, `whole` until it was over.
    pub fn add(&self, operation: &Operation, outcome: Outcome, head: Duration, whole: Duration) {
        let mut tally = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tally.requests += 1;
        match outcome {
            Outcome::Failed => tally.failed += 1,
            Outcome::Refused => tally.refused += 1,
            Outcome::Answered => {
                let time = match operation.answer {
                    Answer::Whole => whole,
                    // What is whole is there with its head, nearly.
                    Answer::Stream | Answer::Events => head,
                };
                let micros = u64::try_from(time.as_micros()).unwrap_or(MAX_TIME_MICROS).max(1);
                if let Some(times) = tally.times(&operation.path) {
                    times.saturating_record(micros);
                }
            }
        }
    }

    /// The numbers so far.
    pub fn tally(&self) -> Tally {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Tally {
    /// Adds other numbers to these.
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.failed += other.failed;
        self.refused += other.refused;
        for (path, times) in &other.times {
            if let Some(own) = self.times(path) {
                // Both have the same bounds, so that each time of one has a place in the other.
                let _ = own.add(times);
            }
        }
    }

    /// The times of an operation; a histogram keeps two digits of them in a few kilobytes, however many there are.
    pub fn times(&mut self, path: &str) -> Option<&mut Histogram<u32>> {
        if !self.times.contains_key(path) {
            let times = Histogram::new_with_bounds(1, MAX_TIME_MICROS, 2).ok()?;
            self.times.insert(path.to_owned(), times);
        }
        self.times.get_mut(path)
    }
}
