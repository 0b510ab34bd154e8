//! Questions about a picture or a document in the conversation, answered by the components that read these.
//!
//! The file is sent to its component, the question after it, and then the component is told to forget it: the client
//! sends it again with the next question. All of it happens in a session of its own.

use http::Response;
use quartet_api::operations::{
    IMAGE_ANALYZE, IMAGE_CHAT, IMAGE_FORGET, Operation, PDF_CHAT, PDF_EXTRACT_TEXT, PDF_FORGET, PDF_SUMMARIZE,
};
use quartet_document_kinds::Hint;
use serde_json::{Value, json};

use super::answer::Said;
use super::content::Attachment;
use super::request::Asked;
use crate::body::ResponseBody;
use crate::failure::Failure;
use crate::http::doors::reply::Names;
use crate::http::doors::visit::{Call, Visit};
use crate::http::doors::{reply, upload};

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
pub async fn answer(
    asked: &Asked,
    attachment: Attachment,
    names: Names,
    visit: &mut Visit<'_>,
) -> Result<Found, Failure> {
    let (kind, file) = match attachment {
        Attachment::Picture(file) => (PICTURE, file),
        Attachment::Document(file) => (DOCUMENT, file),
    };
    let session = upload::session()?;
    let question = asked.message.trim();
    let operation = if question.is_empty() {
        kind.describe
    } else {
        kind.upload
    };
    // Which of two kinds of text it is, is lost here, and matters little for an answer.
    let media_type =
        quartet_document_kinds::Kind::of(&file, Hint::default()).map_or(upload::BYTES, |kind| kind.media_type());
    let call = upload::in_session(upload::form(operation, kind.part, (&file, media_type), &[]), &session);
    let uploaded: Value = match reply::read(visit.aside(call).await?, names).await? {
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
        let call = upload::in_session(Call::json(kind.ask, &document), &session);
        match reply::read::<Value>(visit.aside(call).await?, names).await? {
            Ok(answer) if !asked.attached_now && answer["answered"] != true => Found::Nothing,
            Ok(answer) => Found::Answer(Said::found(answer["answer"].as_str().unwrap_or_default().to_owned())),
            Err(refused) => Found::Refused(refused),
        }
    };
    upload::forget(kind.forget, kind.id, &uploaded[kind.id], &session, visit).await;
    Ok(found)
}
