//! The clock of a request.

use std::time::Duration;

use super::imports::wasi::clocks::monotonic_clock;
use crate::web::Clock;

/// The monotonic clock, from the start of a request.
pub(super) struct RequestClock(u64);

impl RequestClock {
    /// Starts now.
    pub fn start() -> Self {
        Self(monotonic_clock::now())
    }
}

impl Clock for RequestClock {
    fn elapsed(&self) -> Duration {
        Duration::from_nanos(monotonic_clock::now().saturating_sub(self.0))
    }
}
