//! Responses in the other form.

use bytes::Bytes;
use http::{HeaderValue, Response, header};
use http_body_util::{BodyExt, Full, Limited};
use quartet_api::{Code, FailureBody, Success};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::body::ResponseBody;
use crate::failure::{Failure, OpenAiFailure};

/// The media type of server-sent events.
pub const EVENT_STREAM: &str = "text/event-stream";

/// Largest JSON answer of an operation that is read here, in bytes: the text of a long document with all of its blocks.
const MAX_ANSWER_BYTES: usize = 64 * 1024 * 1024;

/// The response with a JSON document.
pub fn json(document: &impl Serialize) -> Response<ResponseBody> {
    let bytes = serde_json::to_vec(document).unwrap_or_default();
    whole("application/json", bytes)
}

/// The response with a whole body.
pub fn whole(media_type: &'static str, bytes: Vec<u8>) -> Response<ResponseBody> {
    let body = Full::new(Bytes::from(bytes)).map_err(|never| match never {});
    streamed(media_type, body.boxed_unsync())
}

/// The response with a body that is still being made.
pub fn streamed(media_type: &'static str, body: ResponseBody) -> Response<ResponseBody> {
    let mut response = Response::new(body);
    let media_type = HeaderValue::from_static(media_type);
    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    response
}

/// One event of a stream: JSON has no line breaks outside of its strings, where they are escaped.
pub fn event(out: &mut Vec<u8>, data: &impl Serialize) {
    out.extend_from_slice(b"data: ");
    out.extend_from_slice(&serde_json::to_vec(data).unwrap_or_default());
    out.extend_from_slice(b"\n\n");
}

/// Names of fields: the component's, and the client's.
pub type Names = &'static [(&'static str, &'static str)];

/// The answer of an operation: its result, or the response that tells the client of its failure.
pub type Answered<T> = Result<T, Box<Response<ResponseBody>>>;

/// Reads the JSON answer of an operation.
///
/// # Errors
/// When the component gave its answer up, or it is none of the contract's.
pub async fn read<T: DeserializeOwned>(response: Response<ResponseBody>, names: Names) -> Result<Answered<T>, Failure> {
    if !response.status().is_success() {
        return refused(response, names).await.map(|response| Err(Box::new(response)));
    }
    let bytes = collect(response.into_body()).await?;
    // At once and not by way of a value: arguments of calls keep the order that they were written in.
    serde_json::from_slice::<Success<T>>(&bytes)
        .map(|answer| Ok(answer.data))
        .map_err(|error| Failure::internal(format!("the component's answer is not the contract's: {error}")))
}

/// Reads the JSON answer of an operation for a door whose failures are not OpenAI's.
///
/// # Errors
/// The component's own failure, with the client's names of fields; or when it gave its answer up, or it is none of the
/// contract's.
pub async fn take<T: DeserializeOwned>(response: Response<ResponseBody>, names: Names) -> Result<T, Failure> {
    let (parts, body) = response.into_parts();
    let bytes = collect(body).await?;
    let wrong =
        |error: serde_json::Error| Failure::internal(format!("the component's answer is not the contract's: {error}"));
    if parts.status.is_success() {
        return serde_json::from_slice::<Success<T>>(&bytes)
            .map(|answer| answer.data)
            .map_err(wrong);
    }
    let body: FailureBody = serde_json::from_slice(&bytes).map_err(wrong)?;
    let taken = failure(&body, names);
    let seconds = parts
        .headers
        .get(header::RETRY_AFTER)
        .and_then(|value| value.to_str().ok()?.parse().ok());
    Err(match seconds {
        Some(seconds) => taken.retry_after(seconds),
        None => taken,
    })
}

/// A component's failure as one of the host's.
pub fn failure(body: &FailureBody, names: Names) -> Failure {
    let code = Code::from_word(&body.code).unwrap_or(Code::Internal);
    let (message, field) = renamed(&body.error, names);
    let failure = Failure::new(code, message);
    match field {
        Some(field) => failure.of_field(field),
        None => failure,
    }
}

/// Puts the failure of a component into the other form.
///
/// # Errors
/// When the component gave its answer up.
pub async fn refused(response: Response<ResponseBody>, names: Names) -> Result<Response<ResponseBody>, Failure> {
    let (parts, body) = response.into_parts();
    let bytes = collect(body).await?;
    let failure: FailureBody = serde_json::from_slice(&bytes)
        .map_err(|error| Failure::internal(format!("the component's failure is not the contract's: {error}")))?;
    let mut response = json(&translated(parts.status.as_u16(), &failure, names));
    *response.status_mut() = parts.status;
    if let Some(seconds) = parts.headers.get(header::RETRY_AFTER) {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.clone());
    }
    Ok(response)
}

/// A component's failure in the other form.
pub fn translated(status: u16, failure: &FailureBody, names: Names) -> OpenAiFailure {
    let (message, field) = renamed(&failure.error, names);
    OpenAiFailure::new(status, &message, field, &failure.code)
}

/// A component's sentence with the client's name of the field that it is about, and that name.
fn renamed(sentence: &str, names: Names) -> (String, Option<String>) {
    // Sentences about a field begin so.
    let named = sentence.strip_prefix("field `").and_then(|rest| rest.split_once('`'));
    let Some((field, problem)) = named else {
        return (sentence.to_owned(), None);
    };
    // The place in a list stays; what stands behind it may have another name, too.
    let (name, place) = field.split_at(field.find('[').unwrap_or(field.len()));
    let (place, inside) = place.split_at(place.find(']').map_or(0, |end| end + 1));
    let whole = format!("{name}[]{inside}");
    let find = |name: &str| names.iter().find(|(ours, _)| *ours == name).map(|(_, theirs)| *theirs);
    let field = match find(&whole) {
        Some(theirs) if !place.is_empty() => theirs.replace("[]", place),
        _ => format!("{}{place}{inside}", find(name).unwrap_or(name)),
    };
    (format!("field `{field}`{problem}"), Some(field))
}

async fn collect(body: ResponseBody) -> Result<Bytes, Failure> {
    let collected = Limited::new(body, MAX_ANSWER_BYTES).collect().await;
    collected
        .map(|collected| collected.to_bytes())
        .map_err(|error| Failure::internal(format!("the component gave its answer up: {error}")))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn fields_have_the_clients_names() {
        let told = |sentence: &str| {
            let failure = FailureBody::new(Code::InvalidField, sentence, None);
            let names = &[("text", "input"), ("tools[].name", "tools[].function.name")];
            serde_json::to_value(translated(400, &failure, names)).unwrap()["error"].take()
        };
        let error = told("field `text` is empty");
        assert_eq!(
            (&error["param"], &error["message"]),
            (&"input".into(), &"field `input` is empty".into())
        );
        assert_eq!(told("field `text[3]` is empty")["param"], "input[3]");
        assert_eq!(told("field `text[3].name` is empty")["param"], "input[3].name");
        assert_eq!(
            told("field `tools[3].name` is empty")["param"],
            "tools[3].function.name"
        );
        assert_eq!(told("field `tools` is empty")["param"], "tools");
        assert_eq!(told("field `voice` is \"x\"")["param"], "voice");
        assert_eq!(told("the file is no picture")["param"], Value::Null);
    }
}
