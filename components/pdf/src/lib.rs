//! Text, summaries and answers of PDF documents as a WebAssembly component.
//!
//! [`quartet_pdf_text`] reads files into a [`quartet_text_analysis::Document`]; that crate summarises it and answers
//! questions; [`operations`] answer requests with both. Only `component` and `clock` know that they run as a component:
//! everything else is plain Rust and tested natively; time and OCR are given to it.

#[cfg(target_arch = "wasm32")]
mod clock;
#[cfg(target_arch = "wasm32")]
mod component;
pub mod events;
pub mod operations;
pub mod scans;
mod writing;
