//! Inference on named graphs: named tensors in, named tensors out.
//!
//! A capability is written against [`Graphs`] and knows no engine. Natively (feature `engine`) `engine::Engine` computes
//! the graphs; inside a component `import` asks the host for them.
//!
//! ```
//! use quartet_inference::{Data, ElementType, Tensor};
//!
//! // Two rows of three elements, in row-major order.
//! let tensor = Tensor::new(vec![2, 3], Data::F32(vec![0.0; 6]))?;
//! assert_eq!(tensor.shape(), [2, 3]);
//! assert!(Tensor::new(vec![2, 3], Data::F32(vec![0.0; 5])).is_err());
//! # assert_eq!(ElementType::F32.size(), 4);
//! # Ok::<(), quartet_inference::InvalidTensor>(())
//! ```

mod graphs;
#[cfg(all(feature = "import", target_arch = "wasm32"))]
pub mod import;
mod tensor;

#[cfg(feature = "engine")]
pub mod engine;

pub use graphs::{GraphError, Graphs};
pub use tensor::{Data, ElementType, InvalidTensor, NamedTensor, Tensor};
