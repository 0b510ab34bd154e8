//! Parts of the programs that load the service (`soak`, `load-table`, `replicas`): a client that can also behave badly, files that other
//! people made, requests of every operation, times, and the service to ask.

pub mod client;
pub mod closed;
pub mod files;
pub mod process;
pub mod requests;
pub mod service;
pub mod speech;
pub mod times;
