//! `POST /v1/convert/file`: a document as Markdown, JSON or text, as docling-serve answers.
//!
//! `json_content` is a document of Docling's schema with texts, their kinds and pages. Where on a page a text stands is not
//! known here, so `prov` has no `bbox`. Options of Docling's own models are passed over.

use std::time::Instant;

use bytes::Bytes;
use http::Response;
use http_body::Body;
use quartet_document_kinds::Hint;
use serde::Serialize;
use serde_json::{Value, json};

use super::form::Form;
use super::reading::{Page, Reading};
use crate::body::ResponseBody;
use crate::failure::Failure;
use crate::http::doors::reply;
use crate::http::doors::visit::Visit;

/// The forms that are made.
const FORMATS: [&str; 3] = ["md", "json", "text"];

/// The answer.
#[derive(Debug, Serialize)]
struct Converted {
    document: Contents,
    status: &'static str,
    errors: Vec<Problem>,
    processing_time: f64,
    timings: serde_json::Map<String, Value>,
}

/// The document in the forms that were asked for.
#[derive(Debug, Serialize)]
#[allow(clippy::struct_field_names, reason = "the names of the service that is answered for")]
struct Contents {
    filename: String,
    md_content: Option<String>,
    json_content: Option<Value>,
    html_content: Option<String>,
    text_content: Option<String>,
    doctags_content: Option<String>,
}

/// Something that was not read.
#[derive(Debug, Serialize)]
struct Problem {
    component_type: &'static str,
    module_name: &'static str,
    error_message: String,
}

/// Answers a request.
///
/// # Errors
/// When the form is wrong, or the file cannot be read.
pub async fn answer<B>(body: B, mut visit: Visit<'_>) -> Result<Response<ResponseBody>, Failure>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    let started = Instant::now();
    let body = visit.read(body).await?;
    let mut form = Form::read(visit.header("content-type").unwrap_or_default(), body).await?;
    let asked: Vec<String> = form.all("to_formats").map(str::to_owned).collect();
    if let Some(other) = asked.iter().find(|format| !FORMATS.contains(&format.as_str())) {
        let shown: String = other.chars().take(40).collect();
        let problem = format!("is {shown:?}; the formats that are made are {}", FORMATS.join(", "));
        return Err(Failure::field("to_formats", problem));
    }
    let between = form
        .all("md_page_break_placeholder")
        .next()
        .unwrap_or_default()
        .to_owned();
    let Some((name, file)) = form.files.pop() else {
        return Err(Failure::missing_field("files", "the document as a file"));
    };
    if !form.files.is_empty() {
        return Err(Failure::field("files", "has several files; send one in a request"));
    }
    let hint = Hint {
        name: Some(&name),
        media_type: None,
    };
    let reading = Reading::new(file, hint, &mut visit).await?;
    let mut converted = converted(&reading, name, &asked, &between);
    converted.processing_time = started.elapsed().as_secs_f64();
    Ok(reply::json(&converted))
}

fn converted(reading: &Reading, filename: String, asked: &[String], between: &str) -> Converted {
    let wants = |format: &str| match asked {
        [] => format == FORMATS[0],
        asked => asked.iter().any(|asked| asked == format),
    };
    let between = match between {
        "" => "\n\n".to_owned(),
        mark => format!("\n\n{mark}\n\n"),
    };
    let problems = reading.warnings.iter().map(|warning| Problem {
        component_type: "document_backend",
        module_name: "quartet",
        error_message: warning.clone(),
    });
    Converted {
        document: Contents {
            md_content: wants("md").then(|| reading.markdown(&between)),
            json_content: wants("json").then(|| document(reading, &filename)),
            html_content: None,
            text_content: wants("text").then(|| reading.text()),
            doctags_content: None,
            filename,
        },
        status: if reading.truncated {
            "partial_success"
        } else {
            "success"
        },
        errors: problems.collect(),
        processing_time: 0.0,
        timings: serde_json::Map::new(),
    }
}

