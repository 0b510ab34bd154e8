//! `POST /v1/convert/file` and `/v1/convert/source`: a document as Markdown, JSON or text, as docling-serve answers.
//!
//! `json_content` is a document of Docling's schema, see [`schema`]. Options of Docling's own models are passed over.

use std::time::Instant;

use bytes::Bytes;
use http::Response;
use http_body::Body;
use quartet_document_kinds::Hint;
use serde::Serialize;
use serde_json::Value;

use super::form::Form;
use super::reading::Reading;
use super::{schema, source};
use crate::body::ResponseBody;
use crate::failure::Failure;
use crate::http::doors::reply;
use crate::http::doors::visit::Visit;

/// The forms that are made.
const FORMATS: [&str; 3] = ["md", "json", "text"];

/// The media type of documents inside of JSON.
const JSON: &str = "application/json";

/// The name of the form's file part.
const FILE_PART: &str = "files";

/// The only way in which answers are given: in the response.
const TARGET: &str = "inbody";

/// A request that is right.
pub struct Conversion {
    name: String,
    file: Bytes,
    /// The forms that are asked for.
    formats: Vec<String>,
    /// The mark between pages.
    between: String,
}

/// The answer.
#[derive(Debug, Serialize)]
pub struct Converted {
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
    let body = visit.read(body).await?;
    let conversion = Conversion::read(visit.header("content-type").unwrap_or_default(), body).await?;
    Ok(reply::json(&conversion.run(&mut visit).await?))
}

impl Conversion {
    /// Reads a request: a form, or a document inside of JSON.
    ///
    /// # Errors
    /// When it is wrong.
    pub async fn read(content_type: &str, body: Bytes) -> Result<Self, Failure> {
        let form = match content_type.split(';').next().map(str::trim) {
            Some(media_type) if media_type.eq_ignore_ascii_case(JSON) => {
                let read = tokio::task::spawn_blocking(move || source::read(&body)).await;
                read.map_err(|error| Failure::internal(format!("reading a document inside of JSON ended: {error}")))??
            }
            _ => Form::read(content_type, body, FILE_PART).await?,
        };
        Self::of(form)
    }

    fn of(mut form: Form) -> Result<Self, Failure> {
        let formats: Vec<String> = form.all("to_formats").map(str::to_owned).collect();
        if let Some(other) = formats.iter().find(|format| !FORMATS.contains(&format.as_str())) {
            let shown: String = other.chars().take(40).collect();
            let problem = format!("is {shown:?}; the formats that are made are {}", FORMATS.join(", "));
            return Err(Failure::field("to_formats", problem));
        }
        if let Some(other) = form.all("target_type").find(|target| *target != TARGET) {
            let shown: String = other.chars().take(40).collect();
            // Docling's own client asks for this first, and goes by these words.
            let problem = format!(
                "is {shown:?}, which requires artifact storage to be configured, and there is none; it takes {TARGET}"
            );
            return Err(Failure::field("target_type", problem));
        }
        let between = form.all("md_page_break_placeholder").next();
        let between = between.unwrap_or_default().to_owned();
        let Some((name, file)) = form.files.pop() else {
            return Err(Failure::missing_field(FILE_PART, "the document as a file"));
        };
        if !form.files.is_empty() {
            return Err(Failure::field(FILE_PART, "has several files; send one in a request"));
        }
        Ok(Self {
            name,
            file,
            formats,
            between,
        })
    }

    /// Answers it.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn run(self, visit: &mut Visit<'_>) -> Result<Converted, Failure> {
        let started = Instant::now();
        let hint = Hint {
            name: Some(&self.name),
            media_type: None,
        };
        let reading = Reading::new(self.file, hint, visit).await?;
        let mut converted = converted(&reading, self.name, &self.formats, &self.between);
        converted.processing_time = started.elapsed().as_secs_f64();
        Ok(converted)
    }
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
            json_content: wants("json").then(|| schema::document(reading, &filename)),
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

#[cfg(test)]
mod tests {
    use super::super::reading::{Block, Page};
    use super::*;

    fn reading() -> Reading {
        let page = |number, markdown: &str, blocks: &[(&str, &str)]| Page {
            number,
            text: markdown.to_owned(),
            markdown: markdown.to_owned(),
            blocks: blocks
                .iter()
                .map(|(kind, text)| Block {
                    kind: (*kind).to_owned(),
                    text: (*text).to_owned(),
                    place: None,
                })
                .collect(),
            size: None,
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
