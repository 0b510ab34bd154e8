//! The interface `quartet:inference` as a trait, and its errors.

use thiserror::Error;

use crate::tensor::NamedTensor;

/// Something that computes graphs by name.
pub trait Graphs {
    /// Computes the outputs named in `outputs` of the graph called `graph`, in that order. Without any name in `outputs`:
    /// all outputs of the graph, in the graph's own order.
    ///
    /// # Errors
    /// See [`GraphError`].
    fn run(&self, graph: &str, inputs: Vec<NamedTensor>, outputs: &[&str]) -> Result<Vec<NamedTensor>, GraphError>;
}

impl<G: Graphs + ?Sized> Graphs for &G {
    fn run(&self, graph: &str, inputs: Vec<NamedTensor>, outputs: &[&str]) -> Result<Vec<NamedTensor>, GraphError> {
        (**self).run(graph, inputs, outputs)
    }
}

/// Error that prevented an answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GraphError {
    /// There is no graph of this name, or the asker may not use it.
    #[error("there is no graph called `{0}`")]
    Unknown(String),
    /// The graph is known, but its file is not there.
    #[error("the model file of the graph `{graph}` is missing: {reason}")]
    Missing {
        /// The graph's name.
        graph: String,
        /// Name of the file, and the reason.
        reason: String,
    },
    /// The inputs are not what the graph takes.
    #[error("invalid input: {0}")]
    InvalidInput(String),
    /// The tensors are larger than one run may have.
    #[error("too large: {0}")]
    TooLarge(String),
    /// The budget of the request is used up, or it was given up.
    #[error("the budget is used up")]
    OutOfBudget,
    /// The engine failed at a graph that should have worked.
    #[error("the graph failed: {0}")]
    Failed(String),
}
