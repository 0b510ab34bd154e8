//! The language model that Spin gives (`fermyon:spin/llm`) behind `quartet:language-model/chat`, for the capability chat there.
//!
//! Spin's interface takes one text and gives one text: it knows no turns, no end in time and no pieces. So a conversation is
//! written as one text, the answer comes as one piece, and what bounds the time is Spin.

pub mod prompt;

#[cfg(target_arch = "wasm32")]
mod component;
