//! Parts shared by the suites: the service as a process, a client that checks every answer, one of the
//! Wyoming protocol, a registry of artifacts, the store and the balancer of several replicas, and measures of sound.

pub mod balancer;
pub mod client;
pub mod clock;
pub mod declaration;
pub mod files;
pub mod model_server;
pub mod oci;
pub mod office;
pub mod service;
pub mod skip;
pub mod sound;
pub mod store;
pub mod versions;
pub mod wait;
pub mod web;
pub mod wyoming;

pub use client::{Client, Reply};
pub use service::Service;
