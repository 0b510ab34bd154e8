//! Telemetry: the log, metrics, traces, and the timing that a client is told of its own request.

pub mod access;
pub mod guard;
mod line;
pub mod log;
pub mod metrics;
mod observer;
mod server_timing;
pub mod trace;

pub use observer::Observer;
