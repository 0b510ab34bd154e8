//! The rate of each client: a sliding window, at most N requests in any 60 seconds, in bounded memory.
//!
//! Nobody is refused because others are many. Holders of keys, whose number is bounded by the file of the keys, are
//! remembered apart from addresses. Of addresses, the one that came longest ago is forgotten for a new one: whoever has more
//! addresses than are remembered is not held by a limit for each of them anyway.
//!
//! Up to [`EXACT_REQUESTS`] the window is a log: it remembers when each request came. A larger quota is counted in buckets
//! of a tenth of a second. A bucket leaves the window when its last request does, so that "at most N in any 60 seconds"
//! holds there as well; what is inexact is that a client gets its requests back up to one bucket late.
//!
//! Other ways that were looked at: the crate `governor` (GCRA, as in nginx) needs one number a client, but refills a bucket,
//! which lets nearly 2 N through in the first minute, and the contract says N. Two counters, weighted by how far the minute
//! has gone (Cloudflare), guess that requests came evenly, and let more than N through when they did not.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use lru::LruCache;

use crate::auth::Client;

/// The window of the rate limit.
pub const RATE_WINDOW: Duration = Duration::from_secs(60);

/// The largest quota that is counted request by request. At most so many times are remembered for a client: 24 kB.
pub(super) const EXACT_REQUESTS: usize = 1_000;

/// Width of a bucket, where requests are not remembered one by one.
pub(super) const BUCKET_WIDTH: Duration = Duration::from_millis(100);

/// A client's standing after a request was counted.
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
    /// The beginning of the first bucket.
    epoch: Instant,
}

/// Clients by when they came last, so that those who are out of the window are found at one end.
struct Clients {
    holders: LruCache<Client, Window>,
    addresses: LruCache<Client, Window>,
}

/// Clients out of the window that are forgotten with each request: more than can be added, and few enough that nobody waits.
const FORGOTTEN_AT_ONCE: usize = 2;

/// Requests of one client that have not expired, oldest first.
#[derive(Default)]
struct Window {
    buckets: VecDeque<Bucket>,
    /// Requests in all buckets.
    requests: usize,
}

/// Requests that expire together: a single one in an exact window.
struct Bucket {
    /// Time of the last request.
    last: Instant,
    requests: usize,
}

impl RateLimiter {
    /// A limiter that remembers at most `capacity` addresses.
    pub fn new(capacity: usize) -> Self {
        let clients = Clients {
            holders: LruCache::unbounded(),
            // A cache makes room for its capacity at once, which most services never need.
            addresses: LruCache::unbounded(),
        };
        let mut limiter = Self {
            clients: clients.into(),
            epoch: Instant::now(),
        };
        let clients = limiter
            .clients
            .get_mut()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        clients
            .addresses
            .resize(NonZeroUsize::new(capacity).unwrap_or(NonZeroUsize::MIN));
        limiter
    }

    /// Counts a request of a client that may send `quota` of them in a window. `now` is of the clock that never jumps.
    pub fn count(&self, client: Client, quota: usize, now: Instant) -> RateLimitStatus {
        let mut clients = self.clients.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let windows = match client {
            Client::Key(_) => &mut clients.holders,
            Client::Address(_) => &mut clients.addresses,
        };
        for _ in 0..FORGOTTEN_AT_ONCE {
            let gone = |window: &Window| window.buckets.back().is_none_or(|last| last.expires() <= now);
            if windows.peek_lru().is_some_and(|(_, window)| gone(window)) {
                windows.pop_lru();
            }
        }
        let window = windows.get_or_insert_mut(client, Window::default);
        window.expire(now);
        let admitted = window.requests < quota;
        if admitted {
            window.add(now, |last| {
                quota > EXACT_REQUESTS && self.bucket(last) == self.bucket(now)
            });
        }
        let wait = window
            .buckets
            .front()
            .map_or(Duration::ZERO, |first| first.expires().saturating_duration_since(now));
        RateLimitStatus {
            quota,
            // A reload may have made the quota smaller.
            remaining: quota.saturating_sub(window.requests),
            reset: wait.as_secs() + u64::from(wait.subsec_nanos() > 0),
            admitted,
        }
    }

    /// Counts a request that others have let in, so that it is known if this limiter has to decide about the next.
    pub fn note(&self, client: Client, quota: usize, now: Instant) {
        // What is beyond the quota here was not beyond it there, and does not matter then.
        self.count(client, quota, now);
    }

    /// The number of the bucket that a time belongs to.
    fn bucket(&self, time: Instant) -> u128 {
        time.saturating_duration_since(self.epoch).as_millis() / BUCKET_WIDTH.as_millis()
    }
}

