//! `POST /image/analyze`: a description, and every fact that it is made of.

use quartet_api::Language;
use quartet_api::image::{Analysis, Kind, LANGUAGE_FIELD};
use quartet_component_sdk::failure::quoted;
use quartet_component_sdk::multipart::Form;
use quartet_component_sdk::{Failure, Request, Response};

use super::upload::Upload;
use super::{Context, model_failure, phrasing};
use quartet_image_analysis::chat::record::ColouredObject;
use quartet_image_analysis::{describe, facts};

/// Answers a request.
///
/// # Errors
/// When the form or the picture is wrong, or a model is missing or fails.
pub fn answer(request: &mut Request, context: &Context<'_>) -> Result<Response, Failure> {
    let upload = Upload::read(request, &[LANGUAGE_FIELD])?;
    let language = language(&upload.form)?;
    let found = describe::find(&upload.decoded, context.graphs, context.time_is_up).map_err(model_failure)?;
    let objects = facts::objects(&upload.decoded, &found.objects);
    let unread = facts::unread(&upload.decoded, &found.reading);
    let lines = facts::lines(&upload.decoded, &found.reading);
    let (kind, confidence) = found.kind;
    let kind = Kind {
        name: kind.name().to_owned(),
        confidence: facts::rounded(confidence),
    };
    let mut record = upload.record(&found.palette);
    record.kind = Some(kind.clone());
    record.lines = Some(lines.clone());
    let seen = objects
        .iter()
        .zip(&found.object_colours)
        .map(|(object, colour)| ColouredObject {
            object: object.clone(),
            colour: colour.map(str::to_owned),
        });
    record.unread = found.reading.surely_unread();
    record.objects = Some(seen.collect());
    record.tags = facts::tags(&found.tags);
    record.description = Some(describe::describe(&record, Language::English));
    let description = describe::describe(&record, language);
    let (description, phrasing) =
        phrasing::description(context, &upload.decoded.picture, &record, language, description);
    let tags = record.tags.clone();
    let (colours, light, picture) = (record.colours.clone(), record.light.clone(), record.picture.clone());
    upload.answer(context, &record, |image_id| Analysis {
        image_id,
        description,
        kind,
        counts: facts::counts(&objects),
        objects,
        tags,
        colours,
        light,
        text: found.reading.text(),
        lines,
        unread,
        warning: describe::unread(&found.reading),
        phrasing,
        picture,
    })
}

/// Language of the description: the one that the form names, or English.
fn language(form: &Form) -> Result<Language, Failure> {
    let Some(code) = form.field(LANGUAGE_FIELD) else {
        return Ok(Language::English);
    };
    code.trim().parse().map_err(|_| {
        let allowed = Language::ALL.map(Language::code).join(", ");
        Failure::field(
            LANGUAGE_FIELD,
            format_args!("is {}; it takes one of: {allowed}", quoted(code)),
        )
    })
}
