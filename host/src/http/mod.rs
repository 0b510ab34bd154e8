//! HTTP in front of the sandboxes: connections, and one request from start to end.

pub mod app;
pub mod cors;
pub mod headers;
pub mod info;
pub mod ingress;
pub mod route;
pub mod server;
