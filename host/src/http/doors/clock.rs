//! The time as OpenAI's API writes it.

use std::time::SystemTime;

/// Seconds since 1970.
pub fn unix_time() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
