//! The rate of each client: an exact sliding window, at most N requests in any 60 seconds.
//!
//! The usual crate, `governor`, refills a bucket instead, which lets nearly 2 N through in the first minute, and the
//! contract says N.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use crate::auth::Client;

/// The window of the rate limit.
pub const RATE_WINDOW: Duration = Duration::from_secs(60);

/// A client's quota after a request was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimitStatus {
    /// Requests allowed in the window.
    pub quota: usize,
    /// Requests that it may still send now.
    pub remaining: usize,
    /// Seconds until it may send more than that.
    pub reset: u64,
    /// True if the request is let in.
    pub admitted: bool,
}

/// Counts the requests of clients.
pub struct RateLimiter {
    clients: std::sync::Mutex<Clients>,
    capacity: usize,
}

struct Clients {
    windows: HashMap<Client, VecDeque<Instant>>,
    swept: Instant,
}

impl RateLimiter {
    /// A limiter that remembers at most `capacity` clients.
    pub fn new(capacity: usize) -> Self {
        let clients = Clients {
            windows: HashMap::new(),
            swept: Instant::now(),
        };
        Self {
            clients: clients.into(),
            capacity,
        }
    }

    /// Counts a request of a client that may send `quota` of them in a window. `now` is of the clock that never jumps.
    pub fn count(&self, client: Client, quota: usize, now: Instant) -> RateLimitStatus {
        let mut clients = self.clients.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let full = clients.windows.len() >= self.capacity && !clients.windows.contains_key(&client);
        if full || now.saturating_duration_since(clients.swept) > RATE_WINDOW {
            clients
                .windows
                .retain(|_, window| window.back().is_some_and(|last| expires(*last) > now));
            clients.swept = now;
            if full && clients.windows.len() >= self.capacity {
                // Someone sends from more addresses than can be remembered: whoever is new waits.
                return RateLimitStatus {
                    quota,
                    remaining: 0,
                    reset: RATE_WINDOW.as_secs(),
                    admitted: false,
                };
            }
        }
        let window = clients.windows.entry(client).or_default();
        while window.front().is_some_and(|first| expires(*first) <= now) {
            window.pop_front();
        }
        let admitted = window.len() < quota;
        if admitted {
            window.push_back(now);
        }
        let wait = window
            .front()
            .map_or(Duration::ZERO, |first| expires(*first).saturating_duration_since(now));
        RateLimitStatus {
            quota,
            // A reload may have made the quota smaller.
            remaining: quota.saturating_sub(window.len()),
            reset: wait.as_secs() + u64::from(wait.subsec_nanos() > 0),
            admitted,
        }
    }
}

fn expires(request: Instant) -> Instant {
    request + RATE_WINDOW
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    fn client(last: u8) -> Client {
        IpAddr::from([192, 0, 2, last]).into()
    }

    #[test]
    fn never_more_than_the_quota_in_any_window() {
        let limiter = RateLimiter::new(10);
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(
            limiter.count(client(1), 3, at(0)),
            RateLimitStatus {
                quota: 3,
                remaining: 2,
                reset: 60,
                admitted: true
            }
        );
        assert!(limiter.count(client(1), 3, at(30)).admitted);
        assert_eq!(limiter.count(client(1), 3, at(59)).remaining, 0);
        let refused = limiter.count(client(1), 3, at(59));
        assert_eq!(
            refused,
            RateLimitStatus {
                quota: 3,
                remaining: 0,
                reset: 1,
                admitted: false
            }
        );
        assert!(limiter.count(client(1), 3, at(60)).admitted);
        assert_eq!(
            limiter.count(client(1), 3, at(61)),
            RateLimitStatus {
                quota: 3,
                remaining: 0,
                reset: 29,
                admitted: false
            }
        );
    }

    #[test]
    fn clients_are_counted_apart() {
        let limiter = RateLimiter::new(10);
        let now = Instant::now();
        assert!(limiter.count(client(1), 1, now).admitted);
        assert!(limiter.count(client(2), 1, now).admitted);
        assert!(!limiter.count(client(1), 1, now).admitted);
    }

    #[test]
    fn memory_is_bounded_and_old_clients_are_forgotten() {
        let limiter = RateLimiter::new(2);
        let now = Instant::now();
        assert!(limiter.count(client(1), 1, now).admitted);
        assert!(limiter.count(client(2), 1, now).admitted);
        assert!(!limiter.count(client(3), 1, now).admitted);
        assert!(limiter.count(client(3), 1, now + RATE_WINDOW).admitted);
    }
}
