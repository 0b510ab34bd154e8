//! What is in a picture, as a WebAssembly component.
//!
//! [`picture`] decodes what strangers send; the crate [`quartet_ocr`] reads it; [`objects`] finds things; [`describe`] puts
//! all that was found into facts and sentences; [`chat`] answers questions from them; [`facts`] writes them in the
//! contract's fields; [`operations`] answer requests. Only `component` knows that there is a component: everything else is
//! plain Rust, without files, clock, randomness or network of their own, and is tested natively; models are asked for
//! through [`quartet_inference::Graphs`].

pub mod chat;
#[cfg(target_arch = "wasm32")]
mod component;
pub mod describe;
pub mod facts;
pub mod models;
pub mod objects;
pub mod operations;
pub mod picture;
