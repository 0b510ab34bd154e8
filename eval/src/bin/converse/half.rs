//! Halves of a set of questions: one that is looked at while building, and one that is not.

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

    /// The one of two that belongs to this half.
    pub fn of<T>(self, open: T, frozen: T) -> T {
        match self {
            Half::Open => open,
            Half::Frozen => frozen,
        }
    }
}
