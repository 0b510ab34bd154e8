//! The operations of `/pdf/*`, one module each. They are given their means, so that they are tested natively.

mod chat;
mod extract_text;
mod forget;
mod kept;
mod summarize;
mod upload;

#[cfg(test)]
mod tests;

use quartet_api::operations::PDF_EXTRACT_TEXT;
use quartet_component_sdk::{Failure, Request, Response, Store, Uploads};
use quartet_grounding::Writer;
use quartet_text_analysis::Embed;

use quartet_pdf_text::Ocr;

pub use chat::answer as chat;
pub use extract_text::answer as extract_text;
pub use forget::answer as forget;
pub use summarize::answer as summarize;

/// What operations work with.
pub struct Context<'a> {
    /// What is remembered.
    pub store: &'a dyn Store,
    /// Random bytes that nobody can guess.
    pub random: fn() -> [u8; 16],
    /// Whether there is time for more of a document.
    pub time_left: &'a dyn Fn() -> bool,
    /// Who reads pages that are pictures.
    pub ocr: Option<&'a dyn Ocr>,
    /// Who tells what texts mean.
    pub embed: Option<&'a dyn Embed>,
    /// Whether there is time to find out what more passages mean.
    pub time_to_learn: &'a dyn Fn() -> bool,
    /// Who gives answers other words, where that is wanted.
    pub writer: Option<Writer<'a>>,
}

impl Context<'_> {
    /// What is remembered of documents.
    fn documents(&self) -> Uploads<'_> {
        Uploads {
            store: self.store,
            kind: "document",
            id_field: "documentId",
            example: PDF_EXTRACT_TEXT.path,
        }
    }
}

/// Answers a request.
pub type Operation = fn(&mut Request, &Context<'_>) -> Result<Response, Failure>;
