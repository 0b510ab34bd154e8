//! Counts the requests of a version.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use arc_swap::ArcSwapOption;

use super::sample::{Outcome, Sample};
use crate::capabilities::operation::Operation;

/// Counters of a version's requests.
#[derive(Default)]
pub struct Record {
    since: AtomicU64,
    requests: AtomicU64,
    errors: AtomicU64,
    sample: ArcSwapOption<Sample>,
}

impl Record {
    /// Notes that the version serves from now on.
    pub fn begin(&self) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        self.since.store(now.as_secs(), Ordering::Relaxed);
    }

    /// Time at which it began to serve, in seconds since 1970; 0 where it never did.
    pub fn since_seconds(&self) -> u64 {
        self.since.load(Ordering::Relaxed)
    }

    /// Time at which it began to serve: RFC 3339, UTC. Empty where it never did.
    pub fn since(&self) -> String {
        match self.since_seconds() {
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

    /// Counts further requests in a sample, too; `None` ends that.
    pub fn sample(&self, sample: Option<Arc<Sample>>) {
        self.sample.store(sample);
    }

    /// Counts a request that is over: `head` is the time until its answer began, `whole` until it was
    /// over.
    pub fn finished(&self, operation: &Operation, outcome: Outcome, head: Duration, whole: Duration) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        if outcome == Outcome::Failed {
            self.errors.fetch_add(1, Ordering::Relaxed);
        }
        if let Some(sample) = &*self.sample.load() {
            sample.add(operation, outcome, head, whole);
        }
    }
}
