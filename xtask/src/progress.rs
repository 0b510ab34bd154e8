//! Messages to the person who waits.

/// Says what the set-up is doing.
pub fn setup(step: &str) {
    eprintln!("setup: {step}");
}
