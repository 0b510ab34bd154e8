//! Telling whoever waits.

use crate::manifest::Model;

/// Hears how far the models are. Several threads may tell it something at once.
pub trait Report: Sync {
    /// What is done now, for a log.
    fn say(&self, message: &str);

    /// A model is begun, of which so many bytes are to be fetched.
    fn begins(&self, _model: &Model, _bytes: u64) {}

    /// So many of its bytes are there.
    fn received(&self, _model: &Model, _bytes: u64) {}

    /// A model is there, or why it is not to be had.
    fn ends(&self, _model: &Model, _problem: Option<&str>) {}
}
