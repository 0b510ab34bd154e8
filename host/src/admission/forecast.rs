//! Forecasts of what a request needs, from those before it: by operation, and by the size of the body in powers of
//! two.
//!
//! Work is a moving average of the processor time that requests took, as this machine is loaded now: of many requests
//! together the average is what counts. Memory is the most that was seen, which fades slowly. What was never seen is
//! taken from the nearest size that was, else guessed.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const MIB: u64 = 1024 * 1024;

/// Least weight of the newest request in the average of work. Files of one size differ several times over: with more weight,
/// one of them would make all that wait look late.
const MIN_WORK_WEIGHT: f64 = 0.1;

/// Part by which a request that needed less lowers what is expected of memory.
const MEMORY_FADING: f64 = 1.0 / 16.0;

/// Memory that is added to what was seen.
const MEMORY_MARGIN: f64 = 1.25;

/// Memory of an instance beside what it grows by: the pages that it writes of those it is made of.
const INSTANCE_MEMORY: usize = 4 * MIB as usize;

/// Guess of what a request with a small body needs.
const SMALL_WORK: Duration = Duration::from_millis(50);
const SMALL_MEMORY: usize = 16 * MIB as usize;

/// Body up to which a request counts as small where nothing is known of it.
const SMALL_BODY: u64 = 64 * 1024;

/// Guess of the work for a megabyte of a larger body.
const WORK_PER_MIB: Duration = Duration::from_secs(1);

/// Guess of the least work for a larger body: a file, which may turn out to be anything, so that few are let in at a time
/// until one of them has shown what they take.
const MIN_UPLOAD_WORK: Duration = Duration::from_millis(500);

/// Requests that are expected to need about the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// Name of the operation.
    pub operation: Arc<str>,
    /// Size of the body in bytes.
    pub size: u64,
}

impl Kind {
    /// Returns true if the body is so large that it is a file, most likely.
    pub fn is_file(&self) -> bool {
        self.size > SMALL_BODY
    }

    /// Returns true if the same is expected of both.
    pub fn is_like(&self, other: &Kind) -> bool {
        self.bucket() == other.bucket() && self.operation == other.operation
    }

    fn bucket(&self) -> u32 {
        u64::BITS - self.size.leading_zeros()
    }
}

/// The work and the memory of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// Time for which the whole machine computes for it.
    pub work: Duration,
    /// Bytes of memory in its sandbox, without what the component is made of.
    pub memory: usize,
}

/// Counts the use of one request so far.
#[derive(Debug, Default)]
pub struct Meter {
    work_micros: AtomicU64,
    memory: AtomicUsize,
    ended: AtomicBool,
    /// Graphs that it asked for, and those of them that it has.
    graphs_asked: AtomicU64,
    graphs_done: AtomicU64,
}

/// A graph that a request waits for, until it is dropped.
#[derive(Debug)]
pub struct AwaitedGraph<'a>(&'a Meter);

