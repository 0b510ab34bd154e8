//! `POST /v1/convert/source`: a document inside of JSON, as docling-serve takes it. It is the form of `/v1/convert/file` in another shape:
//! `options` are its fields, and `sources` has its file as Base64.

use bytes::Bytes;
use serde_json::{Map, Value};

use super::form::Form;
use crate::failure::Failure;
use crate::http::doors::{data_url, object};

/// The name of a file that has none.
const UNNAMED: &str = "document";

/// Reads a body.
///
/// # Errors
/// When it is no such object, or a source is an address: nothing is fetched.
pub fn read(body: &[u8]) -> Result<Form, Failure> {
    let mut request = object::read(body)?;
    let Some(Value::Array(sources)) = request.remove("sources") else {
        return Err(Failure::missing_field(
            "sources",
            "a list with one object: its kind is file, base64_string has the document, and filename its name",
        ));
    };
    let files = sources.into_iter().enumerate();
    let files: Vec<(String, Bytes)> = files
        .map(|(place, source)| file(place, source))
        .collect::<Result<_, _>>()?;
    let mut fields = Vec::new();
    for (name, value) in options(request.remove("options"))? {
        let values = match value {
            Value::Array(values) => values,
            Value::Null => continue,
            value => vec![value],
        };
        let plain = |value: Value| match value {
            Value::String(text) => text,
            other => other.to_string(),
        };
        fields.extend(values.into_iter().map(|value| (name.clone(), plain(value))));
    }
    let target = request.get("target").and_then(|target| target["kind"].as_str());
    fields.extend(target.map(|kind| ("target_type".to_owned(), kind.to_owned())));
    Ok(Form::of(files, fields))
}

fn options(options: Option<Value>) -> Result<Map<String, Value>, Failure> {
    match options {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(options)) => Ok(options),
        Some(_) => Err(Failure::field("options", "takes an object")),
    }
}

/// The file of a source, with its name.
fn file(place: usize, source: Value) -> Result<(String, Bytes), Failure> {
    let at = |name: &str| format!("sources[{place}].{name}");
    let Value::Object(mut source) = source else {
        return Err(Failure::field(format!("sources[{place}]"), "takes an object"));
    };
    // Older clients leave it out.
    let kind = source.get("kind").and_then(Value::as_str).map(str::to_owned);
    if !matches!(kind.as_deref(), None | Some("file")) || source.contains_key("url") {
        return Err(Failure::field(
            at("kind"),
            "takes file: addresses are not fetched here; send the document as base64_string, or as a form to /v1/convert/file",
        ));
    }
    let Some(Value::String(encoded)) = source.remove("base64_string") else {
        return Err(Failure::missing_field(&at("base64_string"), "the document as Base64"));
    };
    let file = data_url::read(at("base64_string"), &encoded, true)?;
    let name = source.get("filename").and_then(Value::as_str).unwrap_or(UNNAMED);
    Ok((name.to_owned(), file.into()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_source_is_the_form_in_another_shape() {
        let form = read(
            json!({
                "options": {"to_formats": ["md", "text"], "do_ocr": true, "md_page_break_placeholder": "-", "pipeline": null},
                "sources": [{"kind": "file", "base64_string": "YWJj", "filename": "a.pdf"}],
                "target": {"kind": "inbody"}
            })
            .to_string()
            .as_bytes(),
        )
        .unwrap();
        assert_eq!(form.files, [("a.pdf".to_owned(), Bytes::from_static(b"abc"))]);
        assert_eq!(form.all("to_formats").collect::<Vec<_>>(), ["md", "text"]);
        assert_eq!(form.all("target_type").collect::<Vec<_>>(), ["inbody"]);
        assert_eq!(form.all("do_ocr").collect::<Vec<_>>(), ["true"]);
        assert_eq!(form.all("pipeline").count(), 0);
    }

    #[test]
    fn a_source_that_is_wrong_is_named() {
        for (body, told) in [
            (json!({}), "sources"),
            (json!({"sources": [3]}), "sources[0]"),
            (
                json!({"sources": [{"kind": "http", "url": "https://example.org/a.pdf"}]}),
                "sources[0].kind",
            ),
            (
                json!({"sources": [{"url": "https://example.org/a.pdf"}]}),
                "sources[0].kind",
            ),
            (json!({"sources": [{"kind": "file"}]}), "sources[0].base64_string"),
            (json!({"sources": [{"base64_string": "§"}]}), "sources[0].base64_string"),
            (json!({"sources": [], "options": 3}), "options"),
        ] {
            let failure = read(body.to_string().as_bytes()).expect_err("it is wrong");
            assert!(failure.message.contains(told), "{body}: {}", failure.message);
        }
    }
}
