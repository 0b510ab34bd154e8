//! Waiting for what a service does on its own. Tests end as soon as it has happened, and fail long after it should have.

use std::thread;
use std::time::{Duration, Instant};

/// Far longer than anything here takes, the reading of a model's examples on a slow machine that does other things besides
/// (some 160 s) included: only what never comes fails for it.
pub const PATIENCE: Duration = Duration::from_secs(360);

/// Looks until there is something.
///
/// # Panics
/// When there is nothing for as long as [`PATIENCE`].
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(
            start.elapsed() < PATIENCE,
            "not within {} s: {what}",
            PATIENCE.as_secs()
        );
        thread::sleep(Duration::from_millis(20));
    }
}

/// Asks until the answer is yes.
///
/// # Panics
/// When it is no for as long as [`PATIENCE`].
pub fn until(what: &str, mut yes: impl FnMut() -> bool) {
    wait_for(what, || yes().then_some(()));
}