impl Drop for AwaitedGraph<'_> {
    fn drop(&mut self) {
        self.0.graphs_done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Meter {
    /// The request waits for a graph, its turn included, until what is returned is dropped.
    pub fn awaits_graph(&self) -> AwaitedGraph<'_> {
        self.graphs_asked.fetch_add(1, Ordering::Relaxed);
        AwaitedGraph(self)
    }

    /// The graphs that the request has had so far, and whether it waits for another one.
    pub fn graphs(&self) -> (u64, bool) {
        let done = self.graphs_done.load(Ordering::Relaxed);
        (done, self.graphs_asked.load(Ordering::Relaxed) > done)
    }

    /// The whole machine computed for the request.
    pub fn worked(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.work_micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// The request's sandbox has so many bytes.
    pub fn holds(&self, bytes: usize) {
        self.memory.fetch_max(bytes, Ordering::Relaxed);
    }

    /// The request is answered, or failed by itself. One that is given up has used less than it needs.
    pub fn ended(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Work so far.
    pub fn work(&self) -> Duration {
        Duration::from_micros(self.work_micros.load(Ordering::Relaxed))
    }

    /// The most memory so far.
    pub fn memory(&self) -> usize {
        self.memory.load(Ordering::Relaxed)
    }
}

/// Knows requests by those that are over.
#[derive(Debug)]
pub struct Forecast {
    seen: Mutex<HashMap<Arc<str>, BTreeMap<u32, Seen>>>,
    max_memory: usize,
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    work: f64,
    memory: f64,
    /// Requests so far.
    count: u32,
}

impl Forecast {
    /// Knows nothing yet, but that a sandbox may have `max_memory` bytes.
    pub fn new(max_memory: usize) -> Self {
        Self {
            seen: Mutex::default(),
            max_memory,
        }
    }

    /// Expects the needs of a request.
    pub fn expect(&self, kind: &Kind) -> Needs {
        let bucket = kind.bucket();
        // Nothing panics while it is locked.
        let all = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let nearest = all
            .get(&kind.operation)
            .and_then(|sizes| sizes.iter().min_by_key(|(size, _)| size.abs_diff(bucket)));
        let Some((size, seen)) = nearest else {
            return self.guess(kind);
        };
        // A small file may be a large picture: work and memory shrink more slowly than the body.
        let powers = f64::from(bucket) - f64::from(*size);
        let scale = if powers < 0.0 { powers / 2.0 } else { powers }.exp2();
        let memory = (seen.memory * scale * MEMORY_MARGIN) as usize;
        Needs {
            work: Duration::from_secs_f64((seen.work * scale).min(1e6)),
            memory: memory.saturating_add(INSTANCE_MEMORY).min(self.max_memory),
        }
    }

    /// Learns from a request that is over.
    pub fn learn(&self, kind: &Kind, used: &Meter) {
        let (work, memory) = (used.work().as_secs_f64(), used.memory() as f64);
        let mut all = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.get(&kind.operation).and_then(|sizes| sizes.get(&kind.bucket()));
        let more = match known {
            Some(seen) => work > seen.work || memory > seen.memory,
            None => used.work() > self.guess(kind).work,
        };
        if !used.ended.load(Ordering::Relaxed) && !more {
            return;
        }
        let sizes = all.entry(Arc::clone(&kind.operation)).or_default();
        let seen = sizes.entry(kind.bucket()).or_insert(Seen { work, memory, count: 0 });
        seen.count = seen.count.saturating_add(1);
        seen.work += (work - seen.work) * (1.0 / f64::from(seen.count)).max(MIN_WORK_WEIGHT);
        seen.memory = memory.max(seen.memory + (memory - seen.memory) * MEMORY_FADING);
    }

    fn guess(&self, kind: &Kind) -> Needs {
        if !kind.is_file() {
            return Needs {
                work: SMALL_WORK,
                memory: SMALL_MEMORY.min(self.max_memory),
            };
        }
        Needs {
            work: WORK_PER_MIB.mul_f64(kind.size as f64 / MIB as f64).max(MIN_UPLOAD_WORK),
            memory: self.max_memory,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(size: u64) -> Kind {
        Kind {
            operation: "image/analyze".into(),
            size,
        }
    }

    fn used(seconds: u64, memory: usize) -> Meter {
        let meter = Meter::default();
        meter.worked(Duration::from_secs(seconds));
        meter.holds(memory);
        meter.ended();
        meter
    }

    #[test]
    fn what_was_seen_is_expected_again_and_of_other_sizes_in_proportion() {
        let forecast = Forecast::new(256 << 20);
        assert_eq!(forecast.expect(&kind(100)).work, SMALL_WORK);
        assert_eq!(forecast.expect(&kind(4 << 20)).work, Duration::from_secs(4));
        assert_eq!(
            forecast.expect(&kind(4 << 20)).memory,
            256 << 20,
            "nothing is known of it"
        );
        forecast.learn(&kind(1_500_000), &used(8, 80 << 20));
        let expected = forecast.expect(&kind(1_400_000));
        assert_eq!((expected.work, expected.memory), (Duration::from_secs(8), 104 << 20));
        let smaller = forecast.expect(&kind(400_000)).work;
        assert_eq!(
            smaller,
            Duration::from_secs(4),
            "a quarter of the size, half of the work"
        );
        assert_eq!(forecast.expect(&kind(3_000_000)).work, Duration::from_secs(16));
        assert_eq!(
            forecast.expect(&kind(9_000_000)).memory,
            256 << 20,
            "never more than it may have"
        );
    }

    #[test]
    fn what_was_given_up_says_only_that_more_is_needed() {
        let forecast = Forecast::new(256 << 20);
        let given_up = |seconds| {
            let meter = Meter::default();
            meter.worked(Duration::from_secs(seconds));
            meter
        };
        forecast.learn(&kind(1_500_000), &given_up(1));
        assert_eq!(forecast.expect(&kind(1_500_000)).memory, 256 << 20, "nothing is known");
        forecast.learn(&kind(1_500_000), &used(8, 80 << 20));
        forecast.learn(&kind(1_500_000), &given_up(1));
        assert_eq!(forecast.expect(&kind(1_500_000)).work, Duration::from_secs(8));
        forecast.learn(&kind(1_500_000), &given_up(18));
        assert_eq!(forecast.expect(&kind(1_500_000)).work, Duration::from_secs(13));
    }

    #[test]
    fn work_follows_quickly_and_memory_fades_slowly() {
        let forecast = Forecast::new(256 << 20);
        forecast.learn(&kind(1_500_000), &used(8, 80 << 20));
        for _ in 0..10 {
            forecast.learn(&kind(1_500_000), &used(1, 8 << 20));
        }
        let expected = forecast.expect(&kind(1_500_000));
        assert!(expected.work < Duration::from_millis(1_700), "{expected:?}");
        assert!(expected.memory > 50 << 20, "{expected:?}");
    }

    #[test]
    fn one_that_takes_much_longer_changes_little() {
        let forecast = Forecast::new(256 << 20);
        for _ in 0..10 {
            forecast.learn(&kind(1_500_000), &used(1, 8 << 20));
        }
        forecast.learn(&kind(1_500_000), &used(5, 8 << 20));
        assert_eq!(forecast.expect(&kind(1_500_000)).work, Duration::from_millis(1_400));
    }
}
