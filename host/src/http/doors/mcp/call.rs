//! `tools/call`: finds the tool, reads its arguments and runs it.

use http::{HeaderValue, Response};
use quartet_api::tools::{self, Tool};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

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

/// The token by which a client wants to be told of progress.
fn token(params: &Map<String, Value>) -> Result<Option<Value>, Problem> {
    match params.get("_meta").and_then(|meta| meta.get("progressToken")) {
        None | Some(Value::Null) => Ok(None),
        Some(token) if token.is_string() || token.is_i64() || token.is_u64() => Ok(Some(token.clone())),
        Some(_) => Err(Problem::invalid_params(
            "field `params._meta.progressToken` takes a string or a whole number",
        )),
    }
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

/// Reads the arguments of a tool.
fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, Failure> {
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        let field = error.path().to_string();
        let problem = error.into_inner();
        match field.as_str() {
            "." => Failure::new(
                quartet_api::Code::InvalidField,
                format!("the arguments are wrong: {problem}"),
            ),
            _ => Failure::field(field, format!("is wrong: {problem}")),
        }
    })
}

#[cfg(test)]
mod tests {
    use quartet_api::tools::SpeakArguments;
    use serde_json::json;

    use super::*;

    #[test]
    fn wrong_arguments_are_named() {
        let failure = |arguments: Value| read::<SpeakArguments>(arguments).unwrap_err().message;
        assert!(failure(json!({})).contains("missing field `text`"));
        assert!(failure(json!({"text": 5})).contains("field `text`"));
        let other = failure(json!({"text": "a", "volume": 5}));
        assert!(other.contains("`volume`") && other.contains("`voice`"), "{other}");
        assert!(read::<SpeakArguments>(json!({"text": "a", "voice": null})).is_ok());
    }

    #[test]
    fn tokens_are_strings_or_whole_numbers() {
        let token = |value: Value| token(json!({"_meta": {"progressToken": value}}).as_object().unwrap());
        assert_eq!(token(json!("a")), Ok(Some(json!("a"))));
        assert_eq!(token(json!(7)), Ok(Some(json!(7))));
        assert_eq!(token(Value::Null), Ok(None));
        assert!(token(json!(1.5)).is_err() && token(json!({})).is_err());
    }
}
