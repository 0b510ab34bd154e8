//! Office files, books, web pages, e-mails and texts as documents: blocks of text on pages, with metadata and an outline.
//!
//! Each kind has a module. A page is a slide, a sheet or a chapter; of text documents it is what the program that saved
//! them set as a page, where they say. Archives are inflated within limits (`archive`), XML is a stream without entities
//! (`xml`), and what is over a limit or out of time is left out with a warning (`draft`). PDFs are read by `quartet-pdf-text`.
//!
//! ```no_run
//! use quartet_document_readers::{Hint, Kind, Options, read};
//!
//! let bytes = std::fs::read("report.docx")?;
//! let kind = Kind::of(&bytes, Hint::default())?;
//! let document = read(&bytes, kind, &Options::default())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive;
pub mod charset;
mod columns;
mod delimited;
mod docx;
mod draft;
mod email;
mod epub;
mod error;
pub mod html;
mod limits;
mod markdown;
mod opendocument;
mod options;
mod package;
mod pptx;
mod text;
mod xlsx;
mod xml;

use quartet_text_analysis::Document;

pub use error::Error;
pub use limits::Limits;
pub use options::Options;
pub use quartet_document_kinds::{Hint, Kind, NotRead};

/// Reads a document of a known kind.
///
/// # Errors
/// When nothing can be read: see [`Error`]. PDFs are not read here, and are [`NotRead::Unknown`].
pub fn read(bytes: &[u8], kind: Kind, options: &Options<'_>) -> Result<Document, Error> {
    match kind {
        Kind::Pdf => Err(NotRead::Unknown.into()),
        Kind::Docx => docx::read(bytes, options),
        Kind::Pptx => pptx::read(bytes, options),
        Kind::Xlsx => xlsx::read(bytes, options),
        Kind::Odt | Kind::Odp | Kind::Ods => opendocument::read(bytes, kind, options),
        Kind::Epub => epub::read(bytes, options),
        Kind::Html => Ok(text::page(bytes, options)),
        Kind::Email => email::read(bytes, options),
        Kind::Markdown => Ok(markdown::read(&charset::plain(bytes), options)),
        Kind::Csv => Ok(delimited::read(&charset::plain(bytes), options)),
        Kind::Text => Ok(text::read(&charset::plain(bytes), options)),
    }
}
