//! Options of reading.

use crate::limits::Limits;

/// Options of reading.
pub struct Options<'o> {
    /// Bounds of what is read.
    pub limits: Limits,
    /// Deadline: returns true while there is time for more; then what was read so far is returned.
    pub time_left: &'o dyn Fn() -> bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            time_left: &|| true,
        }
    }
}
