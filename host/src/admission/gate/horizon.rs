//! The time in which a heavy request must be expected to end to be let wait. It is shorter where requests that waited had to be
//! refused.
//!
//! What is expected is an average, and files of one size differ several times over. Where that comes true, requests may wait for most
//! of the time to respond; where it does not, those that waited longest are refused late. So the time follows what becomes of them, as
//! TCP's window follows what is lost: it grows by steps and shrinks by a factor ([Chiu and Jain, 1989][aimd]), once for all that
//! were let wait before it shrank.
//!
//! [aimd]: https://doi.org/10.1016/0169-7552(89)90019-6

use std::time::{Duration, Instant};

/// Parts of the time to respond, in percent, at most and at least.
const MOST: f64 = 80.0;
const LEAST: f64 = 20.0;

/// The factor by which the time shrinks when a request that waited is refused.
const SHRINKING: f64 = 0.7;

/// Percent by which it grows when one that waited is let in.
const GROWTH: f64 = 1.0;

/// The time, and when it shrank.
#[derive(Debug)]
pub struct Horizon {
    percent: f64,
    shrank: Option<Instant>,
}

impl Default for Horizon {
    fn default() -> Self {
        Self {
            percent: MOST,
            shrank: None,
        }
    }
}

impl Horizon {
    /// The time, of that in which a request must be answered.
    pub fn of(&self, respond: Duration) -> Duration {
        respond.mul_f64(self.percent / 100.0)
    }

    /// A request that waited is let in.
    pub fn let_in(&mut self) {
        self.percent = (self.percent + GROWTH).min(MOST);
    }

    /// A request that waited is refused.
    pub fn refused(&mut self, now: Instant, respond: Duration) {
        // All that wait were let wait by what it was before.
        if self
            .shrank
            .is_none_or(|shrank| now.duration_since(shrank) >= self.of(respond))
        {
            self.percent = (self.percent * SHRINKING).max(LEAST);
            self.shrank = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESPOND: Duration = Duration::from_secs(10);

    #[test]
    fn it_shrinks_once_for_those_that_wait_and_grows_again() {
        let (now, mut horizon) = (Instant::now(), Horizon::default());
        assert_eq!(horizon.of(RESPOND), Duration::from_secs(8));
        horizon.refused(now, RESPOND);
        horizon.refused(now + Duration::from_secs(1), RESPOND);
        assert_eq!(horizon.of(RESPOND), Duration::from_millis(5_600));
        horizon.refused(now + Duration::from_secs(6), RESPOND);
        assert_eq!(horizon.of(RESPOND), Duration::from_millis(3_920));
        (0..10).for_each(|_| horizon.let_in());
        assert_eq!(horizon.of(RESPOND), Duration::from_millis(4_920));
        (0..100).for_each(|_| horizon.let_in());
        assert_eq!(horizon.of(RESPOND), Duration::from_secs(8));
    }

    #[test]
    fn some_time_is_left_always() {
        let (mut now, mut horizon) = (Instant::now(), Horizon::default());
        for _ in 0..20 {
            horizon.refused(now, RESPOND);
            now += RESPOND;
        }
        assert_eq!(horizon.of(RESPOND), Duration::from_secs(2));
    }
}
