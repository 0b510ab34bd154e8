//! Image analysis as a WebAssembly component.
//!
//! The analysis is in the crate [`quartet_image_analysis`]; [`operations`] answer requests with it. Only `component`
//! knows that it runs as a component: everything else is plain Rust and tested natively.

#[cfg(target_arch = "wasm32")]
mod component;
pub mod operations;
