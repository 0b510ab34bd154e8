//! The operations of `/pdf/*`, one module each. Their context is given to them, so that they are tested natively.

mod chat;
mod embeddings;
mod evidence;
mod extract_text;
mod forget;
mod making;
mod storage;
mod summarize;
mod tables;
mod upload;
mod work;

#[cfg(test)]
mod tests;

use quartet_api::operations::PDF_EXTRACT_TEXT;
use quartet_api::{Code, Language};
use quartet_component_sdk::{Store, Uploads};
use quartet_grounding::Writer;
use quartet_pdf_text::Ocr;
use quartet_text_analysis::{Embed, Index};

use crate::events::Event;
use crate::writing::Asking;

pub use chat::Asked;
pub use embeddings::answer as embeddings;
pub use extract_text::ToExtract;
pub use forget::answer as forget;
pub use summarize::ToSummarize;
pub use work::{Work, answer, stream};

/// Context of operations: store, time, randomness and models.
#[derive(Clone, Copy)]
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
    /// Is told what happens, while the client waits.
    pub tell: &'a dyn Fn(Event),
}

impl<'a> Context<'a> {
    /// The language model, where there is one, with what it is asked about.
    fn asking<'i>(&self, index: &'i Index, language: Language) -> Option<Asking<'i>>
    where
        'a: 'i,
    {
        Some(Asking {
            writer: self.writer?,
            index,
            embed: self.embed,
            language,
            tell: self.tell,
        })
    }

    /// Records of documents.
    fn documents(&self) -> Uploads<'_> {
        Uploads {
            store: self.store,
            kind: "document",
            id_field: "documentId",
            example: PDF_EXTRACT_TEXT.path,
            unknown: Code::UnknownUpload,
            again: "send it again",
        }
    }
}
