//! The result of a calculation.

use quartet_api::chat::Computation;

/// A question that was computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Computed {
    /// The answer for a person.
    pub answer: String,
    /// The result for a program: a number with a point, a date as `2026-12-31`, a time as `13:45`; empty where there is none.
    pub value: String,
    /// The computation; none where it is impossible, and the answer says why.
    pub computation: Option<Computation>,
}
