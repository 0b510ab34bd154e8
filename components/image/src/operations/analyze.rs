//! `POST /image/analyze`: a description, and every fact that it is made of.

use quartet_api::image::{Analysis, Kind};
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
    let upload = Upload::read(request, &[])?;
    let found = describe::find(&upload.decoded, context.graphs, context.time_is_up).map_err(model_failure)?;
    let description = describe::describe(&upload.decoded, &found);
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
    record.description = Some(description.clone());
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
    let (description, phrasing) = phrasing::description(context, &upload.decoded.picture, &record, description);
    let (colours, light, picture) = (record.colours.clone(), record.light.clone(), record.picture.clone());
    upload.answer(context, &record, |image_id| Analysis {
        image_id,
        description,
        kind,
        counts: facts::counts(&objects),
        objects,
        tags: facts::tags(&found.tags),
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
