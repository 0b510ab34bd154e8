//! `POST /pdf/summarize`: what a document says, in a few of its own sentences.

use quartet_api::documents::{DocumentSummary, SummarySentence};
use quartet_guest::{Failure, Request, Response};

use super::Means;
use super::upload::Upload;
use quartet_document::{Bounds, Extract};

/// Answers a request.
///
/// # Errors
/// When the form or the document is wrong.
pub fn answer(request: &mut Request, means: &Means<'_>) -> Result<Response, Failure> {
    let upload = Upload::read(request, means)?;
    let found = quartet_document::summarize(&upload.document, Bounds::default());
    let metadata = upload.facts();
    let (truncated, mut warnings) = (upload.document.truncated, upload.document.warnings.clone());
    for page in &upload.document.pages {
        warnings.extend(
            page.warnings
                .iter()
                .map(|warning| format!("Page {}: {warning}", page.number)),
        );
    }
    let sentences = |extracts: &[Extract]| -> Vec<SummarySentence> {
        let each = |extract: &Extract| SummarySentence {
            text: extract.text.clone(),
            page: extract.page,
            section: extract.section.clone(),
        };
        extracts.iter().map(each).collect()
    };
    upload.answer(means, |document_id| DocumentSummary {
        document_id,
        message: match found.sentences.len() {
            0 => "The document has no sentences to summarise.".to_owned(),
            1 => "The document in one of its sentences.".to_owned(),
            count => format!("The document in {count} of its sentences."),
        },
        summary: found.text(),
        sentences: sentences(&found.sentences),
        key_points: sentences(&found.key_points),
        key_phrases: found.key_phrases,
        language: found.language.code().to_owned(),
        title: found.title,
        metadata,
        truncated,
        warnings,
    })
}
