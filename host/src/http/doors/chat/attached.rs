//! Questions about a picture or a document in the conversation, answered by the components that read these.
//!
//! The file is sent to its component, the question after it, and then the component is told to forget it: the client
//! sends it again with the next question. All of it happens in a session of its own.

use bytes::Bytes;
use http::{HeaderValue, Response};
use quartet_api::operations::{
    IMAGE_ANALYZE, IMAGE_CHAT, IMAGE_FORGET, Operation, PDF_CHAT, PDF_EXTRACT_TEXT, PDF_FORGET, PDF_SUMMARIZE,
};
use serde_json::{Value, json};

use super::completion::Said;
use super::content::Attachment;
use super::request::{Asked, NAMES};
use crate::body::ResponseBody;
use crate::failure::Failure;
use crate::http::doors::reply;
use crate::http::doors::visit::{Call, Visit};

/// An answer from a file.
pub enum Found {
    /// The file answers the question.
    Answer(Said),
    /// The component refused something, and this tells the client.
    Refused(Box<Response<ResponseBody>>),
    /// An earlier file does not answer the question.
    Nothing,
}

/// The operations on one kind of files.
struct Kind {
    /// The part of the form.
    part: &'static str,
    /// Takes the file.
    upload: &'static Operation,
    /// The field with its id.
    id: &'static str,
    /// Says what is in it, where nothing is asked.
    describe: &'static Operation,
    /// The field of that answer.
    description: &'static str,
    ask: &'static Operation,
    forget: &'static Operation,
}

const PICTURE: Kind = Kind {
    part: "image",
    upload: &IMAGE_ANALYZE,
    id: "imageId",
    describe: &IMAGE_ANALYZE,
    description: "description",
    ask: &IMAGE_CHAT,
    forget: &IMAGE_FORGET,
};

const DOCUMENT: Kind = Kind {
    part: "pdf",
    upload: &PDF_EXTRACT_TEXT,
    id: "documentId",
    describe: &PDF_SUMMARIZE,
    description: "summary",
    ask: &PDF_CHAT,
    forget: &PDF_FORGET,
};

/// Answers a question from the file that was sent last.
///
/// # Errors
/// When an operation cannot be run.
pub async fn answer(asked: &Asked, attachment: Attachment, visit: &mut Visit<'_>) -> Result<Found, Failure> {
    let (kind, file) = match attachment {
        Attachment::Picture(file) => (PICTURE, file),
        Attachment::Document(file) => (DOCUMENT, file),
    };
    let session = HeaderValue::try_from(uuid::Uuid::new_v4().simple().to_string())
        .map_err(|error| Failure::internal(error.to_string()))?;
    let question = asked.message.trim();
    let upload = if question.is_empty() {
        kind.describe
    } else {
        kind.upload
    };
    let call = form(upload, kind.part, file, session.clone());
    let uploaded: Value = match reply::read(visit.aside(call).await?, NAMES).await? {
        Ok(uploaded) => uploaded,
        // A file of an earlier turn was told about when it came.
        Err(_) if !asked.attached_now => return Ok(Found::Nothing),
        Err(refused) => return Ok(Found::Refused(refused)),
    };
    let found = if question.is_empty() {
        let text = uploaded[kind.description].as_str().unwrap_or_default();
        Found::Answer(Said::found(text.to_owned()))
    } else {
        let document = json!({"message": question, kind.id: uploaded[kind.id]});
        let call = with_session(Call::json(kind.ask, &document), &session);
        match reply::read::<Value>(visit.aside(call).await?, NAMES).await? {
            Ok(answer) if !asked.attached_now && answer["answered"] != true => Found::Nothing,
            Ok(answer) => Found::Answer(Said::found(answer["answer"].as_str().unwrap_or_default().to_owned())),
            Err(refused) => Found::Refused(refused),
        }
    };
    let forget = with_session(Call::json(kind.forget, &json!({kind.id: uploaded[kind.id]})), &session);
    // It is forgotten by itself after a while, too.
    if let Err(failure) = visit.aside(forget).await {
        tracing::debug!(
            id = visit.id(),
            reason = failure.message,
            "a file of a conversation stays for now"
        );
    }
    Ok(found)
}

fn with_session(mut call: Call, session: &HeaderValue) -> Call {
    call.session = Some(session.clone());
    call
}

/// A form with one file (RFC 7578).
fn form(operation: &'static Operation, part: &str, file: Vec<u8>, session: HeaderValue) -> Call {
    // Nobody can have put it into the file on purpose: it is drawn now.
    let boundary = uuid::Uuid::new_v4().simple().to_string();
    let head = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"{part}\"; filename=\"{part}\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n"
    );
    let mut body = Vec::with_capacity(head.len() + file.len() + boundary.len() + 8);
    body.extend_from_slice(head.as_bytes());
    body.extend_from_slice(&file);
    body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    let media_type = format!("multipart/form-data; boundary={boundary}");
    Call {
        operation,
        content_type: HeaderValue::try_from(media_type).unwrap_or(HeaderValue::from_static("multipart/form-data")),
        accept: "application/json",
        session: Some(session),
        body: Bytes::from(body),
    }
}
