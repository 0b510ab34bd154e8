//! What a version has done so far.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use arc_swap::ArcSwapOption;

use super::sample::Sample;
use crate::telemetry::access::{Access, End};

/// How a request to a version went, as far as it says something about the version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It has an answer with a status below 400.
    Answered,
    /// The component refused it with a status from 400 to 499.
    Refused,
    /// It failed in the service: a status of 500 or more, or an answer that was cut off.
    Failed,
}

impl Outcome {
    /// The outcome of a request that is over; none where the version did not come to run, the client left, or the
    /// request was stopped before the component could judge it.
    fn of(access: &Access) -> Option<Self> {
        let (status, _) = access.answer?;
        match (access.end(), status.as_u16(), access.code) {
            (End::ClientLeft, ..) => None,
            (End::CutOff, ..) | (_, 500.., _) => Some(Outcome::Failed),
            (_, 400.., Some(_)) => None,
            (_, 400.., None) => Some(Outcome::Refused),
            _ => Some(Outcome::Answered),
        }
    }
}

/// Counts what a version does.
#[derive(Default)]
pub struct Record {
    since: AtomicU64,
    requests: AtomicU64,
    errors: AtomicU64,
    sample: ArcSwapOption<Sample>,
}

impl Record {
    /// The version serves from now on.
    pub fn begin(&self) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        self.since.store(now.as_secs(), Ordering::Relaxed);
    }

    /// Since when it serves: RFC 3339, UTC. Empty where it never did.
    pub fn since(&self) -> String {
        match self.since.load(Ordering::Relaxed) {
            0 => String::new(),
            seconds => jiff::Timestamp::from_second(seconds.try_into().unwrap_or(i64::MAX))
                .map_or_else(|_| String::new(), |since| since.to_string()),
        }
    }

    /// Requests that are over, and how many of them failed.
    pub fn counts(&self) -> (u64, u64) {
        (
            self.requests.load(Ordering::Relaxed),
            self.errors.load(Ordering::Relaxed),
        )
    }

    /// From now on requests are also counted in a sample; `None` ends that.
    pub fn sample(&self, sample: Option<Arc<Sample>>) {
        self.sample.store(sample);
    }

    /// A request that this version was chosen for is over.
    pub fn finished(&self, access: &Access) {
        let Some(outcome) = Outcome::of(access) else {
            return;
        };
        self.requests.fetch_add(1, Ordering::Relaxed);
        if outcome == Outcome::Failed {
            self.errors.fetch_add(1, Ordering::Relaxed);
        }
        if let (Some(sample), Some(operation), Some((_, head))) =
            (&*self.sample.load(), access.operation, access.answer)
        {
            sample.add(operation, outcome, head, access.started.elapsed());
        }
    }
}
