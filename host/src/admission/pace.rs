//! The least pace of a client, in either direction: bytes a second on average, after time to begin.
//!
//! A bucket of time, as in a token bucket: waiting for the client empties it, what the client sends or takes fills it
//! again, and it holds no more than at the beginning. So nobody earns hours of silence by a quick beginning, and a client
//! that keeps the pace is never stopped, however long it goes on.

use std::time::Duration;

/// The time that a client has left.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    left: Duration,
    most: Duration,
    bytes_per_second: u64,
}

impl Pace {
    /// A pace with `most` time to begin.
    pub fn new(bytes_per_second: u64, most: Duration) -> Self {
        Self {
            left: most,
            most,
            bytes_per_second: bytes_per_second.max(1),
        }
    }

    /// Time for which the client may still be waited for.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// The client was waited for. Returns false once it is too slow.
    #[must_use]
    pub fn waited(&mut self, time: Duration) -> bool {
        self.left = self.left.saturating_sub(time);
        !self.left.is_zero()
    }

    /// The client sent or took bytes.
    pub fn moved(&mut self, bytes: u64) {
        let earned = Duration::from_secs_f64(bytes as f64 / self.bytes_per_second as f64);
        self.left = self.left.saturating_add(earned).min(self.most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_little_now_and_then_is_not_enough_and_the_pace_is() {
        let lasts = |bytes: u64, every: Duration| {
            let mut pace = Pace::new(2_048, 30 * SECOND);
            (0..10_000).find(|_| {
                let slow = !pace.waited(every);
                pace.moved(bytes);
                slow
            })
        };
        // A player of compressed speech takes 4 kB a second, in lumps as large as the system's buffers.
        assert_eq!(lasts(4_000, SECOND), None);
        assert_eq!(lasts(80_000, 20 * SECOND), None);
        assert_eq!(lasts(48_000, SECOND), None);
        assert_eq!(lasts(4_096, 20 * SECOND), Some(1));
        assert!(lasts(1_000, SECOND).is_some_and(|seconds| seconds > 30));
    }

    #[test]
    fn a_quick_beginning_earns_no_silence() {
        let mut pace = Pace::new(1_000, 10 * SECOND);
        pace.moved(1 << 40);
        assert_eq!(pace.left(), 10 * SECOND);
        assert!(!pace.waited(11 * SECOND));
    }
}
