//! What a PDF says, as a WebAssembly component.
//!
//! `quartet_pdf_text` makes a [`quartet_text_analysis::Document`] of a file's bytes; that crate says what it says; [`operations`] answer
//! requests. Only `component` knows that there is a component: everything else is plain Rust, without
//! files, network or randomness, and is tested natively; time and recognisers of text are given to it.

#[cfg(target_arch = "wasm32")]
mod clock;
#[cfg(target_arch = "wasm32")]
mod component;
pub mod operations;
pub mod scans;
