//! Language models: a conversation in, the next turn out, as it is written.
//!
//! A capability is written against [`LanguageModel`] and knows no engine. Inside a component (feature `import`) `import`
//! asks the host; natively, [`scripted::Scripted`] answers with what a test scripts.
//!
//! ```
//! use quartet_llm_client::scripted::Scripted;
//! use quartet_llm_client::{LanguageModel, Options, Role, Turn};
//!
//! let model = Scripted::new(["Paris."]);
//! let question = Turn { role: Role::User, text: "What is the capital of France?".to_owned(), pictures: Vec::new() };
//! let mut generation = model.generate(vec![question], &Options::default())?;
//! let mut answer = String::new();
//! while let Some(piece) = generation.next()? {
//!     answer.push_str(&piece);
//! }
//! assert_eq!(answer, "Paris.");
//! # Ok::<(), quartet_llm_client::ModelError>(())
//! ```

#[cfg(all(feature = "import", target_arch = "wasm32"))]
pub mod import;
mod judgement;
mod model;
pub mod scripted;

pub use judgement::Judgement;
pub use model::{
    Finish, Generation, LanguageModel, Model, ModelError, Options, Outcome, Picture, PromptSize, Role, Token, Turn,
};
