//! The reason why samples cannot be encoded.

use std::fmt;

/// The reason why samples cannot be encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodeError(String);

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EncodeError {}

impl EncodeError {
    pub(crate) fn new(format: &str, error: impl fmt::Display) -> Self {
        Self(format!("{format}: {error}"))
    }
}
