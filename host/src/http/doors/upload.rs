//! Files on their way to a component: as a form, in a session of their own, and forgotten afterwards.

use bytes::Bytes;
use http::HeaderValue;
use quartet_api::operations::Operation;
use serde_json::{Value, json};

use super::visit::{Call, Visit};
use crate::failure::Failure;

/// A session that nobody else knows.
///
/// # Errors
/// Never: its name is a header's value.
pub fn session() -> Result<HeaderValue, Failure> {
    HeaderValue::try_from(uuid::Uuid::new_v4().simple().to_string())
        .map_err(|error| Failure::internal(error.to_string()))
}

/// The same call in a session.
pub fn in_session(mut call: Call, session: &HeaderValue) -> Call {
    call.session = Some(session.clone());
    call
}

/// The media type of bytes that tell their kind themselves.
pub const BYTES: &str = "application/octet-stream";

/// A form with one file, whose media type is said, and fields of text (RFC 7578).
pub fn form(
    operation: &'static Operation,
    part: &str,
    (file, media_type): (&[u8], &str),
    fields: &[(&str, &str)],
) -> Call {
    // Nobody can have put it into the file on purpose: it is drawn now.
    let boundary = uuid::Uuid::new_v4().simple().to_string();
    let mut body = Vec::with_capacity(file.len() + 512);
    for (name, value) in fields {
        let field = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        body.extend_from_slice(field.as_bytes());
    }
    let head = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"{part}\"; filename=\"{part}\"\r\n\
         Content-Type: {media_type}\r\n\r\n"
    );
    body.extend_from_slice(head.as_bytes());
    body.extend_from_slice(file);
    body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    let form_type = format!("multipart/form-data; boundary={boundary}");
    Call {
        operation,
        content_type: HeaderValue::try_from(form_type).unwrap_or(HeaderValue::from_static("multipart/form-data")),
        accept: "application/json",
        session: None,
        body: Bytes::from(body),
    }
}

/// Has the component forget a file. It is forgotten by itself after a while, too.
pub async fn forget(
    operation: &'static Operation,
    field: &str,
    id: &Value,
    session: &HeaderValue,
    visit: &mut Visit<'_>,
) {
    let call = in_session(Call::json(operation, &json!({ field: id })), session);
    if let Err(failure) = visit.aside(call).await {
        let reason = failure.message;
        tracing::debug!(id = visit.id(), reason, "a file that was sent along stays for now");
    }
}
