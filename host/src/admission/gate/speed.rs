//! The speed at which heavy requests get on: what runs beside them, light requests, streams and the language model, takes its
//! share of the machine, and the forecast of their work does not know how much.

use std::time::{Duration, Instant};

/// Time after which what was measured counts a third.
const FADING: Duration = Duration::from_secs(10);

/// Time of waiting, faded, below which nothing is said: work is counted in lumps, of a graph when it is done.
const MIN_WAITED: Duration = Duration::from_secs(3);

/// Most by which time is stretched: what was slower than this for seconds may be over soon.
const MAX_STRETCH: f64 = 4.0;

/// A measurement of the work that is done while heavy requests wait.
#[derive(Debug, Default)]
pub struct Speed {
    at: Option<Instant>,
    waited: f64,
    worked: f64,
}

impl Speed {
    /// Takes the work done since the last call, and whether a heavy request waited since then.
    pub fn observe(&mut self, now: Instant, waiting: bool, work: Duration) {
        let passed = self.at.replace(now).map_or(Duration::ZERO, |at| now.duration_since(at));
        let passed = passed.as_secs_f64();
        let kept = (-passed / FADING.as_secs_f64()).exp();
        self.waited *= kept;
        self.worked *= kept;
        if waiting {
            self.waited += passed;
            self.worked += work.as_secs_f64();
        }
    }

    /// The time that a second of work takes, from 1 on.
    pub fn stretch(&self) -> f64 {
        if self.waited < MIN_WAITED.as_secs_f64() {
            return 1.0;
        }
        (self.waited / self.worked.max(f64::EPSILON)).clamp(1.0, MAX_STRETCH)
    }
}

#[cfg(test)]
impl Speed {
    /// A speed at which a second of work takes `stretch`.
    pub fn of(stretch: f64) -> Self {
        Self {
            at: None,
            waited: 100.0,
            worked: 100.0 / stretch,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_stretched_by_what_is_done_while_others_wait() {
        let (start, mut speed) = (Instant::now(), Speed::default());
        let second = |number: u64| start + Duration::from_secs(number);
        let half = Duration::from_millis(500);
        speed.observe(second(0), false, half);
        for now in 1..3 {
            speed.observe(second(now), true, half);
        }
        assert_eq!(speed.stretch(), 1.0, "two seconds say little");
        for now in 3..30 {
            speed.observe(second(now), true, half);
        }
        assert!((speed.stretch() - 2.0).abs() < 0.01, "{}", speed.stretch());
        // It gets on at full speed again.
        for now in 30..60 {
            speed.observe(second(now), true, Duration::from_secs(1));
        }
        assert!(speed.stretch() < 1.1, "{}", speed.stretch());
        // Nothing is done at all.
        for now in 60..120 {
            speed.observe(second(now), true, Duration::ZERO);
        }
        assert_eq!(speed.stretch(), MAX_STRETCH);
        // Nobody waits any more.
        speed.observe(second(180), false, Duration::ZERO);
        assert_eq!(speed.stretch(), 1.0);
    }
}
