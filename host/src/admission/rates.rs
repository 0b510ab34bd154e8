//! The rate of each client over all replicas: counted in the store that they share, or by this one alone.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::rate::{BUCKET_WIDTH, EXACT_REQUESTS, RATE_WINDOW, RateLimitStatus, RateLimiter};
use crate::auth::Client;
use crate::shared::SharedState;

/// Counts the requests of clients.
pub struct Rates {
    own: RateLimiter,
    shared: Option<Arc<SharedState>>,
}

impl Rates {
    /// Rates of this replica alone, which remembers at most `capacity` addresses.
    pub fn new(capacity: usize) -> Self {
        Self {
            own: RateLimiter::new(capacity),
            shared: None,
        }
    }

    /// The same rates, counted over all replicas that have this state.
    #[must_use]
    pub fn with_shared(self, shared: Option<Arc<SharedState>>) -> Self {
        Self { shared, ..self }
    }

    /// Counts a request of a client that may send `quota` of them in a window. While the store cannot be reached, or has no
    /// memory for it, a client may send each replica its part of the quota.
    pub async fn count(&self, client: Client, quota: usize, now: Instant) -> RateLimitStatus {
        let Some(shared) = &self.shared else {
            return self.own.count(client, quota, now);
        };
        let width = if quota > EXACT_REQUESTS {
            BUCKET_WIDTH
        } else {
            Duration::from_millis(1)
        };
        match shared.count(client, quota, RATE_WINDOW, width).await {
            Ok(counted) => {
                if counted.admitted {
                    self.own.note(client, quota, now);
                }
                RateLimitStatus {
                    quota,
                    remaining: quota.saturating_sub(counted.requests),
                    reset: counted.wait.as_millis().div_ceil(1000) as u64,
                    admitted: counted.admitted,
                }
            }
            Err(_) => self.own.count(client, part(quota, shared.replicas()), now),
        }
    }
}

/// The part of a quota that a replica lets in alone: at least one request, so that nobody is locked out.
fn part(quota: usize, replicas: usize) -> usize {
    (quota / replicas).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_quota_are_no_more_than_it() {
        assert_eq!((part(100, 1), part(100, 3), part(100, 2)), (100, 33, 50));
        assert_eq!(part(2, 5), 1);
    }
}
