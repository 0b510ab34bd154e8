//! The host of Quartet: HTTP in front, one WebAssembly sandbox a request behind.
//!
//! Start reading at [`serve::run`] (the life of the process) and [`http::app::App::handle`] (the life of one request).
//!
//! The modules stand in layers; each imports from its own layer and from those before it, never from one behind it:
//!
//! 1. Ground: [`body`], [`calibration`], [`failure`], [`http_client`], [`own_pages`], [`policy`], [`priority`],
//!    [`reload`]
//! 2. Settings: [`config`], [`capabilities`]
//! 3. Requests by their head: [`auth`], [`door`], [`route`]; what replicas share: [`shared`]; components in registries:
//!    [`oci`]
//! 4. Admission to the service, and what it does for components: [`admission`], [`host_functions`], [`models`]
//! 5. Sandboxes: [`runtime`]
//! 6. Versions of components: [`version`]
//! 7. What is seen of them and how new ones are tried: [`telemetry`], [`rollout`]
//! 8. The versions that serve: [`registry`]
//! 9. Listeners: [`http`], [`admin`], [`wyoming`]
//! 10. The process: [`serve`]; what would keep it from running: [`doctor`]
//! 11. The command line: [`cli`]

pub mod admin;
pub mod admission;
pub mod auth;
pub mod body;
pub mod calibration;
pub mod capabilities;
pub mod cli;
pub mod config;
pub mod doctor;
pub mod door;
pub mod failure;
pub mod host_functions;
pub mod http;
pub mod http_client;
pub mod models;
pub mod native_memory;
pub mod oci;
pub mod own_pages;
pub mod policy;
pub mod priority;
pub mod registry;
pub mod reload;
pub mod rollout;
pub mod route;
pub mod runtime;
pub mod serve;
pub mod shared;
pub mod telemetry;
pub mod version;
pub mod wyoming;
