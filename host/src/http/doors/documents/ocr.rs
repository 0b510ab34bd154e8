//! `POST /v1/ocr`: the Markdown of a document's pages, as Mistral's OCR answers.

use bytes::Bytes;
use http::Response;
use http_body::Body;
use quartet_document_kinds::Hint;
use serde::Serialize;
use serde_json::Value;

use super::files;
use super::reading::{Reading, Size};
use crate::body::ResponseBody;
use crate::failure::Failure;
use crate::http::doors::data_url;
use crate::http::doors::object;
use crate::http::doors::reply;
use crate::http::doors::visit::Visit;

/// The name of the model. Any other is taken, too.
const MODEL: &str = "quartet-ocr";

/// The answer.
#[derive(Debug, Serialize)]
struct Recognised {
    pages: Vec<Page>,
    model: &'static str,
    document_annotation: (),
    usage_info: Usage,
}

/// A page. Pictures in it are not told.
#[derive(Debug, Serialize)]
struct Page {
    index: usize,
    markdown: String,
    images: [(); 0],
    dimensions: Option<Dimensions>,
}

/// The size of a page: of one on paper in points, of a picture in its pixels.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Dimensions {
    dpi: u32,
    height: u32,
    width: u32,
}

impl From<Size> for Dimensions {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a page's size")]
    fn from(size: Size) -> Self {
        Self {
            dpi: 72,
            height: size.height.round() as u32,
            width: size.width.round() as u32,
        }
    }
}

#[derive(Debug, Serialize)]
struct Usage {
    pages_processed: usize,
    doc_size_bytes: usize,
}

/// A request that is right.
#[derive(Debug, PartialEq, Eq)]
struct Asked {
    document: Document,
    /// The pages that are wanted, from 0; all without.
    pages: Option<Vec<usize>>,
}

/// The document that is asked about.
#[derive(Debug, PartialEq, Eq)]
enum Document {
    /// In the request.
    Sent {
        file: Vec<u8>,
        /// Its name.
        name: Option<String>,
        /// The media type of its data URL.
        media_type: Option<String>,
    },
    /// Kept under an id.
    Kept(String),
}

/// Answers a request.
///
/// # Errors
/// When the request is wrong, or the document cannot be read.
pub async fn answer<B>(body: B, mut visit: Visit<'_>) -> Result<Response<ResponseBody>, Failure>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    let bytes = visit.read(body).await?;
    let Asked {
        document,
        pages: wanted,
    } = visit.compute(move || read(&bytes)).await?;
    let (file, name, media_type) = match document {
        Document::Sent { file, name, media_type } => (file.into(), name, media_type),
        Document::Kept(id) => {
            let (name, file) = files::find(&id, &visit).await?;
            (file, Some(name), None)
        }
    };
    let size = file.len();
    let hint = Hint {
        name: name.as_deref(),
        media_type: media_type.as_deref(),
    };
    let reading = Reading::new(file, hint, &mut visit).await?;
    let wants = |index: usize| wanted.as_ref().is_none_or(|wanted| wanted.contains(&index));
    let pages = reading.pages.into_iter().map(|page| Page {
        index: page.number - 1,
        markdown: page.markdown,
        images: [],
        dimensions: page.size.map(Dimensions::from),
    });
    let pages: Vec<_> = pages.filter(|page| wants(page.index)).collect();
    Ok(reply::json(&Recognised {
        usage_info: Usage {
            pages_processed: pages.len(),
            doc_size_bytes: size,
        },
        pages,
        model: MODEL,
        document_annotation: (),
    }))
}

