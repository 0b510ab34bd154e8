//! Traces: the context of a request (`context`), its spans (`span`), and their export (`export`).

mod context;
mod export;
mod span;

pub use context::SpanContext;
pub use export::{Exporter, Traces};
