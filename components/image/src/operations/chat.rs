//! `POST /image/chat`: a question about an earlier picture.

use quartet_api::image::{PictureAnswer, PictureQuestion};
use quartet_component_sdk::{Failure, Request, Response, Session, json};

use super::{Context, phrasing};
use quartet_image_analysis::chat as answering;

/// Answers a request.
///
/// # Errors
/// When the question is wrong, or it is not about a picture of this client.
pub fn answer(request: &mut Request, context: &Context<'_>) -> Result<Response, Failure> {
    let session = Session::of(request)?;
    let PictureQuestion { message, image_id } = json::read(request)?;
    if message.trim().is_empty() {
        return Err(Failure::field(
            "message",
            "is empty; it takes a question about the picture",
        ));
    }
    let (image_id, record) = context.pictures().recall(&session, image_id.as_deref())?;
    let answering::Answer {
        text,
        answered,
        evidence,
    } = answering::answer(&record, &message);
    let (text, phrasing) = if answered {
        phrasing::answer(context, &record, &message, text)
    } else {
        (text, None)
    };
    Ok(Response::success(&PictureAnswer {
        image_id,
        answer: text,
        answered,
        evidence,
        phrasing,
    }))
}
