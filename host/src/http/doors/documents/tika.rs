//! Tika's server: text and metadata of a document.
//!
//! `PUT /tika` gives text and `PUT /tika/text` JSON, unless `Accept` asks for the other; `/tika/json/md` is what Tika 4 has
//! for Markdown. The metadata has Tika's names; what was not read to its end has `quartet:truncated`.

use bytes::Bytes;
use http::Response;
use http_body::Body;
use quartet_document_kinds::Hint;
use serde_json::{Map, Value};

use super::kind::Kind;
use super::reading::Reading;
use crate::body::ResponseBody;
use crate::door::Door;
use crate::failure::Failure;
use crate::http::doors::reply;
use crate::http::doors::visit::Visit;

const TEXT: &str = "text/plain; charset=utf-8";

/// Answers a request at a door of Tika's.
///
/// # Errors
/// When the file cannot be read.
pub async fn answer<B>(door: Door, body: B, mut visit: Visit<'_>) -> Result<Response<ResponseBody>, Failure>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    let file = visit.read(body).await?;
    let accept = visit.header("accept").unwrap_or_default().to_ascii_lowercase();
    let media_type = visit.header("content-type").map(str::to_owned);
    let name = visit.header("content-disposition").and_then(file_name);
    let hint = Hint {
        name: name.as_deref(),
        media_type: media_type.as_deref(),
    };
    if door == Door::Detect {
        return Ok(reply::whole("text/plain", Kind::of(&file, hint).media_type().into()));
    }
    let reading = Reading::new(file, hint, &mut visit).await?;
    let in_json = match door {
        Door::Tika => accept.contains("application/json"),
        Door::TikaText => !accept.contains("text/plain"),
        _ => true,
    };
    if !in_json {
        return Ok(reply::whole(TEXT, reading.text().into_bytes()));
    }
    let mut metadata = metadata(&reading);
    match door {
        Door::Meta => {}
        Door::TikaMarkdown => {
            metadata.insert("tk:content".to_owned(), reading.markdown("\n\n").into());
        }
        _ => {
            metadata.insert("X-TIKA:content".to_owned(), reading.text().into());
        }
    }
    Ok(match door {
        Door::Rmeta | Door::RmetaText => reply::json(&[metadata]),
        _ => reply::json(&metadata),
    })
}

/// The name in `attachment; filename="a.csv"`, as Tika's clients send it.
fn file_name(disposition: &str) -> Option<String> {
    let (_, name) = disposition.split_once("filename=")?;
    Some(name.split(';').next()?.trim().trim_matches('"').to_owned())
}

/// The metadata of a document by Tika's names. Its values are text.
fn metadata(reading: &Reading) -> Map<String, Value> {
    let facts = &reading.facts;
    let mut all = Map::new();
    all.insert("Content-Type".to_owned(), reading.media_type.into());
    for (name, value) in [
        ("dc:title", facts.title.clone()),
        ("dc:creator", facts.author.clone()),
        ("dc:subject", facts.subject.clone()),
        ("dcterms:created", facts.created.clone()),
        ("dcterms:modified", facts.modified.clone()),
        ("dc:language", facts.language.clone()),
        ("xmpTPg:NPages", Some(facts.page_count.to_string())),
        ("quartet:truncated", reading.truncated.then(|| "true".to_owned())),
        (
            "quartet:warnings",
            (!reading.warnings.is_empty()).then(|| reading.warnings.join(" ")),
        ),
    ] {
        if let Some(value) = value {
            all.insert(name.to_owned(), value.into());
        }
    }
    all
}
