//! Words between components and the host about values that are kept between requests, beside what `wasi:keyvalue` says.

/// The store that every component has.
pub const STORE: &str = "default";

/// The same values, for changes that must not meet: `set` of the key that was read last through a bucket of this name fails
/// with [`CHANGED`] if another request has changed it since. A host that has no store of this name has no such check.
pub const CHECKED_STORE: &str = "checked";

/// Begins the error of a `set` that came too late.
pub const CHANGED: &str = "changed";

/// Begins an error while the state that replicas share cannot be reached.
pub const UNAVAILABLE: &str = "unavailable";
