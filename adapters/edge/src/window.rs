//! The rate of a client: the times of its requests in the last minute, as they are kept in a store.
//!
//! A store has no way to count atomically, so that requests which come at the same moment may count as one: the limit holds
//! against a client that sends one after the other, and is a little wider against one that sends many at once.

/// Length of the window in milliseconds.
pub const WINDOW: u64 = 60_000;

/// The times of a client's requests, in milliseconds since 1970, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Window(Vec<u64>);

/// Rate-limit state of a client after a request was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Requests that it may still send now.
    pub remaining: u32,
    /// Seconds until it may send more than that.
    pub reset: u32,
    /// True if the request is let in.
    pub admitted: bool,
}

impl Window {
    /// Reads what [`bytes`](Self::bytes) wrote.
    pub fn read(bytes: &[u8]) -> Self {
        let (times, _) = bytes.as_chunks();
        Self(times.iter().map(|time| u64::from_le_bytes(*time)).collect())
    }

    /// State to keep.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|time| time.to_le_bytes()).collect()
    }

    /// Counts a request at the time `now` of a client that may send `quota` of them in a window.
    pub fn count(&mut self, quota: u32, now: u64) -> Standing {
        // What lies ahead was written before a clock was set back.
        self.0.retain(|time| *time <= now && now - time < WINDOW);
        let admitted = self.0.len() < quota as usize;
        if admitted {
            self.0.push(now);
        }
        let wait = self.0.first().map_or(0, |first| first + WINDOW - now);
        Standing {
            remaining: quota.saturating_sub(u32::try_from(self.0.len()).unwrap_or(u32::MAX)),
            reset: u32::try_from(wait.div_ceil(1000)).unwrap_or(u32::MAX),
            admitted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: u64 = 1_700_000_000_000;

    fn count(window: &mut Window, quota: u32, seconds: u64) -> (u32, u32, bool) {
        // As it comes back from a store.
        *window = Window::read(&window.bytes());
        let standing = window.count(quota, START + seconds * 1000);
        (standing.remaining, standing.reset, standing.admitted)
    }

    #[test]
    fn never_more_than_the_quota_in_any_window() {
        let mut window = Window::default();
        assert_eq!(count(&mut window, 3, 0), (2, 60, true));
        assert_eq!(count(&mut window, 3, 30), (1, 30, true));
        assert_eq!(count(&mut window, 3, 59), (0, 1, true));
        assert_eq!(count(&mut window, 3, 59), (0, 1, false));
        assert_eq!(count(&mut window, 3, 60), (0, 30, true));
        assert_eq!(count(&mut window, 3, 61), (0, 29, false));
    }

    #[test]
    fn a_clock_that_was_set_back_locks_nobody_out() {
        let mut window = Window::default();
        assert!(count(&mut window, 1, 3600).2);
        assert!(count(&mut window, 1, 0).2);
    }

    #[test]
    fn noise_in_the_store_is_no_request() {
        assert_eq!(Window::read(b"short"), Window::default());
    }
}
