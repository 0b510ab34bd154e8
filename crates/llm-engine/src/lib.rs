//! A language model in a process of its own: what the host and the engine say to each other, and behind the feature `engine`
//! the engine, llama.cpp.
//!
//! A process apart, because llama.cpp is C++ that reads files of strangers, and where it finds something that cannot be it ends its process;
//! what it holds, half a gigabyte and more, goes back to the system when it is not needed for a while; and the host is built
//! without CMake and libclang.

pub mod pieces;
pub mod protocol;

#[cfg(feature = "engine")]
pub mod engine;
