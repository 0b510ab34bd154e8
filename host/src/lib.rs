//! The host of Quartet: HTTP in front, one WebAssembly sandbox a request behind.
//!
//! Start reading at [`serve::run`] (the life of the process) and [`http::app::App::handle`] (the life of one request).

pub mod admin;
pub mod admission;
pub mod auth;
pub mod body;
pub mod calibration;
pub mod cli;
pub mod config;
pub mod custom_capabilities;
pub mod failure;
pub mod host_functions;
pub mod http;
pub mod http_client;
pub mod own_pages;
pub mod policy;
pub mod priority;
pub mod registry;
pub mod reload;
pub mod rollout;
pub mod route;
pub mod runtime;
pub mod serve;
pub mod telemetry;
pub mod version;
