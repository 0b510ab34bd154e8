//! Who may come in: the rate of each client, and how many requests run at once.
//!
//! The rate is an exact sliding window: at most N requests in any 60 seconds. The usual crate, `governor`, refills a
//! bucket instead, which lets nearly 2 N through in the first minute, and the contract says N.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use quartet_api::{Code, limits};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::Limits;
use crate::failure::Failure;

/// The window of the rate limit.
pub const WINDOW: Duration = Duration::from_secs(60);

/// Who is counted: an IPv4 address, or the /64 network of an IPv6 address, since one client has a whole /64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Client(IpAddr);

impl From<IpAddr> for Client {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(v6) => IpAddr::V6((v6.to_bits() & !u128::from(u64::MAX)).into()),
            v4 => v4,
        })
    }
}

impl std::fmt::Display for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Where a client stands after a request was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Requests allowed in the window.
    pub quota: usize,
    /// Requests that it may still send now.
    pub remaining: usize,
    /// Seconds until it may send more than that.
    pub reset: u64,
    /// Whether the request is let in.
    pub admitted: bool,
}

/// Counts the requests of clients.
pub struct RateLimiter {
    quota: usize,
    clients: std::sync::Mutex<Clients>,
    capacity: usize,
}

struct Clients {
    windows: HashMap<Client, VecDeque<Instant>>,
    swept: Instant,
}

impl RateLimiter {
    /// A limiter with `quota` requests a minute for each of at most `capacity` clients.
    pub fn new(quota: usize, capacity: usize) -> Self {
        let clients = Clients {
            windows: HashMap::new(),
            swept: Instant::now(),
        };
        Self {
            quota,
            clients: clients.into(),
            capacity,
        }
    }

    /// Counts a request.
    pub fn count(&self, client: Client, now: Instant) -> Standing {
        let mut clients = self.clients.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let full = clients.windows.len() >= self.capacity && !clients.windows.contains_key(&client);
        if full || now.saturating_duration_since(clients.swept) > WINDOW {
            clients
                .windows
                .retain(|_, window| window.back().is_some_and(|last| expires(*last) > now));
            clients.swept = now;
            if full && clients.windows.len() >= self.capacity {
                // Someone sends from more addresses than can be remembered: whoever is new waits.
                return Standing {
                    quota: self.quota,
                    remaining: 0,
                    reset: WINDOW.as_secs(),
                    admitted: false,
                };
            }
        }
        let window = clients.windows.entry(client).or_default();
        while window.front().is_some_and(|first| expires(*first) <= now) {
            window.pop_front();
        }
        let admitted = window.len() < self.quota;
        if admitted {
            window.push_back(now);
        }
        let wait = window
            .front()
            .map_or(Duration::ZERO, |first| expires(*first).saturating_duration_since(now));
        Standing {
            quota: self.quota,
            remaining: self.quota - window.len(),
            reset: wait.as_secs() + u64::from(wait.subsec_nanos() > 0),
            admitted,
        }
    }
}

fn expires(request: Instant) -> Instant {
    request + WINDOW
}

/// Bounds how many requests run, and how many wait for that and how long.
pub struct Gate {
    running: Arc<Semaphore>,
    places: usize,
    waiting: AtomicUsize,
    queue: usize,
    patience: Duration,
}

impl Gate {
    /// A gate with the configured bounds.
    pub fn new(limits: &Limits) -> Self {
        let places = limits.count(&limits::CONCURRENT_REQUESTS).min(Semaphore::MAX_PERMITS);
        Self {
            running: Arc::new(Semaphore::new(places)),
            places,
            waiting: AtomicUsize::new(0),
            queue: limits.count(&limits::QUEUED_REQUESTS),
            patience: Duration::from_millis(limits.get(&limits::QUEUE_MILLISECONDS)),
        }
    }

    /// Requests that run, and how many may.
    pub fn running(&self) -> (usize, usize) {
        (
            self.places.saturating_sub(self.running.available_permits()),
            self.places,
        )
    }

    /// Requests that wait, and how many may.
    pub fn waiting(&self) -> (usize, usize) {
        (self.waiting.load(Ordering::Relaxed), self.queue)
    }

    /// Whether a request would find a place at once.
    pub fn has_room(&self) -> bool {
        self.running.available_permits() > 0
    }

    /// Waits for a place to run, which is held for as long as the permit lives.
    pub async fn enter(&self) -> Result<OwnedSemaphorePermit, Failure> {
        if let Ok(permit) = Arc::clone(&self.running).try_acquire_owned() {
            return Ok(permit);
        }
        let _place = Place::take(&self.waiting, self.queue).ok_or_else(busy)?;
        match tokio::time::timeout(self.patience, Arc::clone(&self.running).acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(busy()),
        }
    }
}

/// A place in the queue, given back when dropped: also when the client leaves while it waits.
struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    fn take(waiting: &'a AtomicUsize, most: usize) -> Option<Self> {
        waiting
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| {
                (count < most).then_some(count + 1)
            })
            .ok()
            .map(|_| Self(waiting))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn busy() -> Failure {
    Failure::new(Code::Busy, "the service is busy; try again in a few seconds").retry_after(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(last: u8) -> Client {
        IpAddr::from([192, 0, 2, last]).into()
    }

    #[test]
    fn never_more_than_the_quota_in_any_window() {
        let limiter = RateLimiter::new(3, 10);
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(
            limiter.count(client(1), at(0)),
            Standing {
                quota: 3,
                remaining: 2,
                reset: 60,
                admitted: true
            }
        );
        assert!(limiter.count(client(1), at(30)).admitted);
        assert_eq!(limiter.count(client(1), at(59)).remaining, 0);
        let refused = limiter.count(client(1), at(59));
        assert_eq!(
            refused,
            Standing {
                quota: 3,
                remaining: 0,
                reset: 1,
                admitted: false
            }
        );
        assert!(limiter.count(client(1), at(60)).admitted);
        assert_eq!(
            limiter.count(client(1), at(61)),
            Standing {
                quota: 3,
                remaining: 0,
                reset: 29,
                admitted: false
            }
        );
    }

    #[test]
    fn clients_are_counted_apart() {
        let limiter = RateLimiter::new(1, 10);
        let now = Instant::now();
        assert!(limiter.count(client(1), now).admitted);
        assert!(limiter.count(client(2), now).admitted);
        assert!(!limiter.count(client(1), now).admitted);
    }

    #[test]
    fn memory_is_bounded_and_old_clients_are_forgotten() {
        let limiter = RateLimiter::new(1, 2);
        let now = Instant::now();
        assert!(limiter.count(client(1), now).admitted);
        assert!(limiter.count(client(2), now).admitted);
        assert!(!limiter.count(client(3), now).admitted);
        assert!(limiter.count(client(3), now + WINDOW).admitted);
    }

    #[test]
    fn one_ipv6_network_is_one_client() {
        let a: IpAddr = "2001:db8::1".parse().unwrap();
        let b: IpAddr = "2001:db8::ffff:2".parse().unwrap();
        let c: IpAddr = "2001:db8:0:1::1".parse().unwrap();
        assert_eq!(Client::from(a), Client::from(b));
        assert_ne!(Client::from(a), Client::from(c));
        assert_eq!(Client::from("::ffff:192.0.2.1".parse::<IpAddr>().unwrap()), client(1));
    }
}
