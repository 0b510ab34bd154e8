//! Components as artifacts of OCI registries, in the layout that the CNCF has for WebAssembly: a manifest whose config is of
//! the type `application/vnd.wasm.config.v0+json`, and one layer, the component.
//!
//! It is the command line that pulls and pushes, with the credentials of the person who runs it; the service itself asks no
//! registry. Whatever a registry sends is held to the digest by which it was asked for and, where the operator names a key,
//! to a signature by it.

mod client;
mod credentials;
mod digest;
mod manifest;
mod pull;
mod push;
mod reference;
#[cfg(test)]
mod scripted;
mod signature;

pub use self::pull::{Pulled, pull};
pub use self::push::push;
pub use self::reference::{Reference, SCHEME};
pub use self::signature::Key;
