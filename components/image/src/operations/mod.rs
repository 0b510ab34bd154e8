//! The operations of `/image/*`, one module each. They are given their means, so that they are tested natively.

mod analyze;
mod ask;
mod detect_objects;
mod extract_text;
mod forget;
mod upload;
mod words;

#[cfg(test)]
mod tests;

use quartet_api::Code;
use quartet_api::operations::IMAGE_ANALYZE;
use quartet_component_sdk::{Failure, Request, Response, Store, Uploads};
use quartet_grounding::Writer;
use quartet_inference::{GraphError, Graphs};

pub use analyze::answer as analyze;
pub use ask::answer as chat;
pub use detect_objects::answer as detect_objects;
pub use extract_text::answer as extract_text;
pub use forget::answer as forget;

/// What operations work with.
pub struct Context<'a> {
    /// The models.
    pub graphs: &'a dyn Graphs,
    /// What is remembered.
    pub store: &'a dyn Store,
    /// Random bytes that nobody can guess.
    pub random: fn() -> [u8; 16],
    /// Whether the time for reading is up: what has been read by then is answered, and that it is not all.
    pub time_is_up: &'a dyn Fn() -> bool,
    /// Who gives answers other words, where that is wanted.
    pub writer: Option<Writer<'a>>,
}

impl Context<'_> {
    /// What is remembered of pictures.
    fn pictures(&self) -> Uploads<'_> {
        Uploads {
            store: self.store,
            kind: "picture",
            id_field: "imageId",
            example: IMAGE_ANALYZE.path,
        }
    }
}

/// Answers a request.
pub type Operation = fn(&mut Request, &Context<'_>) -> Result<Response, Failure>;

/// The client is told what is missing; the rest is for the log.
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
