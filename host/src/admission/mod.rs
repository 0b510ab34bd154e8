//! Admission control: the rate limit of each client, bodies that are read before they cost a place, and the limits on
//! requests that run at once and wait for that: places, memory, and the time in which they must be answered.
//!
//! All times here are of the clock that only goes forward ([`std::time::Instant`]); setting the machine's clock changes
//! nothing.

mod forecast;
mod gate;
mod intake;
mod memory;
mod pace;
mod rate;
mod rates;

pub use forecast::{Forecast, Kind, Meter, Needs};
pub use gate::{Gate, Permit};
pub use intake::Intake;
pub use memory::{MemoryBudget, MemoryShare};
pub use pace::Pace;
pub use rate::{RATE_WINDOW, RateLimitStatus, RateLimiter};
pub use rates::Rates;

/// The part of something that one client may hold when `free` of it are left: `percent` of what it would find if it held
/// nothing and was alone. Two clients leave a quarter where one leaves half, three an eighth, so that there is always
/// some for who comes next.
fn threshold(free: usize, percent: usize) -> usize {
    match 100_usize.saturating_sub(percent) {
        0 => usize::MAX,
        rest => free.saturating_mul(percent) / rest,
    }
}
