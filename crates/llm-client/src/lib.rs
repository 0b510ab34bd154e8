//! Language models: a conversation in, the next turn out, as it is written.
//!
//! A capability is written against [`LanguageModel`] and knows no engine. Inside a component (feature `import`) `import`
//! asks the host; natively, [`scripted::Scripted`] says what a test wants said.

#[cfg(all(feature = "import", target_arch = "wasm32"))]
pub mod import;
mod model;
pub mod scripted;

pub use model::{Finish, Generation, LanguageModel, Model, ModelError, Options, Outcome, Picture, Role, Turn};
