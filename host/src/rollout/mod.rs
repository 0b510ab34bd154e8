//! Trials of a version beside the one that serves: canary and shadow, and the rule by which a trial ends.

mod answer;
pub mod recorder;
pub mod shadow;
pub mod trial;
pub mod verdict;
