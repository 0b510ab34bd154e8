//! A conversation, as a WebAssembly component.
//!
//! [`calculate`] computes what can be computed; [`web`] reads pages; [`search`] finds them; [`ground`] holds sentences against
//! them; [`answer`] puts these and the language model together; [`operations`] answer requests. Only `component` knows that there is a
//! component: everything else is plain Rust over the traits in [`means`], and is tested natively, with a model that says
//! what a test wants said and a web of a few pages.

pub mod answer;
pub mod calculate;
#[cfg(target_arch = "wasm32")]
mod component;
pub mod context;
pub mod ground;
pub mod operations;
pub mod search;
pub mod web;
