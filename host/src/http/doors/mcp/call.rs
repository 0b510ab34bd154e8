//! `tools/call`: finds the tool, reads its arguments and runs it.

use http::{HeaderValue, Response};
use quartet_api::tools::{self, Tool};
use serde_json::{Map, Value};

use super::arguments::{read, token};
use super::message::{Problem, Reply};
use super::progress::Telling;
use super::result::{Outcome, ToolFailure, ToolResult};
use super::{conversation, files, speech};
use crate::body::ResponseBody;
use crate::failure::Failure;
use crate::http::doors::reply::EVENT_STREAM;
use crate::http::doors::visit::Visit;

/// Runs a tool.
///
/// # Errors
/// When there is no such tool, or the request is none for a tool. A tool that fails says so in its result.
pub async fn answer(
    mut params: Map<String, Value>,
    reply: Reply,
    visit: &mut Visit<'_>,
) -> Result<Response<ResponseBody>, Problem> {
    let Some(Value::String(name)) = params.remove("name") else {
        return Err(Problem::invalid_params("field `params.name` takes the name of a tool"));
    };
    let tool = Tool::named(&name).filter(|tool| is_there(tool, visit)).ok_or_else(|| {
        let names: Vec<_> = there(visit).into_iter().map(|tool| tool.name).collect();
        let shown: String = name.chars().take(80).collect();
        Problem::invalid_params(format!("unknown tool {shown:?}; there are {}", names.join(", ")))
    })?;
    let arguments = match params.remove("arguments") {
        None => Value::Object(Map::new()),
        Some(arguments @ Value::Object(_)) => arguments,
        Some(_) => return Err(Problem::invalid_params("field `params.arguments` takes an object")),
    };
    let telling = Telling::new(reply.clone(), token(&params)?.filter(|_| takes_events(visit)));
    match run(tool, arguments, telling, visit).await {
        Ok(Outcome::Done(result)) => Ok(reply.respond(result.into_value())),
        Ok(Outcome::Streamed(response)) => Ok(response),
        Err(failure) => {
            let mut response = reply.respond(ToolResult::from(&failure).into_value());
            if let Some(seconds) = failure.retry_after {
                let seconds = HeaderValue::from(seconds);
                response.headers_mut().insert(http::header::RETRY_AFTER, seconds);
            }
            response.extensions_mut().insert(ToolFailure(failure));
            Ok(response)
        }
    }
}

/// The tools whose operations are here, and for which the caller's key is.
pub fn there(visit: &Visit<'_>) -> Vec<&'static Tool> {
    tools::TOOLS.into_iter().filter(|tool| is_there(tool, visit)).collect()
}

fn is_there(tool: &Tool, visit: &Visit<'_>) -> bool {
    tool.operations.iter().all(|operation| visit.may(operation))
}

fn takes_events(visit: &Visit<'_>) -> bool {
    visit
        .header("accept")
        .is_some_and(|accept| accept.contains(EVENT_STREAM))
}

const SPEAK: &str = tools::SPEAK.name;
const READ_IMAGE: &str = tools::READ_IMAGE.name;
const DESCRIBE_IMAGE: &str = tools::DESCRIBE_IMAGE.name;
const ASK_IMAGE: &str = tools::ASK_IMAGE.name;
const READ_DOCUMENT: &str = tools::READ_DOCUMENT.name;
const SUMMARIZE_DOCUMENT: &str = tools::SUMMARIZE_DOCUMENT.name;
const ASK_DOCUMENT: &str = tools::ASK_DOCUMENT.name;
const COMPUTE: &str = tools::COMPUTE.name;
const CHAT: &str = tools::CHAT.name;
const SEARCH: &str = tools::SEARCH.name;

async fn run(tool: &Tool, arguments: Value, telling: Telling, visit: &mut Visit<'_>) -> Result<Outcome, Failure> {
    let done = match tool.name {
        SPEAK => return speech::speak(read(arguments)?, telling, visit).await,
        COMPUTE => return conversation::compute(read(arguments)?, visit).await,
        CHAT => return conversation::chat(read(arguments)?, telling, visit).await,
        SEARCH => return conversation::search(read(arguments)?, telling, visit).await,
        READ_IMAGE => files::read_image(read(arguments)?, visit).await,
        DESCRIBE_IMAGE => files::describe_image(read(arguments)?, visit).await,
        ASK_IMAGE => files::ask_image(read(arguments)?, visit).await,
        READ_DOCUMENT => files::read_document(read(arguments)?, visit).await,
        SUMMARIZE_DOCUMENT => files::summarize_document(read(arguments)?, visit).await,
        ASK_DOCUMENT => files::ask_document(read(arguments)?, visit).await,
        name => Err(Failure::internal(format!("the tool {name} is listed and not there"))),
    };
    done.map(Outcome::Done)
}
