//! Multipart form data with one file part, read as it arrives and stopped at its limit.
//!
//! The parser is the crate `multer`. It is asynchronous and takes all that is ready before it looks at its limits; our
//! bodies block where they must wait, so everything is ready. Hence `one_at_a_time`: the parser gets one piece of the
//! body at each poll, and a poll in a loop is all the executor that it needs.

use std::io::Read;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use futures_util::stream::{self, Stream};
use multer::{Constraints, Multipart, SizeLimit};
use quartet_api::{Code, limits};

use crate::failure::{Failure, quoted};
use crate::request::{Request, too_large, unreadable};

/// An uploaded file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The name that the client gave it.
    pub name: Option<String>,
    /// The content type that the client gave it; not to be believed.
    pub media_type: Option<String>,
    /// The content; never empty.
    pub bytes: Vec<u8>,
}

/// Size of a field beside the file, in bytes.
const FIELD_BYTES: usize = 1024;

/// A form with one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The file.
    pub file: File,
    fields: Vec<(String, String)>,
}

impl Form {
    /// The value of a field, where the form has it.
    pub fn field(&self, name: &str) -> Option<&str> {
        let (_, value) = self.fields.iter().find(|(known, _)| known == name)?;
        Some(value)
    }
}

/// Reads the one file part with this name. Any other part, a second one, or none is an error that says so.
pub fn read_file(request: &mut Request, part: &str) -> Result<File, Failure> {
    Ok(read_form(request, &[part], &[])?.file)
}

/// Reads the one file part with one of these names, and beside it fields of text with these names, each of which may be
/// left out. Any other part, a second one of a name, or no file is an error that says so, by the first of the names.
pub fn read_form(request: &mut Request, parts: &[&str], fields: &[&str]) -> Result<Form, Failure> {
    request.expect_media_type("multipart/form-data")?;
    let content_type = request.header("content-type").unwrap_or_default().to_owned();
    let boundary = multer::parse_boundary(&content_type).map_err(|_| {
        Failure::new(
            Code::InvalidMultipart,
            "the header Content-Type has no boundary for its multipart/form-data",
        )
    })?;
    let body = std::mem::replace(&mut request.body, Box::new(std::io::empty()));
    read_part(body, &boundary, parts, fields, limits::UPLOAD_BYTES)
}

