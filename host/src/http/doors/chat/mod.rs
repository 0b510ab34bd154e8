//! `POST /v1/chat/completions`: an answer in a conversation, whole or as it is written.

mod answer;
mod attached;
mod completion;
mod content;
mod messages;
mod request;
mod stop;
mod stream;
mod tools;

use bytes::Bytes;
use http::Response;
use http_body::Body;
use quartet_api::chat::{ChatAnswer, ChatRequest};
use quartet_api::operations::CHAT;

pub use self::answer::{Citation, Finish, Said, Usage};
pub use self::messages::{Conversation, conversation};
pub use self::request::{Asked, asks, check_alone, flag, model, parallel, sampling};
pub use self::stop::Stop;
pub use self::stream::Envelope;
pub use self::tools::{Form, Offer, offer};

use self::attached::Found;
use self::completion::Completions;
use self::request::NAMES;
use self::stream::Tokens;
use super::reply::{self, EVENT_STREAM, Names};
use super::translate;
use super::visit::{Call, Visit};
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
    let asked = visit
        .compute(move || request::read(&bytes, language_model.as_deref()))
        .await?;
    let envelope = Completions::new(visit.id(), &asked);
    converse(asked, envelope, NAMES, visit).await
}

/// Answers the last message of a conversation, in an envelope; `names` are the client's names of fields.
///
/// # Errors
/// When nothing can answer it.
pub async fn converse(
    mut asked: Asked,
    envelope: impl Envelope,
    names: Names,
    mut visit: Visit<'_>,
) -> Result<Response<ResponseBody>, Failure> {
    if let Some(attachment) = asked.attachment.take() {
        match attached::answer(&asked, attachment, names, &mut visit).await? {
            Found::Answer(mut said) => {
                said.cut(&asked.stop);
                return Ok(envelope.respond(&said, asked.stream));
            }
            Found::Refused(response) => return Ok(*response),
            // Something that was sent earlier does not answer this question: it may not be about it.
            Found::Nothing => {}
        }
    }
    let Asked {
        instructions,
        history,
        message,
        offer,
        search,
        stream,
        schema,
        max_tokens,
        sampling,
        stop,
        ..
    } = asked;
    let mut call = Call::json(
        &CHAT,
        &ChatRequest {
            message,
            mode: None,
            use_search: Some(search),
            messages: Some(history),
            conversation_id: None,
            instructions,
            response_schema: schema,
            max_tokens,
            temperature: sampling.temperature,
            top_p: sampling.top_p,
            seed: sampling.seed,
            tools: offer.tools,
            tool_choice: offer.choice,
            parallel_tool_calls: offer.parallel,
        },
    );
    if !stream {
        let response = visit.call(call).await?;
        return Ok(match reply::read::<ChatAnswer>(response, names).await? {
            Ok(answer) => {
                let mut said = Said::from(answer);
                said.cut(&stop);
                envelope.respond(&said, false)
            }
            Err(refused) => *refused,
        });
    }
    call.accept = EVENT_STREAM;
    let response = visit.call(call).await?;
    if !response.status().is_success() {
        return reply::refused(response, names).await;
    }
    let id = visit.id().to_owned();
    let body = translate::inline(response.into_body(), Tokens::new(envelope, names, stop), &id);
    Ok(reply::streamed(EVENT_STREAM, body))
}