fn read(body: &[u8]) -> Result<Asked, Failure> {
    let mut fields = object::read(body)?;
    for name in ["document_annotation_format", "bbox_annotation_format"] {
        if fields.get(name).is_some_and(|value| !value.is_null()) {
            return Err(Failure::field(
                name,
                "is not supported: nothing is annotated; leave it out",
            ));
        }
    }
    let pages = match fields.get("pages") {
        None | Some(Value::Null) => None,
        Some(Value::Array(pages)) => {
            let numbers = pages.iter().map(|page| usize::try_from(page.as_u64()?).ok());
            let numbers: Option<Vec<_>> = numbers.collect();
            Some(numbers.ok_or_else(|| Failure::field("pages", "takes a list of whole numbers from 0"))?)
        }
        Some(_) => return Err(Failure::field("pages", "takes a list of whole numbers from 0")),
    };
    let Some(Value::Object(mut document)) = fields.remove("document") else {
        return Err(Failure::missing_field(
            "document",
            "an object with `type` and an address",
        ));
    };
    let name = match document.get("type").and_then(Value::as_str) {
        Some("document_url") => "document_url",
        Some("image_url") => "image_url",
        Some("file") => match document.get("file_id").and_then(Value::as_str) {
            Some(id) => {
                let document = Document::Kept(id.to_owned());
                return Ok(Asked { document, pages });
            }
            None => return Err(Failure::missing_field("document.file_id", "the id of a file")),
        },
        None if document.contains_key("document_url") => "document_url",
        None if document.contains_key("image_url") => "image_url",
        _ => {
            return Err(Failure::field("document.type", "takes document_url, image_url or file"));
        }
    };
    let file_name = document.get("document_name").and_then(Value::as_str).map(str::to_owned);
    let at = format!("document.{name}");
    let url = match document.remove(name) {
        Some(Value::Object(mut object)) => object.remove("url"),
        url => url,
    };
    let Some(Value::String(url)) = url else {
        return Err(Failure::field(
            at,
            "takes a data URL, or the address of a file of /v1/files",
        ));
    };
    if let Some(id) = files::named(&url) {
        let document = Document::Kept(id.to_owned());
        return Ok(Asked { document, pages });
    }
    let file = data_url::read(at, &url, false)?;
    let media_type = url.strip_prefix("data:").and_then(|rest| rest.split([';', ',']).next());
    let document = Document::Sent {
        file,
        name: file_name,
        media_type: media_type.map(str::to_owned),
    };
    Ok(Asked { document, pages })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn documents_are_taken_out_and_what_is_wrong_is_named() {
        let read = |body: Value| read(body.to_string().as_bytes());
        let url = "data:application/pdf;base64,YWJj";
        for document in [
            json!({"type": "document_url", "document_url": url, "document_name": "a"}),
            json!({"type": "image_url", "image_url": {"url": url}}),
            json!({"image_url": url}),
        ] {
            let asked = read(json!({"model": "mistral-ocr-latest", "document": document, "pages": [0, 2]})).unwrap();
            let Document::Sent { file, .. } = asked.document else {
                panic!("it was sent")
            };
            assert_eq!((file.as_slice(), asked.pages), (&b"abc"[..], Some(vec![0, 2])));
        }
        let own = "http://127.0.0.1:8080/v1/files/x1/content";
        for document in [
            json!({"type": "document_url", "document_url": own}),
            json!({"type": "image_url", "image_url": own}),
            json!({"type": "file", "file_id": "x1"}),
        ] {
            let asked = read(json!({"document": document})).unwrap();
            assert_eq!(asked.document, Document::Kept("x1".to_owned()));
        }
        let with = |more: Value| {
            let mut body = json!({"document": {"type": "document_url", "document_url": url}});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            body
        };
        for (body, field) in [
            (json!({}), "document"),
            (json!({"document": {"type": "file"}}), "document.file_id"),
            (json!({"document": {"type": "text"}}), "document.type"),
            (
                json!({"document": {"document_url": "https://a.example/x.pdf"}}),
                "document.document_url",
            ),
            (json!({"document": {"document_url": 5}}), "document.document_url"),
            (with(json!({"pages": "0-3"})), "pages"),
            (with(json!({"pages": [-1]})), "pages"),
            (with(json!({"bbox_annotation_format": {}})), "bbox_annotation_format"),
        ] {
            assert_eq!(read(body.clone()).unwrap_err().wrong_field(), Some(field), "{body}");
        }
    }
}