fn read_part(
    body: Box<dyn Read + Send>,
    boundary: &str,
    parts: &[&str],
    fields: &[&str],
    limit: u64,
) -> Result<Form, Failure> {
    let part = parts.first().copied().unwrap_or_default();
    let constraints = Constraints::new().size_limit(SizeLimit::new().per_field(limit));
    let mut form = Multipart::with_constraints(one_at_a_time(body), boundary, constraints);
    let mut file = None;
    let mut values: Vec<(String, String)> = Vec::new();
    while let Some(mut field) = ready(form.next_field()).map_err(|error| describe(error, part, limit))? {
        let name = field.name().unwrap_or_default().to_owned();
        let is_file = parts.contains(&name.as_str());
        if !is_file && !fields.contains(&name.as_str()) {
            let others = fields
                .iter()
                .map(|field| format!(", and beside it `{field}` if you like"));
            return Err(Failure::new(
                Code::InvalidField,
                format!(
                    "part {} is not known; send one file part named `{part}`{}",
                    quoted(&name),
                    others.collect::<String>()
                ),
            ));
        }
        if is_file && file.is_some() || values.iter().any(|(known, _)| *known == name) {
            let advice = if is_file { "send one file" } else { "send it once" };
            return Err(Failure::new(
                Code::InvalidField,
                format!("part `{name}` is there twice; {advice}"),
            ));
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = ready(field.chunk()).map_err(|error| describe(error, part, limit))? {
            bytes.extend_from_slice(&chunk);
            if !is_file && bytes.len() > FIELD_BYTES {
                return Err(Failure::field(
                    &name,
                    format_args!("is longer than {FIELD_BYTES} bytes"),
                ));
            }
        }
        if !is_file {
            let value = String::from_utf8(bytes).map_err(|_| Failure::field(&name, "is not UTF-8"))?;
            values.push((name, value));
            continue;
        }
        if bytes.is_empty() {
            return Err(Failure::new(
                Code::InvalidField,
                format!("part `{part}` is an empty file"),
            ));
        }
        let media_type = field.content_type().map(ToString::to_string);
        file = Some(File {
            name: field.file_name().map(str::to_owned),
            media_type,
            bytes,
        });
    }
    let file =
        file.ok_or_else(|| Failure::new(Code::MissingField, format!("the form has no file part named `{part}`")))?;
    Ok(Form { file, fields: values })
}

fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

fn describe(error: multer::Error, part: &str, limit: u64) -> Failure {
    match error {
        multer::Error::FieldSizeExceeded { .. } => Failure::new(
            Code::PayloadTooLarge,
            format!("the file in part `{part}` is larger than the {limit} bytes allowed"),
        ),
        multer::Error::StreamSizeExceeded { .. } => too_large(limit),
        multer::Error::StreamReadFailed(error) => {
            let ended = || std::io::ErrorKind::UnexpectedEof.into();
            unreadable(error.downcast().map_or_else(|_| ended(), |error| *error))
        }
        multer::Error::IncompleteStream | multer::Error::IncompleteFieldData { .. } => {
            Failure::new(Code::InvalidMultipart, "the form ends before its closing boundary")
        }
        other => Failure::new(
            Code::InvalidMultipart,
            format!("the form is not valid multipart/form-data: {other}"),
        ),
    }
}

/// The body in pieces, with a pause after each.
fn one_at_a_time(mut body: Box<dyn Read + Send>) -> impl Stream<Item = std::io::Result<Bytes>> + Send {
    let mut paused = true;
    stream::poll_fn(move |_| {
        paused = !paused;
        if paused {
            return Poll::Pending;
        }
        let mut chunk = vec![0; 64 * 1024];
        Poll::Ready(match body.read(&mut chunk) {
            Ok(0) => None,
            Ok(length) => {
                chunk.truncate(length);
                Some(Ok(chunk.into()))
            }
            Err(error) => Some(Err(error)),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(parts: &[(&str, &str)]) -> String {
        let parts: String = parts
            .iter()
            .map(|(disposition, content)| {
                format!("--b\r\ncontent-disposition: form-data; {disposition}\r\n\r\n{content}\r\n")
            })
            .collect();
        format!("{parts}--b--\r\n")
    }

    fn read_fields(form: &str, fields: &[&str]) -> Result<Form, Failure> {
        read_part(
            Box::new(std::io::Cursor::new(form.to_owned())),
            "b",
            &["image", "picture"],
            fields,
            8,
        )
    }

    fn read(form: &str) -> Result<File, Failure> {
        Ok(read_fields(form, &[])?.file)
    }

    fn check(form: &str, code: Code, part: &str) {
        let failure = read(form).unwrap_err();
        assert_eq!(failure.code, code, "{}", failure.message);
        assert!(failure.message.contains(part), "{}", failure.message);
    }

    #[test]
    fn reads_one_file() {
        let file = read(&form(&[(r#"name="image"; filename="a.png""#, "12345678")])).unwrap();
        assert_eq!(file.name.as_deref(), Some("a.png"));
        assert_eq!(file.bytes, b"12345678");
    }

    #[test]
    fn reads_the_fields_beside_the_file_that_are_asked_for() {
        let body = form(&[(r#"name="most""#, "7"), (r#"name="image""#, "x")]);
        let read = read_fields(&body, &["most", "least"]).unwrap();
        assert_eq!((read.field("most"), read.field("least")), (Some("7"), None));
        assert!(read_fields(&body, &["least"]).unwrap_err().message.contains("`least`"));
        let twice = form(&[
            (r#"name="most""#, "7"),
            (r#"name="most""#, "8"),
            (r#"name="image""#, "x"),
        ]);
        assert!(
            read_fields(&twice, &["most"])
                .unwrap_err()
                .message
                .contains("`most` is there twice")
        );
        let only = form(&[(r#"name="most""#, "7")]);
        assert_eq!(read_fields(&only, &["most"]).unwrap_err().code, Code::MissingField);
    }

    #[test]
    fn says_what_is_wrong_with_the_form() {
        check(&form(&[]), Code::MissingField, "`image`");
        check(&form(&[(r#"name="photo""#, "x")]), Code::InvalidField, "\"photo\"");
        check(
            &form(&[(r#"name="image""#, "x"), (r#"name="picture""#, "y")]),
            Code::InvalidField,
            "twice",
        );
        check(
            &form(&[(r#"name="image""#, "x"), (r#"name="image""#, "y")]),
            Code::InvalidField,
            "twice",
        );
        check(&form(&[(r#"name="image""#, "")]), Code::InvalidField, "empty");
        check(
            &form(&[(r#"name="image""#, "123456789")]),
            Code::PayloadTooLarge,
            "8 bytes",
        );
        check(
            "--b\r\ncontent-disposition: form-data; name=\"image\"\r\n\r\nhalf",
            Code::InvalidMultipart,
            "closing boundary",
        );
        check("nothing of the kind", Code::InvalidMultipart, "form");
    }

    #[test]
    fn stops_reading_at_the_limit() {
        struct Endless(u64);
        impl Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                self.0 += buffer.len() as u64;
                assert!(self.0 < 1_000_000, "read on after the limit");
                buffer.fill(b'x');
                Ok(buffer.len())
            }
        }
        let head = "--b\r\ncontent-disposition: form-data; name=\"image\"\r\n\r\n".as_bytes();
        let body = Box::new(head.chain(Endless(0)));
        assert_eq!(
            read_part(body, "b", &["image"], &[], 8).unwrap_err().code,
            Code::PayloadTooLarge
        );
    }
}
