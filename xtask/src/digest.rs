//! SHA-256, as the crate has it that gets models.

pub use quartet_models::digest::{of, of_file};
