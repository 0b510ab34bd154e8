//! Monotonic clock and random numbers of the component's host.
//!
//! A component that uses neither imports neither: what nobody calls is no import.

use std::time::Duration;

/// Bindings to the world `system-client` in `wit/`.
#[allow(missing_docs, reason = "generated from wit/, where the documentation is")]
mod bindings {
    wit_bindgen::generate!({ path: "../../wit", world: "system-client", generate_all });
}

use bindings::wasi::clocks::monotonic_clock;
use bindings::wasi::random::random;

/// Returns random bytes that nobody can guess.
pub fn random_bytes<const LENGTH: usize>() -> [u8; LENGTH] {
    let bytes = random::get_random_bytes(LENGTH as u64);
    std::array::from_fn(|index| bytes.get(index).copied().unwrap_or_default())
}

/// Time of the monotonic clock. Only differences mean anything.
pub fn monotonic_time() -> Duration {
    Duration::from_nanos(monotonic_clock::now())
}

/// Stopwatch that measures how long a request has been worked on.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Duration);

impl Stopwatch {
    /// Starts measuring.
    pub fn start() -> Self {
        Self(monotonic_time())
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        monotonic_time().saturating_sub(self.0)
    }

    /// Milliseconds that are left of a time limit.
    pub fn milliseconds_left(&self, limit: Duration) -> u32 {
        u32::try_from(limit.saturating_sub(self.elapsed()).as_millis()).unwrap_or(u32::MAX)
    }
}
