//! A conversation, as a WebAssembly component.
//!
//! [`calculate`] does arithmetic, units and dates; [`web`] reads pages; [`search`] finds them; [`evidence`] selects
//! their passages; [`answer`] puts these and the language model together; [`operations`] handle requests. Only
//! `component` knows WASI: everything else is plain Rust over the traits in [`context`], and is tested natively, with a
//! scripted model and a web of a few pages.
//!
//! ```
//! use quartet_api::Language;
//!
//! let computed = quartet_chat::calculate::answer("What is 17 × 3?", Language::English, None);
//! assert_eq!(computed.unwrap().answer, "17 × 3 = 51");
//! ```

pub mod answer;
pub mod calculate;
#[cfg(target_arch = "wasm32")]
mod component;
pub mod context;
pub mod evidence;
mod line;
mod messages;

pub mod operations;
pub mod search;
pub mod web;
