//! The public contract of Quartet as Rust types.
//!
//! Only this crate knows public field names, failure codes, statuses, paths and limits. The guests, the host and the
//! tests all speak through it, so that none of them can drift from the others. It has no I/O and knows no runtime.
//!
//! ```
//! use quartet_api::{Code, Language, operations};
//!
//! assert_eq!(operations::TTS_STREAM.path, "/api/v1/tts/stream");
//! assert_eq!(Code::RateLimited.status(), 429);
//! assert_eq!(Language::ALL.len(), 12);
//! ```

pub mod chat;
pub mod component;
pub mod envelope;
pub mod failure;
pub mod image;
pub mod jobs;
pub mod keyvalue;
pub mod limits;
pub mod mismatch;
#[cfg(feature = "schema")]
pub mod openapi;
pub mod operations;
pub mod pdf;
pub mod phrasing;
pub mod progress;
pub mod session;
#[cfg(feature = "schema")]
pub mod tools;
pub mod tts;

pub use component::ComponentInfo;
pub use envelope::Success;
pub use failure::{Code, FailureBody};
pub use operations::{Capability, Operation};
pub use phrasing::{PhrasedSentence, Phrasing};
pub use progress::{Progress, Stage};
pub use tts::{Language, Voice};

/// Prefix of every operation's path.
pub const BASE_PATH: &str = "/api/v1";

/// The header that names a request in responses and logs.
pub const REQUEST_ID_HEADER: &str = "x-request-id";

/// The header that names the version of a component which answered, such as `tts@0123456789ab`.
pub const COMPONENT_HEADER: &str = "x-quartet-component";
