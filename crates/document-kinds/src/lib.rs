//! Kinds of documents, told by their bytes.
//!
//! The bytes decide. The name and the media type that a client gives are often guesses, so they only decide between kinds
//! that no byte tells apart: plain text, Markdown and CSV. A text or a web page that is called a document of another kind
//! is none that is read. The host and the component that reads documents both ask here.

mod compound;
mod hint;
mod kind;
mod sniff;
mod text;
mod zip;

pub use hint::Hint;
pub use kind::{Kind, NotRead, READ_KINDS};
pub use zip::entry_count;