impl Window {
    /// Forgets requests that are out of the window.
    fn expire(&mut self, now: Instant) {
        while let Some(first) = self.buckets.pop_front_if(|first| first.expires() <= now) {
            self.requests -= first.requests;
        }
    }

    /// Adds a request, to the last bucket if its last request `shares` it.
    fn add(&mut self, now: Instant, shares: impl Fn(Instant) -> bool) {
        self.requests += 1;
        match self.buckets.back_mut().filter(|bucket| shares(bucket.last)) {
            Some(bucket) => {
                // Threads may bring their times in another order than they took them.
                bucket.last = bucket.last.max(now);
                bucket.requests += 1;
            }
            None => self.buckets.push_back(Bucket { last: now, requests: 1 }),
        }
    }
}

impl Bucket {
    fn expires(&self) -> Instant {
        self.last + RATE_WINDOW
    }
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
        let remembered = || limiter.clients.lock().unwrap().addresses.len();
        for number in 1..100 {
            assert!(limiter.count(client(number), 1, now).admitted, "nobody new is refused");
        }
        assert_eq!(remembered(), 2);
        assert!(
            !limiter.count(client(99), 1, now).admitted,
            "who came last is remembered"
        );
        assert!(limiter.count(client(3), 1, now + RATE_WINDOW).admitted);
        assert_eq!(remembered(), 1, "who is out of the window is not");
    }

    #[test]
    fn a_crowd_of_addresses_does_not_touch_the_holders_of_keys() {
        let limiter = RateLimiter::new(2);
        let now = Instant::now();
        let holder = Client::Key([7; 16]);
        assert!(limiter.count(holder, 1, now).admitted);
        for number in 1..100 {
            limiter.count(client(number), 1, now);
        }
        assert!(!limiter.count(holder, 1, now).admitted, "its request is remembered");
        assert!(limiter.count(Client::Key([8; 16]), 1, now).admitted);
    }

    #[test]
    fn a_large_quota_holds_in_any_window_and_comes_back_within_a_bucket() {
        const QUOTA: usize = 5_000;
        let limiter = RateLimiter::new(1);
        let mut now = limiter.epoch;
        let mut admitted = Vec::new();
        let within =
            |admitted: &[Instant], time, now| admitted.len() - admitted.partition_point(|at| *at + time <= now);
        for turn in 0..60_000_u64 {
            // In bursts and pauses: the quota is used up in 24 seconds.
            now += Duration::from_micros(turn % 97 * 100);
            if limiter.count(client(1), QUOTA, now).admitted {
                admitted.push(now);
                assert!(within(&admitted, RATE_WINDOW, now) <= QUOTA);
            } else {
                assert!(
                    within(&admitted, RATE_WINDOW + BUCKET_WIDTH, now) >= QUOTA,
                    "refused too early"
                );
            }
        }
        let standing = limiter.count(client(1), QUOTA, now + RATE_WINDOW + BUCKET_WIDTH);
        assert_eq!((standing.remaining, standing.reset), (QUOTA - 1, 60));
    }

    #[test]
    fn memory_of_a_client_is_bounded_whatever_its_quota() {
        let limiter = RateLimiter::new(1);
        let buckets = |window: &Window| (window.buckets.len(), window.buckets.capacity());
        let most = usize::try_from(RATE_WINDOW.as_millis() / BUCKET_WIDTH.as_millis()).expect("a small number") + 1;
        // Two minutes at 10,000 requests a second.
        for request in 0..1_200_000 {
            let now = limiter.epoch + Duration::from_micros(request * 100);
            assert!(limiter.count(client(1), 100_000_000, now).admitted);
        }
        let clients = limiter.clients.lock().expect("nobody panicked");
        let window = clients.addresses.peek(&client(1)).expect("it was counted");
        let (held, allocated) = buckets(window);
        assert!(held <= most && allocated <= 2 * most, "{held} of {allocated} buckets");
    }

    #[test]
    fn a_quota_that_changes_is_counted_on() {
        let limiter = RateLimiter::new(1);
        for _ in 0..2_000 {
            assert!(limiter.count(client(1), 100_000_000, limiter.epoch).admitted);
        }
        let standing = limiter.count(client(1), 3, limiter.epoch);
        assert_eq!((standing.admitted, standing.remaining, standing.reset), (false, 0, 60));
        let standing = limiter.count(client(1), 3, limiter.epoch + RATE_WINDOW);
        assert_eq!((standing.admitted, standing.remaining), (true, 2));
    }
}
