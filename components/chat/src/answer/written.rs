//! Text that a model writes on the way to an answer, held to a schema.

use quartet_llm_client::{Finish, Turn};

use super::error::GenerationError;

/// Text that the model wrote.
pub(super) struct Written {
    /// The text.
    pub text: String,
    /// Reason why it ends.
    pub finish: Finish,
    /// Its tokens.
    pub tokens: u32,
    /// Probability that the model gives it among all that fit the schema; none where the model cannot tell.
    pub probability: Option<f32>,
}

/// Has the model write the turn that follows, held to a schema, of at most so many tokens.
pub(super) type Write<'a> = &'a mut dyn FnMut(&[Turn], &str, u32) -> Result<Written, GenerationError>;
