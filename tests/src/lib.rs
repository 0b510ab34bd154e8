//! What the suites share: the service as a process, a client that checks every answer, and measures of sound.

pub mod client;
pub mod declaration;
pub mod service;
pub mod sound;
pub mod web;

pub use client::{Client, Reply};
pub use service::Service;
