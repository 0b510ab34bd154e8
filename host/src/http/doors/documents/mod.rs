//! Documents for the clients of other services: documents and pictures are read by the operations for them, and what is
//! text already is given back.
//!
//! Each service has its own request and its own answer; what lies between is [`reading`].

mod convert;
pub mod files;
mod form;
mod kind;
mod ocr;
mod process;
mod reading;
mod schema;
mod source;
pub mod tasks;
mod tika;

pub use self::convert::answer as convert;
pub use self::ocr::answer as ocr;
pub use self::process::answer as process;
pub use self::tika::{answer as tika, greeting as tika_greeting, version as tika_version};
