//! The result of a calculation.

use quartet_api::chat::Computation;

/// A question that was computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Computed {
    /// The answer for a person.
    pub answer: String,
    /// The computation; none where it is impossible, and the answer says why.
    pub computation: Option<Computation>,
}
