//! The operations of `/chat`, one module each.

mod chat;
mod conversation;
mod forget;
mod info;
mod tools;

#[cfg(test)]
mod tests;

use quartet_component_sdk::{Failure, Request, Response};

use crate::context::Context;

pub use chat::answer as chat;
pub use forget::answer as forget;
pub use info::answer as info;

/// Answers a request.
pub type Operation = fn(&mut Request, &Context) -> Result<Response, Failure>;
