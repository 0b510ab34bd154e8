//! The gate for hosts that have none: it names requests, bounds their bodies, and counts those of each client.
//!
//! Everything but the component itself is plain Rust and tested natively.

pub mod id;
pub mod settings;
pub mod window;

#[cfg(target_arch = "wasm32")]
mod component;
