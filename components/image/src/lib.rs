//! What is in a picture, as a WebAssembly component.
//!
//! [`picture`] decodes what strangers send; [`text`] reads it; [`objects`] finds things; [`describe`] puts all that was
//! found into facts and sentences; [`chat`] answers questions from them; [`memory`] keeps them between requests; [`facts`]
//! writes them in the contract's fields; [`operations`] answer requests.
//! Everything is plain Rust, without files, clock, randomness or network; models are asked for through
//! [`quartet_inference::Graphs`].

pub mod chat;
pub mod describe;
pub mod facts;
pub mod geometry;
pub mod memory;
pub mod models;
pub mod objects;
pub mod operations;
pub mod picture;
pub mod text;
