//! Tika's server: text and metadata of a document.
//!
//! `PUT /tika` gives text and `PUT /tika/text` JSON, unless `Accept` asks for the other, and the first gives simple HTML,
//! too; `/tika/json/md` is what Tika 4 has for Markdown. `POST /tika/form`, `/tika/form/text` and `/meta/form` are the same
//! for a file in a form, as paperless-ngx sends it. The metadata has Tika's names; what was not read to its end has
//! `quartet:truncated`.

use bytes::Bytes;
use http::Response;
use http_body::Body;
use quartet_api::Code;
use quartet_document_kinds::Hint;
use serde_json::{Map, Value};

use super::form::Form;
use super::kind::Kind;
use super::reading::Reading;
use crate::body::ResponseBody;
use crate::door::Door;
use crate::failure::Failure;
use crate::http::doors::reply;
use crate::http::doors::visit::Visit;

const TEXT: &str = "text/plain; charset=utf-8";

const HTML: &str = "text/html; charset=utf-8";

/// The part of a form in messages, as Tika's clients name it. Any other name is taken, too.
const FILE_PART: &str = "upload";

/// Answers whoever looks if there is a Tika: in the words of one, and with the truth in brackets.
pub fn greeting() -> Response<ResponseBody> {
    let text = concat!(
        "This is Tika Server (Quartet ",
        env!("CARGO_PKG_VERSION"),
        ", which answers as Apache Tika 3 does). Please PUT\n"
    );
    reply::whole(TEXT, text.into())
}

/// Answers whoever asks for Tika's version.
pub fn version() -> Response<ResponseBody> {
    let text = concat!("Quartet ", env!("CARGO_PKG_VERSION"), ", in place of Apache Tika 3\n");
    reply::whole(TEXT, text.into())
}

/// Answers a request at a door of Tika's.
///
/// # Errors
/// When the file cannot be read.
pub async fn answer<B>(door: Door, body: B, mut visit: Visit<'_>) -> Result<Response<ResponseBody>, Failure>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    let body = visit.read(body).await?;
    let accept = visit.header("accept").unwrap_or_default().to_ascii_lowercase();
    let content_type = visit.header("content-type").map(str::to_owned);
    let in_form = matches!(
        door,
        Door::TikaForm | Door::TikaFormText | Door::MetaForm | Door::RmetaForm | Door::RmetaFormText
    );
    let (file, name, media_type) = if in_form {
        let (name, file) = file_of_form(content_type.as_deref().unwrap_or_default(), body).await?;
        (file, Some(name), None)
    } else {
        let name = visit.header("content-disposition").and_then(file_name);
        (body, name, content_type)
    };
    let hint = Hint {
        name: name.as_deref(),
        media_type: media_type.as_deref(),
    };
    if door == Door::Detect {
        return Ok(reply::whole("text/plain", Kind::of(&file, hint).media_type().into()));
    }
    let reading = Reading::new(file, hint, &mut visit).await?;
    let in_json = match door {
        Door::Tika | Door::TikaForm => accept.contains("application/json"),
        Door::TikaText | Door::TikaFormText => !accept.contains("text/plain"),
        _ => true,
    };
    if !in_json && matches!(door, Door::Tika | Door::TikaForm) && accept.contains("text/html") {
        return Ok(reply::whole(HTML, html(&reading).into_bytes()));
    }
    if !in_json {
        return Ok(reply::whole(TEXT, reading.text().into_bytes()));
    }
    let mut metadata = metadata(&reading);
    if in_form {
        // Tika's client takes no answer without it.
        metadata.insert("X-TIKA:Parsed-By".to_owned(), vec!["quartet"].into());
    }
    match door {
        Door::Meta | Door::MetaForm => {}
        Door::TikaForm | Door::TikaFormText => {
            let content = match door {
                // As a form it is asked for by those who want HTML.
                Door::TikaForm => html(&reading),
                _ => reading.text(),
            };
            // The older and the newer name: nothing says which of them the client knows.
            metadata.insert("X-TIKA:content".to_owned(), content.as_str().into());
            metadata.insert("tk:content".to_owned(), content.into());
        }
        Door::TikaMarkdown => {
            metadata.insert("tk:content".to_owned(), reading.markdown("\n\n").into());
        }
        _ => {
            metadata.insert("X-TIKA:content".to_owned(), reading.text().into());
        }
    }
    Ok(match door {
        Door::Rmeta | Door::RmetaText | Door::RmetaForm | Door::RmetaFormText => reply::json(&[metadata]),
        _ => reply::json(&metadata),
    })
}

/// The one file of a form, with its name.
async fn file_of_form(content_type: &str, body: Bytes) -> Result<(String, Bytes), Failure> {
    let mut form = Form::read_any(content_type, body).await?;
    let Some(found) = form.files.pop() else {
        return Err(Failure::missing_field(FILE_PART, "the document as a file"));
    };
    match form.files.is_empty() {
        true => Ok(found),
        false => Err(Failure::new(
            Code::InvalidMultipart,
            "the form has several files; send one in a request",
        )),
    }
}

/// The text as a page: its paragraphs, page by page.
fn html(reading: &Reading) -> String {
    let mut page = String::from("<html><head><meta charset=\"utf-8\"/>");
    if let Some(title) = &reading.facts.title {
        page.push_str(&format!("<title>{}</title>", escaped(title)));
    }
    page.push_str("</head><body>");
    let texts = reading.pages.iter().flat_map(|page| page.text.split("\n\n"));
    for text in texts.map(str::trim).filter(|text| !text.is_empty()) {
        page.push_str(&format!("<p>{}</p>\n", escaped(text)));
    }
    page.push_str("</body></html>\n");
    page
}

/// Text that is no markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
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

#[cfg(test)]
mod tests {
    use super::super::reading::Page;
    use super::*;

    #[test]
    fn text_becomes_a_page_without_markup_of_its_own() {
        let mut reading = Reading {
            pages: vec![
                Page {
                    text: "One <b>\n\nTwo & three".to_owned(),
                    ..Page::default()
                },
                Page::default(),
                Page {
                    text: "Four".to_owned(),
                    ..Page::default()
                },
            ],
            ..Reading::default()
        };
        reading.facts.title = Some("A < B".to_owned());
        assert_eq!(
            html(&reading),
            "<html><head><meta charset=\"utf-8\"/><title>A &lt; B</title></head><body><p>One &lt;b&gt;</p>\n\
             <p>Two &amp; three</p>\n<p>Four</p>\n</body></html>\n"
        );
    }

    #[tokio::test]
    async fn a_form_has_one_file_in_whatever_part() {
        let part = |name: &str| {
            format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"; filename=\"{name}.txt\"\r\n\r\nx\r\n")
        };
        let read = async |parts: &[&str]| {
            let body: String = parts.iter().map(|&name| part(name)).collect();
            file_of_form("multipart/form-data; boundary=b", Bytes::from(body + "--b--\r\n")).await
        };
        assert_eq!(
            read(&["upload-file"]).await,
            Ok(("upload-file.txt".to_owned(), Bytes::from_static(b"x")))
        );
        assert_eq!(read(&[]).await.unwrap_err().wrong_field(), Some("upload"));
        assert_eq!(read(&["a", "b"]).await.unwrap_err().code, Code::InvalidMultipart);
        assert!(file_of_form("text/plain", Bytes::new()).await.is_err());
    }
}
