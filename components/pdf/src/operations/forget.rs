//! `POST /pdf/forget`: deletes what is stored of an earlier document.

use quartet_api::pdf::{DocumentForgotten, DocumentToForget};
use quartet_component_sdk::{Failure, Request, Response, Session, json};

use super::Context;
use super::storage::{self, Record};

/// Answers a request.
///
/// # Errors
/// When there is no such document, or it is somebody else's.
pub fn answer(request: &mut Request, context: &Context<'_>) -> Result<Response, Failure> {
    let session = Session::of(request)?;
    let DocumentToForget { document_id } = json::read(request)?;
    let (document_id, record): (String, Record) = context.documents().recall(&session, document_id.as_deref())?;
    storage::delete(context.store, &document_id, &record)?;
    let document_id = context.documents().forget(&session, Some(&document_id))?;
    Ok(Response::success(&DocumentForgotten { document_id }))
}
