//! `POST /image/chat`: a question about an earlier picture.

use quartet_api::image::{PictureAnswer, PictureQuestion};
use quartet_component_sdk::{Failure, Request, Response, Session, json};

use super::{Context, phrasing};
use quartet_image_analysis::chat as answering;
use quartet_image_analysis::chat::understand::Understanding;

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
    let understanding = understanding(context);
    let language = quartet_lang_detect::detect(&message);
    let answering::Answer {
        text,
        answered,
        evidence,
    } = answering::answer_understood(&record, &message, language, understanding);
    // What was computed for a query is said as people say it, and a quotation is not to be reworded.
    let (text, phrasing) = if answered && understanding.is_none() {
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

/// The model that understands questions, if there is one that can be held to a schema. One on another machine is asked
/// only where answers may be put into its words, because the text of a picture would leave this one.
fn understanding<'a>(context: &'a Context<'_>) -> Option<&'a Understanding<'a>> {
    let understanding = context.understanding.as_ref()?;
    let model = understanding.model.info().ok()?;
    (model.schemas && (!model.remote || context.writer.is_some())).then_some(understanding)
}
