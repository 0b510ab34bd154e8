//! A conversation, as a WebAssembly component.

pub mod calculate;
