//! Trying a version beside the one that serves: canary and shadow, and the rule by which a trial ends.

pub mod judge;
pub mod record;
pub mod sample;
pub mod shadow;
pub mod trial;
pub mod verdict;
