//! What a version of the component of PDF documents must answer. Models are not asked for: they may be missing.

use quartet_api::Code;
use quartet_api::operations::{PDF_CHAT, PDF_EXTRACT_TEXT, PDF_SUMMARIZE};

use super::Probe;

/// Sends what is no upload to each operation, and asks about a document that nobody sent: for this it must look into what
/// is kept.
pub(super) async fn run(probe: &Probe<'_>) -> Result<(), String> {
    for upload in [&PDF_EXTRACT_TEXT, &PDF_SUMMARIZE] {
        probe.refused(upload, "{}", Code::UnsupportedMediaType).await?;
    }
    let unknown = format!(r#"{{"message":"What is it?","documentId":"{}"}}"#, "0".repeat(32));
    probe.refused(&PDF_CHAT, &unknown, Code::UnknownUpload).await
}
