//! The operations of `/pdf/*`, one module each. Their context is given to them, so that they are tested natively.

mod chat;
mod embeddings;
mod extract_text;
mod forget;
mod storage;
mod summarize;
mod upload;

#[cfg(test)]
mod tests;

use quartet_api::operations::PDF_EXTRACT_TEXT;
use quartet_component_sdk::{Failure, Request, Response, Store, Uploads};
use quartet_grounding::Writer;
use quartet_pdf_text::Ocr;
use quartet_text_analysis::Embed;

pub use chat::answer as chat;
pub use embeddings::answer as embeddings;
pub use extract_text::answer as extract_text;
pub use forget::answer as forget;
pub use summarize::answer as summarize;

/// Context of operations: store, time, randomness and models.
pub struct Context<'a> {
    /// Store of documents.
    pub store: &'a dyn Store,
    /// Source of random bytes that nobody can guess.
    pub random: fn() -> [u8; 16],
    /// Deadline of reading: returns true while there is time for more of a document.
    pub time_left: &'a dyn Fn() -> bool,
    /// OCR engine for scanned pages.
    pub ocr: Option<&'a dyn Ocr>,
    /// Embedding model.
    pub embed: Option<&'a dyn Embed>,
    /// Deadline of embedding: returns true while there is time for more passages.
    pub time_to_learn: &'a dyn Fn() -> bool,
    /// Language model that words the answers, where that is configured.
    pub writer: Option<Writer<'a>>,
}

impl Context<'_> {
    /// Records of documents.
    fn documents(&self) -> Uploads<'_> {
        Uploads {
            store: self.store,
            kind: "document",
            id_field: "documentId",
            example: PDF_EXTRACT_TEXT.path,
        }
    }
}

/// Handler of an operation.
pub type Operation = fn(&mut Request, &Context<'_>) -> Result<Response, Failure>;
