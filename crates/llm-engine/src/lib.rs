//! The built-in language model, in a process of its own: the protocol between host and engine, and behind the feature
//! `engine` the engine, llama.cpp.
//!
//! Why a process of its own: llama.cpp is C++ that reads untrusted files, and aborts when something is impossible; its
//! memory, half a gigabyte and more, goes back to the system when it is not needed for a while; and the host is built
//! without CMake and libclang.
//!
//! ```
//! use quartet_llm_engine::protocol::Command;
//!
//! let line = serde_json::to_string(&Command::Cancel { id: 7 })?;
//! assert_eq!(line, r#"{"cancel":{"id":7}}"#);
//! # Ok::<(), serde_json::Error>(())
//! ```

pub mod pieces;
pub mod processors;
pub mod protocol;

#[cfg(feature = "engine")]
pub mod engine;
