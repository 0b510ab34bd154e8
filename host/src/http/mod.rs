//! HTTP in front of the sandboxes: connections, and one request from start to end.

pub mod app;
pub mod doors;
mod fields;
pub mod headers;
pub mod health;
pub mod info;
pub mod ingress;
mod jobs;
mod keep_alive;
pub mod operate;
pub mod page;
mod patience;
mod request_id;
mod revocation;
pub mod server;
mod waiting;
mod written;
