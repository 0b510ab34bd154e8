//! Names of the host's own pages, which no capability may have.

/// The names of the host's own pages.
pub const NAMES: &[&str] = &["healthz", "readyz", "metrics", OPERATIONS, OPENAPI, OLDER_OPENAPI, PAGE];

/// The name of the page for people, and of the files that it is made of.
pub const PAGE: &str = "page";

/// The name of the list of the operations.
pub const OPERATIONS: &str = "api/v1";

/// The name of the document that describes the operations.
pub const OPENAPI: &str = "openapi.json";

/// The name of the same document in its older form.
pub const OLDER_OPENAPI: &str = "openapi-3.0.json";

/// Names of the host's own below the path of the operations, which no capability may have, either.
pub const BELOW_OPERATIONS: &[&str] = &[quartet_api::jobs::NAME];

/// The name of a path that leads to nothing.
pub const NOTHING: &str = "none";
