//! Traces: the place of a request in one (`context`), what is told of it (`span`), and to whom (`export`).

mod context;
mod export;
mod span;

pub use context::SpanContext;
pub use export::{Exporter, Traces};
