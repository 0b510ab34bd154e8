//! The operations of `/image/*`, one module each. Their context is given to them, so that they are tested natively.

mod analyze;
mod chat;
mod detect_objects;
mod extract_text;
mod forget;
mod phrasing;
mod upload;

#[cfg(test)]
mod tests;

use quartet_api::Code;
use quartet_api::operations::IMAGE_ANALYZE;
use quartet_component_sdk::{Failure, Request, Response, Store, Uploads};
use quartet_grounding::Writer;
use quartet_image_analysis::chat::understand::Understanding;
use quartet_inference::{GraphError, Graphs};

pub use analyze::answer as analyze;
pub use chat::answer as chat;
pub use detect_objects::answer as detect_objects;
pub use extract_text::answer as extract_text;
pub use forget::answer as forget;

/// Context of operations: models, store, time and randomness.
pub struct Context<'a> {
    /// The models.
    pub graphs: &'a dyn Graphs,
    /// Store of records.
    pub store: &'a dyn Store,
    /// Source of random bytes that nobody can guess.
    pub random: fn() -> [u8; 16],
    /// Deadline of reading: returns true once the time is up. The answer has what was read by then, and says that it is
    /// not all.
    pub time_is_up: &'a dyn Fn() -> bool,
    /// Language model that words the answers, where that is configured.
    pub writer: Option<Writer<'a>>,
    /// Language model that understands questions; it is asked where it is there.
    pub understanding: Option<Understanding<'a>>,
}

impl Context<'_> {
    /// Records of pictures.
    fn pictures(&self) -> Uploads<'_> {
        Uploads {
            store: self.store,
            kind: "picture",
            id_field: "imageId",
            example: IMAGE_ANALYZE.path,
            unknown: Code::UnknownUpload,
            again: "send it again",
        }
    }
}

/// Handler of an operation.
pub type Operation = fn(&mut Request, &Context<'_>) -> Result<Response, Failure>;

/// Converts an error of a model: the client is told which model is missing; the rest is for the log.
fn model_failure(error: GraphError) -> Failure {
    eprintln!("{error}");
    match error {
        GraphError::Unknown(graph) | GraphError::Missing { graph, .. } => Failure::new(
            Code::Unavailable,
            format!("this operation needs the model {graph}, which is not there"),
        ),
        GraphError::OutOfBudget => Failure::new(
            Code::ComputeExhausted,
            "the picture needs more computation than one request may use",
        ),
        GraphError::InvalidInput(_) | GraphError::TooLarge(_) | GraphError::Failed(_) => {
            Failure::new(Code::Internal, "a model failed at this picture")
        }
    }
}
