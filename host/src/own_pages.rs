//! Names of the host's own pages: no capability can be called like one of them.

/// The names of the host's own pages.
pub const NAMES: &[&str] = &["healthz", "readyz", "metrics"];

/// The name of a path that leads to nothing.
pub const NOTHING: &str = "none";
