//! `POST /image/detect-objects`: the objects in the picture.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use quartet_api::image::{MAX_OBJECTS, MAXIMUM_FIELD, Object, ObjectsResult, THRESHOLD_FIELD, THRESHOLDS};
use quartet_component_sdk::failure::quoted;
use quartet_component_sdk::multipart::Form;
use quartet_component_sdk::{Failure, Request, Response};

use super::upload::Upload;
use super::{Context, model_failure};
use quartet_image_analysis::chat::record::ColouredObject;
use quartet_image_analysis::describe::{self, colours, counted, listed};
use quartet_image_analysis::{facts, objects};

/// Answers a request.
///
/// # Errors
/// When the form or the picture is wrong, or a model is missing or fails.
pub fn answer(request: &mut Request, context: &Context<'_>) -> Result<Response, Failure> {
    let upload = Upload::read_with(request, &[THRESHOLD_FIELD, MAXIMUM_FIELD], objects::ENOUGH_PIXELS)?;
    let threshold = number(&upload.form, THRESHOLD_FIELD, THRESHOLDS)?;
    let threshold = threshold.map_or(objects::DEFAULT_THRESHOLD, |threshold| threshold as f32);
    let maximum = number(&upload.form, MAXIMUM_FIELD, 1..=MAX_OBJECTS)?.unwrap_or(MAX_OBJECTS);
    let picture = &upload.decoded.picture;
    let detected = objects::find(picture, context.graphs, threshold, maximum).map_err(model_failure)?;
    let found = facts::objects(&upload.decoded, &detected);
    let counts = facts::counts(&found);
    let seen = detected.iter().zip(&found).map(|(detected, object)| ColouredObject {
        object: object.clone(),
        colour: describe::colour(picture, detected).map(str::to_owned),
    });
    let seen = seen.collect();
    let mut record = upload.record(&colours::palette(picture));
    record.objects = Some(seen);
    let facts = record.picture.clone();
    let area = (upload.decoded.width * upload.decoded.height) as f32;
    let (sure, unsure): (Vec<Object>, Vec<Object>) = found.iter().cloned().partition(|object| {
        let share = object.area.width as f32 * object.area.height as f32 / area;
        objects::is_sure(object.confidence, share)
    });
    let [sure, unsure] = [sure, unsure].map(|objects| {
        let counts = facts::counts(&objects);
        let parts: Vec<String> = counts
            .iter()
            .map(|(label, count)| counted(*count as usize, label))
            .collect();
        listed(&parts)
    });
    upload.answer(context, &record, |image_id| ObjectsResult {
        image_id,
        message: match (sure.as_str(), unsure.as_str()) {
            ("", "") => "No objects were found in the picture.".to_owned(),
            (sure, "") => format!("Found: {sure}."),
            ("", unsure) => format!("Perhaps found: {unsure}."),
            (sure, unsure) => format!("Found: {sure}; perhaps also {unsure}."),
        },
        total: found.len() as u32,
        objects: found,
        counts,
        threshold,
        picture: facts,
    })
}

/// Reads a field of the form as a number within a range.
fn number<T>(form: &Form, name: &str, range: RangeInclusive<T>) -> Result<Option<T>, Failure>
where
    T: FromStr + PartialOrd + Display,
{
    let Some(value) = form.field(name) else {
        return Ok(None);
    };
    let number = value.trim().parse().ok().filter(|number| range.contains(number));
    let (least, most) = (range.start(), range.end());
    number.map(Some).ok_or_else(|| {
        Failure::field(
            name,
            format_args!("is {}; it takes a number from {least} to {most}", quoted(value)),
        )
    })
}
