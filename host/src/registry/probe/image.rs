//! What a version of the image component must answer. Models are not asked for: they may be missing, and then the
//! operations that need them say so.

use quartet_api::Code;
use quartet_api::operations::{IMAGE_ANALYZE, IMAGE_CHAT, IMAGE_DETECT_OBJECTS, IMAGE_EXTRACT_TEXT};

use super::Probe;

/// Sends what is no upload to each operation, and asks about a picture that nobody sent: for this it must look into what is
/// kept.
pub(super) async fn run(probe: &Probe<'_>) -> Result<(), String> {
    for upload in [&IMAGE_ANALYZE, &IMAGE_EXTRACT_TEXT, &IMAGE_DETECT_OBJECTS] {
        probe.refused(upload, "{}", Code::UnsupportedMediaType).await?;
    }
    let unknown = format!(r#"{{"message":"What is it?","imageId":"{}"}}"#, "0".repeat(32));
    probe.refused(&IMAGE_CHAT, &unknown, Code::UnknownUpload).await
}
