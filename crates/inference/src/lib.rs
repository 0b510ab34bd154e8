//! Inference: a graph has a name, takes named tensors and gives named tensors.
//!
//! A capability is written against [`Graphs`] and knows no engine. Natively (feature `engine`) `engine::Engine` computes
//! the graphs; inside a component `import` asks the host for them.

mod graphs;
#[cfg(all(feature = "import", target_arch = "wasm32"))]
pub mod import;
mod tensor;

#[cfg(feature = "engine")]
pub mod engine;

pub use graphs::{GraphError, Graphs};
pub use tensor::{Data, ElementType, InvalidTensor, NamedTensor, Tensor};
