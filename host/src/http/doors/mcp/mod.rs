//! `POST /mcp`: the operations as tools of the Model Context Protocol, over its transport "streamable HTTP", for programs
//! that a language model works with. Both ways to speak it are there: without a handshake, and with the older one, of which
//! nothing is kept, so that any request stands for itself.
//!
//! JSON-RPC is read and written here, and not by the official SDK `rmcp`: design record 16 has the comparison.

mod arguments;
mod call;
mod conversation;
mod files;
mod message;
mod progress;
mod result;
mod revision;
mod speech;

use bytes::Bytes;
use http::{Response, StatusCode};
use http_body::Body;
use http_body_util::{BodyExt, Empty};
use quartet_api::tools::Tool;
use serde_json::{Value, json};

pub use self::result::ToolFailure;

use self::message::{Message, Problem, Reply, Request, Revision};
use super::visit::Visit;
use crate::body::ResponseBody;
use crate::failure::Failure;

/// Time for which a client may keep the list of tools, in milliseconds: it changes with the components and with keys.
const LIST_MILLISECONDS: u64 = 300_000;

/// What a model is told of the tools as a whole.
const INSTRUCTIONS: &str = "Quartet speaks texts, reads images and documents, computes and searches, on a machine of its \
                            owner. Files are sent as Base64 or as data URLs; addresses are not fetched. A tool that read \
                            a file returns an id, by which its ask tool can be called again without the file for half an \
                            hour. Prefer `compute` to computing by yourself.";

/// Answers a request.
///
/// # Errors
/// When the body cannot be read. What is wrong with the request is an error of the protocol, and a tool that fails says so
/// in its result.
pub async fn answer<B>(body: B, mut visit: Visit<'_>) -> Result<Response<ResponseBody>, Failure>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    let bytes = visit.read(body).await?;
    let read = visit.compute(move || Ok(message::read(&bytes))).await?;
    let request = match read {
        Ok(Message::Request(request)) => request,
        Ok(Message::Notification) => return Ok(accepted()),
        Err((id, problem)) => return Ok(problem.respond(&id, Revision::Stateless)),
    };
    let id = request.id.clone();
    let revision = match revision::of(&request, |name| visit.header(name)) {
        Ok(revision) => revision,
        Err(problem) => return Ok(problem.respond(&id, Revision::Stateless)),
    };
    let answered = method(request, revision, &mut visit).await;
    Ok(answered.unwrap_or_else(|problem| problem.respond(&id, revision)))
}

async fn method(
    request: Request,
    revision: Revision,
    visit: &mut Visit<'_>,
) -> Result<Response<ResponseBody>, Problem> {
    let Request { id, method, params } = request;
    let reply = Reply::new(id, revision);
    match (method.as_str(), revision) {
        ("tools/call", _) => call::answer(params, reply, visit).await,
        ("tools/list", _) => Ok(reply.respond(list(revision, visit))),
        ("server/discover", Revision::Stateless) => Ok(reply.respond(keepable(json!({
            "supportedVersions": revision::ALL,
            "capabilities": capabilities(),
            "instructions": INSTRUCTIONS,
        })))),
        ("initialize", Revision::Handshake) => Ok(reply.respond(json!({
            "protocolVersion": revision::agreed(params.get("protocolVersion").and_then(Value::as_str)),
            "capabilities": capabilities(),
            "serverInfo": message::server(),
            "instructions": INSTRUCTIONS,
        }))),
        ("ping", Revision::Handshake) => Ok(reply.respond(json!({}))),
        _ => Err(Problem::method_not_found(&method)),
    }
}

/// Tools, and no word when they change: nobody is connected who could be told.
fn capabilities() -> Value {
    json!({ "tools": {} })
}

fn list(revision: Revision, visit: &Visit<'_>) -> Value {
    let tools: Vec<_> = call::there(visit).into_iter().map(Tool::describe).collect();
    let list = json!({ "tools": tools });
    match revision {
        Revision::Stateless => keepable(list),
        Revision::Handshake => list,
    }
}

/// A result that a client may keep for itself for a while.
fn keepable(mut result: Value) -> Value {
    result["ttlMs"] = LIST_MILLISECONDS.into();
    result["cacheScope"] = "private".into();
    result
}

/// The response to a notification.
fn accepted() -> Response<ResponseBody> {
    let mut response = Response::new(Empty::new().map_err(|never| match never {}).boxed_unsync());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}
