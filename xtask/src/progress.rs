//! Messages to the person who waits.

use quartet_models::{Model, Report};

/// Says what the set-up is doing.
pub fn setup(step: &str) {
    eprintln!("setup: {step}");
}

/// Tells how far the models are, as lines; curl shows how far a download is.
pub struct Terminal;

impl Report for Terminal {
    fn say(&self, message: &str) {
        setup(message);
    }

    fn begins(&self, model: &Model, bytes: u64) {
        setup(&format!("getting {} ({:.1} MB)", model.name, bytes as f64 / 1e6));
    }
}
