//! Names of the host's own pages, which no capability may have.

/// The names of the host's own pages.
pub const NAMES: &[&str] = &["healthz", "readyz", "metrics"];

/// The name of a path that leads to nothing.
pub const NOTHING: &str = "none";
