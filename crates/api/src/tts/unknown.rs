//! A name that no table of the contract has.

/// A value that names no entry of the contract's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unknown;
