//! Downloading by HTTP, which the users of this crate do in different ways.

use std::fmt;
use std::path::Path;

/// A client of HTTP.
pub trait Web: Sync {
    /// Downloads the file at `address`, of `size` bytes as far as is known, to `file`; what is there of it already is not
    /// fetched again. `received` hears how many bytes are there, as often as there are more.
    ///
    /// # Errors
    /// When it is not to be had there; what has come stays for another attempt.
    fn download(&self, address: &str, file: &Path, size: u64, received: &dyn Fn(u64)) -> Result<(), WebError>;
}

/// A reason why a download failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebError {
    /// Nobody answers there: it is not asked again.
    Unreachable(String),
    /// The server does not have it, or it came no further.
    Failed(String),
}

impl fmt::Display for WebError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(reason) => write!(f, "it cannot be reached ({reason})"),
            Self::Failed(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for WebError {}
