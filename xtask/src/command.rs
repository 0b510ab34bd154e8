//! Running other programs, as the crate does that gets models.

pub use quartet_models::command::{exists, output, run, within};
