//! `POST /image/extract-text`: all text in the picture.

use quartet_api::image::TextResult;
use quartet_component_sdk::{Failure, Request, Response};

use super::upload::Upload;
use super::{Context, model_failure};
use quartet_image_analysis::describe::{self, colours, counted};
use quartet_image_analysis::facts;

/// Answers a request.
///
/// # Errors
/// When the form or the picture is wrong, or a model is missing or fails.
pub fn answer(request: &mut Request, context: &Context<'_>) -> Result<Response, Failure> {
    let upload = Upload::read(request, &[])?;
    let reading =
        quartet_ocr::read(&upload.decoded.picture, context.graphs, context.time_is_up).map_err(model_failure)?;
    let lines = facts::lines(&upload.decoded, &reading);
    let mut record = upload.record(&colours::palette(&upload.decoded.picture));
    record.lines = Some(lines.clone());
    record.unread = reading.surely_unread();
    let unread = facts::unread(&upload.decoded, &reading);
    let warning = describe::unread(&reading);
    let picture = record.picture.clone();
    let (mut sum, mut weight) = (0.0, 0.0);
    for line in &reading.lines {
        let length = line.text.chars().count() as f32;
        sum += line.confidence * length;
        weight += length;
    }
    upload.answer(context, &record, |image_id| TextResult {
        image_id,
        message: match (lines.len(), &warning) {
            (0, None) => "No text was found in the picture.".to_owned(),
            (0, Some(warning)) => format!("No text was read. {warning}"),
            (count, None) => format!("Text found: {}.", counted(count, "line")),
            (count, Some(warning)) => format!("Text found: {}. {warning}", counted(count, "line")),
        },
        text: reading.text(),
        confidence: (weight > 0.0).then(|| facts::rounded(sum / weight)),
        turn: reading.turn as u32 * 90,
        lines,
        unread,
        warning,
        picture,
    })
}
