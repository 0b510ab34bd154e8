//! `POST /v1/responses`: an answer in a conversation in OpenAI's newer form. Nothing is kept, so a client sends the turns
//! before along with each question.

mod request;
mod response;

use bytes::Bytes;
use http::Response;
use http_body::Body;

use self::request::NAMES;
use self::response::Responses;
use super::chat;
use super::visit::Visit;
use crate::body::ResponseBody;
use crate::failure::Failure;

/// Answers a request.
///
/// # Errors
/// When the request is wrong, or nothing can answer it.
pub async fn answer<B>(body: B, mut visit: Visit<'_>) -> Result<Response<ResponseBody>, Failure>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    let bytes = visit.read(body).await?;
    let language_model = visit.operator().runtime.language.model_name();
    let (asked, echo) = visit
        .compute(move || request::read(&bytes, language_model.as_deref()))
        .await?;
    let envelope = Responses::new(visit.id(), &asked, echo);
    chat::converse(asked, envelope, NAMES, visit).await
}
