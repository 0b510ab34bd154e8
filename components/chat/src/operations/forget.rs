//! `POST /chat/forget`: nothing is kept of a conversation any more.

use quartet_api::chat::{ConversationForgotten, ConversationToForget};
use quartet_component_sdk::{Failure, Request, Response, Session, json};

use crate::context::Context;

/// Answers a request.
///
/// # Errors
/// When there is no such conversation, or it is somebody else's.
pub fn answer(request: &mut Request, context: &Context) -> Result<Response, Failure> {
    let session = Session::of(request)?;
    let ConversationToForget { conversation_id } = json::read(request)?;
    let conversation_id = context.conversations().forget(&session, conversation_id.as_deref())?;
    Ok(Response::success(&ConversationForgotten { conversation_id }))
}
