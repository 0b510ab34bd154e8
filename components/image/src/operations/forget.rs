//! `POST /image/forget`: deletes what is stored of an earlier picture.

use quartet_api::image::{PictureForgotten, PictureToForget};
use quartet_component_sdk::{Failure, Request, Response, Session, json};

use super::Context;

/// Answers a request.
///
/// # Errors
/// When there is no such picture, or it is somebody else's.
pub fn answer(request: &mut Request, context: &Context<'_>) -> Result<Response, Failure> {
    let session = Session::of(request)?;
    let PictureToForget { image_id } = json::read(request)?;
    let image_id = context.pictures().forget(&session, image_id.as_deref())?;
    Ok(Response::success(&PictureForgotten { image_id }))
}
