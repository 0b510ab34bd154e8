//! The content of a message: text, a picture, a document.

use quartet_document_kinds::{Hint, Kind, NotRead};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::http::doors::data_url;

/// A file in a message.
#[derive(Debug, PartialEq, Eq)]
pub enum Attachment {
    /// A picture, whatever its format.
    Picture(Vec<u8>),
    /// A document.
    Document(Vec<u8>),
}

/// The content of a message.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// Its text; parts are joined by line breaks.
    pub text: String,
    /// Its file.
    pub attachment: Option<Attachment>,
}

/// Reads the content of the message at a place in the request.
///
/// # Errors
/// With the part that is wrong, or of a kind that cannot be read.
pub fn read(at: &str, content: Option<Value>) -> Result<Content, Failure> {
    let at = format!("{at}.content");
    let parts = match content {
        // The assistant's, when it called a function.
        None | Some(Value::Null) => return Ok(Content::default()),
        Some(Value::String(text)) => {
            return Ok(Content { text, attachment: None });
        }
        Some(Value::Array(parts)) => parts,
        Some(_) => return Err(Failure::field(at, "takes a string or a list of parts")),
    };
    let mut content = Content::default();
    let mut texts = Vec::new();
    for (index, part) in parts.into_iter().enumerate() {
        let at = format!("{at}[{index}]");
        let Value::Object(mut part) = part else {
            return Err(Failure::field(at, "takes an object with `type`"));
        };
        let attachment = match part.get("type").and_then(Value::as_str) {
            Some("text") => {
                texts.push(string(&at, "text", &mut part)?);
                continue;
            }
            Some("refusal") => {
                texts.push(string(&at, "refusal", &mut part)?);
                continue;
            }
            Some("image_url") => Attachment::Picture(picture(&at, part.remove("image_url"))?),
            Some("file") => document(&at, part.remove("file"))?,
            _ => {
                return Err(Failure::field(
                    format!("{at}.type"),
                    "takes text, image_url or file; other parts cannot be read",
                ));
            }
        };
        if content.attachment.replace(attachment).is_some() {
            return Err(Failure::field(
                at,
                "is a second file; a message takes one picture or document",
            ));
        }
    }
    content.text = texts.join("\n");
    Ok(content)
}

/// `image_url`: an object with `url`, or the URL itself, as some clients have it.
fn picture(at: &str, value: Option<Value>) -> Result<Vec<u8>, Failure> {
    let at = format!("{at}.image_url");
    match value {
        Some(Value::String(url)) => data_url::read(at, &url, false),
        Some(Value::Object(mut image)) => {
            let url = string(&at, "url", &mut image)?;
            data_url::read(format!("{at}.url"), &url, false)
        }
        _ => Err(Failure::field(at, "takes an object with `url`")),
    }
}

/// `file`: an object with the data; a picture is one here, too.
fn document(at: &str, value: Option<Value>) -> Result<Attachment, Failure> {
    let at = format!("{at}.file");
    let Some(Value::Object(mut file)) = value else {
        return Err(Failure::field(at, "takes an object with `file_data`"));
    };
    if !file.contains_key("file_data") && file.contains_key("file_id") {
        return Err(Failure::field(
            format!("{at}.file_id"),
            "is not known here: no files are kept; send `file_data`",
        ));
    }
    let text = string(&at, "file_data", &mut file)?;
    let bytes = data_url::read(format!("{at}.file_data"), &text, true)?;
    let name = file.get("filename").and_then(Value::as_str);
    let hint = Hint { name, media_type: None };
    Ok(match Kind::of(&bytes, hint) {
        // Without an ending nothing says that it is meant as text.
        Ok(Kind::Text) if name.is_none_or(|name| !name.contains('.')) => Attachment::Picture(bytes),
        Err(NotRead::Unknown | NotRead::Picture) => Attachment::Picture(bytes),
        _ => Attachment::Document(bytes),
    })
}

fn string(at: &str, name: &str, fields: &mut Map<String, Value>) -> Result<String, Failure> {
    match fields.remove(name) {
        Some(Value::String(text)) => Ok(text),
        _ => Err(Failure::field(format!("{at}.{name}"), "takes a string")),
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD as BASE64;
    use serde_json::json;

    use super::*;

    fn content(parts: Value) -> Result<Content, Failure> {
        read("m", Some(parts))
    }

    #[test]
    fn files_are_decoded() {
        let picture = |url: Value| {
            content(json!([{"type": "image_url", "image_url": url}]))
                .unwrap()
                .attachment
        };
        let expected = Some(Attachment::Picture(b"abcd".to_vec()));
        assert_eq!(
            picture(json!({"url": "data:image/png;base64,YWJjZA==", "detail": "low"})),
            expected
        );
        assert_eq!(picture(json!("data:image/png;base64,YWJjZA")), expected);
        let file = |data: &str| {
            let part = json!({"type": "file", "file": {"filename": "a", "file_data": data}});
            content(json!([part, {"type": "text", "text": "What?"}])).unwrap()
        };
        let pdf = BASE64.encode(b"%PDF-1.4");
        let expected = Content {
            text: "What?".to_owned(),
            attachment: Some(Attachment::Document(b"%PDF-1.4".to_vec())),
        };
        assert_eq!(file(&pdf), expected);
        assert_eq!(file(&format!("data:application/pdf;base64,{pdf}")), expected);
        let page = b"<!doctype html><p>Text".to_vec();
        assert_eq!(file(&BASE64.encode(&page)).attachment, Some(Attachment::Document(page)));
        assert_eq!(file("YWJjZA==").attachment, Some(Attachment::Picture(b"abcd".to_vec())));
    }

    #[test]
    fn files_that_cannot_be_had_are_refused() {
        let image = |url: &str| json!([{"type": "image_url", "image_url": {"url": url}}]);
        let twice = json!([{"type": "image_url", "image_url": "data:,;base64,YQ"}]);
        for (parts, field, part) in [
            (
                image("https://example.org/a.png"),
                "m.content[0].image_url.url",
                "not fetched",
            ),
            (
                image("data:image/png;base64,§"),
                "m.content[0].image_url.url",
                "no Base64",
            ),
            (
                image("data:image/png;base64,"),
                "m.content[0].image_url.url",
                "no Base64",
            ),
            (image("YWJjZA=="), "m.content[0].image_url.url", "data URL"),
            (
                json!([{"type": "file", "file": {"file_id": "x"}}]),
                "m.content[0].file.file_id",
                "file_data",
            ),
            (
                json!([{"type": "file", "file": {}}]),
                "m.content[0].file.file_data",
                "a string",
            ),
            (twice, "m.content[0].image_url", "data URL"),
        ] {
            let failure = content(parts.clone()).unwrap_err();
            assert_eq!(failure.wrong_field(), Some(field), "{parts}");
            assert!(failure.message.contains(part), "{parts}: {}", failure.message);
        }
        let one = json!({"type": "image_url", "image_url": "data:;base64,YQ=="});
        let failure = content(json!([one, one])).unwrap_err();
        assert!(failure.message.contains("a second file"), "{}", failure.message);
    }
}
