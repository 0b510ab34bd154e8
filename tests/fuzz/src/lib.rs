//! The files of the host that read what strangers send, by themselves, in the places that they have there: the host as a whole
//! would have the fuzzer compile wasmtime. What they need of the rest stands in for it here, as small as it can be.

#![allow(dead_code, unreachable_pub, unused_imports)]

pub mod body;
pub mod capabilities;
pub mod config;
pub mod http;
pub mod input;
pub mod wyoming;

#[path = "../../../host/src/auth/mod.rs"]
pub mod auth;
#[path = "../../../host/src/telemetry/trace/context.rs"]
pub mod context;
#[path = "../../../host/src/door.rs"]
pub mod door;
#[path = "../../../host/src/failure.rs"]
pub mod failure;
#[path = "../../../host/src/own_pages.rs"]
pub mod own_pages;
#[path = "../../../host/src/policy/mod.rs"]
pub mod policy;
