//! What a version of the component of PDF documents must answer. Models are not asked for: they may be missing.

use quartet_api::Code;
use quartet_api::operations::{PDF_CHAT, PDF_EXTRACT_TEXT, PDF_SUMMARIZE};
use quartet_api::pdf::{DocumentSummary, DocumentText, FILE_PART};

use super::{Content, Probe};

/// What the document says.
const SENTENCE: &str = "The mill grinds the wheat of the whole valley every autumn.";

/// Sends what is no upload to each operation, and asks about a document that nobody sent: for this it must look into what
/// is kept. Then has a document read and summarised.
pub(super) async fn run(probe: &Probe<'_>) -> Result<(), String> {
    for upload in [&PDF_EXTRACT_TEXT, &PDF_SUMMARIZE] {
        probe.refused(upload, "{}", Code::UnsupportedMediaType).await?;
    }
    let unknown = format!(r#"{{"message":"What is it?","documentId":"{}"}}"#, "0".repeat(32));
    probe.refused(&PDF_CHAT, &unknown, Code::UnknownUpload).await?;

    let form = || Some(Content::form(FILE_PART, "application/pdf", &document()));
    let read: DocumentText = probe.data(&PDF_EXTRACT_TEXT, form()).await?;
    if (read.text.trim(), read.pages.len()) != (SENTENCE, 1) {
        return Err(format!(
            "{}: it read {:?} on {} pages where one page says {SENTENCE:?}",
            PDF_EXTRACT_TEXT.path,
            read.text,
            read.pages.len()
        ));
    }
    let summary: DocumentSummary = probe.data(&PDF_SUMMARIZE, form()).await?;
    if summary.summary.trim() != SENTENCE {
        return Err(format!(
            "{}: its summary of {SENTENCE:?} is {:?}",
            PDF_SUMMARIZE.path, summary.summary
        ));
    }
    Ok(())
}

/// A page with one sentence. It has no table of its objects, which readers make good.
fn document() -> Vec<u8> {
    let content = format!("BT /F 10 Tf 1 0 0 1 50 700 Tm ({SENTENCE}) Tj ET");
    format!(
        "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
         3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F<</Type/Font\
         /Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n4 0 obj<</Length {}>>stream\n{content}\nendstream endobj\n\
         trailer<</Root 1 0 R/Size 5>>\n",
        content.len()
    )
    .into_bytes()
}
