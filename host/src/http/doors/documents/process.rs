//! `PUT /process`: the pages of a document, as Open WebUI asks an external loader for them.

use bytes::Bytes;
use http::Response;
use http_body::Body;
use quartet_document_kinds::Hint;
use serde::Serialize;
use serde_json::{Map, Value};

use super::reading::Reading;
use crate::body::ResponseBody;
use crate::failure::Failure;
use crate::http::doors::reply;
use crate::http::doors::visit::Visit;

/// A page as LangChain has it.
#[derive(Debug, Serialize)]
struct Loaded {
    page_content: String,
    metadata: Map<String, Value>,
}

/// Answers a request.
///
/// # Errors
/// When the file cannot be read.
pub async fn answer<B>(body: B, mut visit: Visit<'_>) -> Result<Response<ResponseBody>, Failure>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    let file = visit.read(body).await?;
    let name = visit.header("x-filename").map(decoded);
    let media_type = visit.header("content-type").map(str::to_owned);
    let hint = Hint {
        name: name.as_deref(),
        media_type: media_type.as_deref(),
    };
    let reading = Reading::new(file, hint, &mut visit).await?;
    Ok(reply::json(&loaded(&reading, name)))
}

/// A name whose bytes are written as `%C3%A4`.
fn decoded(name: &str) -> String {
    // A plus sign is one here, other than in forms.
    let escaped = name.replace('+', "%2B");
    form_urlencoded::parse(escaped.as_bytes())
        .next()
        .map_or(String::new(), |(name, _)| name.into_owned())
}

/// The pages that have text. Their numbers are from 0, as LangChain's loaders count and Open WebUI expects.
fn loaded(reading: &Reading, name: Option<String>) -> Vec<Loaded> {
    let mut all = Map::new();
    let mut set = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            all.insert(key.to_owned(), value);
        }
    };
    let facts = &reading.facts;
    set("source", name.map(Value::from));
    set("title", facts.title.clone().map(Value::from));
    set("author", facts.author.clone().map(Value::from));
    set("language", facts.language.clone().map(Value::from));
    set("content_type", Some(reading.media_type.into()));
    set("total_pages", Some(facts.page_count.into()));
    set("truncated", reading.truncated.then_some(Value::Bool(true)));
    set(
        "warnings",
        (!reading.warnings.is_empty()).then(|| reading.warnings.join(" ").into()),
    );
    let pages = reading.pages.iter().filter(|page| !page.markdown.trim().is_empty());
    pages
        .map(|page| {
            let mut metadata = all.clone();
            metadata.insert("page".to_owned(), (page.number - 1).into());
            Loaded {
                page_content: page.markdown.clone(),
                metadata,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::reading::Page;
    use super::*;

    #[test]
    fn names_are_decoded() {
        assert_eq!(decoded("B%C3%BCcher%20%26%20a+b%3D1.pdf"), "Bücher & a+b=1.pdf");
    }

    #[test]
    fn pages_without_text_are_left_out_and_keep_their_numbers() {
        let page = |number, markdown: &str| Page {
            number,
            markdown: markdown.to_owned(),
            ..Page::default()
        };
        let reading = Reading {
            media_type: "application/pdf",
            pages: vec![page(1, "# One"), page(2, " "), page(3, "Three")],
            truncated: true,
            warnings: vec!["No time.".to_owned()],
            ..Reading::default()
        };
        let found = serde_json::to_value(loaded(&reading, Some("a.pdf".to_owned()))).unwrap();
        assert_eq!(found.as_array().unwrap().len(), 2);
        assert_eq!(found[1]["page_content"], "Three");
        let metadata = &found[1]["metadata"];
        assert_eq!(
            (&metadata["page"], &metadata["source"], &metadata["truncated"]),
            (&2.into(), &"a.pdf".into(), &true.into())
        );
        assert_eq!(metadata["warnings"], "No time.");
    }
}
