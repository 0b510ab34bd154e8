//! The half of a set that a line belongs to.

use sha2::{Digest, Sha256};

/// The two halves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// The one that is looked at.
    Open,
    /// The one of which only the sums are printed.
    Frozen,
}

impl Half {
    /// The half of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "open" => Some(Half::Open),
            "frozen" => Some(Half::Frozen),
            _ => None,
        }
    }

    /// The half that a text belongs to: the parity of the first byte of its SHA-256.
    pub fn of(text: &str) -> Self {
        if Sha256::digest(text.as_bytes())[0].is_multiple_of(2) {
            Half::Open
        } else {
            Half::Frozen
        }
    }
}
