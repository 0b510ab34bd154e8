//! Admission control: the rate limit of each client, and the limits on requests that run at once and wait for that.
//!
//! All times here are of the clock that only goes forward ([`std::time::Instant`]); setting the machine's clock changes
//! nothing.

mod gate;
mod rate;

pub use gate::{Gate, Permit};
pub use rate::{RATE_WINDOW, RateLimitStatus, RateLimiter};
