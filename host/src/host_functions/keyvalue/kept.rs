//! The one trait behind `wasi:keyvalue`: what components keep between requests, wherever it is kept.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use quartet_api::keyvalue::{CHANGED, UNAVAILABLE};

use crate::auth::Client;
use crate::capabilities::Capability;

/// A key of a capability.
pub type Key = (Capability, String);

/// Bytes that tell one version of a value from another.
pub const VERSION_BYTES: usize = 12;

/// The version of a value that was read; none where there was no value.
pub type Version = Option<[u8; VERSION_BYTES]>;

/// A value, and its version.
pub type Found = (Vec<u8>, [u8; VERSION_BYTES]);

/// An answer that may have to be waited for.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, KeptError>> + Send + 'a>>;

/// The reason why a value could not be read, set or forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptError {
    /// The key or the value is too long: in words.
    TooLong(String),
    /// Another request has changed it since it was read.
    Changed,
    /// The store that replicas share cannot be reached.
    Unavailable,
}

impl fmt::Display for KeptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong(reason) => f.write_str(reason),
            Self::Changed => write!(f, "{CHANGED}: another request has set this key since it was read"),
            Self::Unavailable => write!(f, "{UNAVAILABLE}: the state that replicas share cannot be reached"),
        }
    }
}

/// Keeps values between requests.
pub trait Kept: Send + Sync {
    /// The value of a key, if it is kept.
    fn get<'a>(&'a self, key: &'a Key) -> Answer<'a, Option<Found>>;

    /// Keeps a value for a client; with `unless_changed` only where the key still has this version.
    fn set<'a>(
        &'a self,
        key: &'a Key,
        value: Vec<u8>,
        client: Option<Client>,
        unless_changed: Option<Version>,
    ) -> Answer<'a, ()>;

    /// Forgets a key for a client, and for the one that its value was kept for: they may share a session.
    fn delete<'a>(&'a self, key: &'a Key, client: Option<Client>) -> Answer<'a, ()>;

    /// Does what is to be done beside requests. Ends with the runtime.
    fn look_after(self: Arc<Self>) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}
