//! The host of Quartet: HTTP in front, one WebAssembly sandbox a request behind.
//!
//! Start reading at [`serve::run`] (the life of the process) and [`app::App::handle`] (the life of one request).

pub mod added;
pub mod admin;
pub mod admission;
pub mod app;
pub mod cli;
pub mod client;
pub mod commands;
pub mod config;
pub mod cors;
pub mod engine;
pub mod entrance;
pub mod failure;
pub mod headers;
pub mod http_client;
pub mod imports;
pub mod info;
pub mod observe;
pub mod registry;
pub mod reload;
pub mod route;
pub mod serve;
pub mod server;