/// A document of Docling's schema.
fn document(reading: &Reading, filename: &str) -> Value {
    let mut texts = Vec::new();
    for page in &reading.pages {
        // Docling's clients count the pages of the body, which must be those of the Markdown.
        let has_body = page
            .blocks
            .iter()
            .any(|(kind, text)| !is_furniture(kind) && !text.trim().is_empty());
        for (kind, text) in &page.blocks {
            texts.push(item(texts.len(), page, kind, text, has_body));
        }
    }
    let children: Vec<Value> = texts.iter().map(|text| json!({"$ref": text["self_ref"]})).collect();
    let name = filename.rsplit_once('.').map_or(filename, |(stem, _)| stem);
    let group = |reference: &str, layer: &str, children: Vec<Value>| json!({"self_ref": reference, "children": children, "content_layer": layer, "name": "_root_", "label": "unspecified"});
    json!({
        "schema_name": "DoclingDocument",
        "version": "1.3.0",
        "name": name,
        "origin": {"mimetype": reading.media_type, "filename": filename, "binary_hash": 0},
        "furniture": group("#/furniture", "furniture", Vec::new()),
        "body": group("#/body", "body", children),
        "groups": [],
        "texts": texts,
        "pictures": [],
        "tables": [],
        "key_value_items": [],
        "form_items": [],
        "pages": {},
    })
}

fn is_furniture(kind: &str) -> bool {
    matches!(kind, "header" | "footer")
}

fn item(index: usize, page: &Page, kind: &str, text: &str, has_body: bool) -> Value {
    let label = match kind {
        "title" => "title",
        "heading" => "section_header",
        "listItem" => "list_item",
        "code" => "code",
        "caption" => "caption",
        "footnote" => "footnote",
        "header" => "page_header",
        "footer" => "page_footer",
        _ => "text",
    };
    let layer = if has_body && is_furniture(kind) {
        "furniture"
    } else {
        "body"
    };
    let mut item = json!({
        "self_ref": format!("#/texts/{index}"),
        "parent": {"$ref": "#/body"},
        "children": [],
        "content_layer": layer,
        "label": label,
        "prov": [{"page_no": page.number, "charspan": [0, text.chars().count()]}],
        "orig": text,
        "text": text,
    });
    if label == "section_header" {
        item["level"] = 1.into();
    }
    item
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading() -> Reading {
        let page = |number, markdown: &str, blocks: &[(&str, &str)]| Page {
            number,
            text: markdown.to_owned(),
            markdown: markdown.to_owned(),
            blocks: blocks
                .iter()
                .map(|(kind, text)| ((*kind).to_owned(), (*text).to_owned()))
                .collect(),
        };
        Reading {
            media_type: "application/pdf",
            pages: vec![
                page(1, "# One", &[("header", "A journal"), ("title", "One")]),
                page(2, "", &[]),
                page(3, "7", &[("footer", "7")]),
            ],
            ..Reading::default()
        }
    }

    #[test]
    fn pages_of_the_body_are_those_of_the_markdown() {
        let asked = ["md".to_owned(), "json".to_owned()];
        let mut reading = reading();
        let found = serde_json::to_value(converted(&reading, "a.pdf".to_owned(), &asked, "\u{c}")).unwrap();
        let document = &found["document"];
        assert_eq!(document["md_content"], "# One\n\n\u{c}\n\n7");
        let body = document["json_content"]["texts"].as_array().unwrap().iter();
        let pages: Vec<_> = body
            .filter(|text| text["content_layer"] == "body")
            .map(|text| text["prov"][0]["page_no"].as_u64().unwrap())
            .collect();
        assert_eq!(pages, [1, 3]);
        assert_eq!(
            (&document["text_content"], &found["status"]),
            (&Value::Null, &"success".into())
        );
        reading.truncated = true;
        reading.warnings.push("No time.".to_owned());
        let found = serde_json::to_value(converted(&reading, "a.pdf".to_owned(), &[], "")).unwrap();
        assert_eq!(
            (&found["status"], &found["errors"][0]["error_message"]),
            (&"partial_success".into(), &"No time.".into())
        );
        assert_eq!(found["document"]["json_content"], Value::Null);
    }
}
