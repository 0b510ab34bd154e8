//! A file, read: by the component for documents, by the one for pictures, or as it is.

use bytes::Bytes;
use quartet_api::Code;
use quartet_api::image::TextResult;
use quartet_api::operations::{IMAGE_EXTRACT_TEXT, IMAGE_FORGET, PDF_EXTRACT_TEXT, PDF_FORGET};
use quartet_api::pdf::{DocumentFacts, DocumentText, FORMAT_FIELD, PageText, TextFormat};
use quartet_document_kinds::{Hint, NotRead};

use super::kind::Kind;
use crate::failure::Failure;
use crate::http::doors::visit::Visit;
use crate::http::doors::{reply, upload};

/// A page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Its number, from 1.
    pub number: usize,
    /// Its text.
    pub text: String,
    /// The same as Markdown. Of a picture, and of a file that is text already, the same text.
    pub markdown: String,
    /// The kinds and texts of its blocks, where they are known.
    pub blocks: Vec<(String, String)>,
}

/// A file that was read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// Its media type.
    pub media_type: &'static str,
    /// Its pages; a picture is one, and so is a text.
    pub pages: Vec<Page>,
    /// Its metadata.
    pub facts: DocumentFacts,
    /// True if a limit or the time ended the reading before the end.
    pub truncated: bool,
    /// Warnings about what was not read.
    pub warnings: Vec<String>,
}

impl Reading {
    /// Reads a file that a client sent, with the client's own word on it, and has the component forget it.
    ///
    /// # Errors
    /// When the file is of no kind that is read, or its component fails.
    pub async fn new(file: Bytes, hint: Hint<'_>, visit: &mut Visit<'_>) -> Result<Self, Failure> {
        if file.is_empty() {
            return Err(Failure::new(Code::InvalidField, "the file is empty"));
        }
        let kind = Kind::of(&file, hint);
        let media_type = kind.media_type();
        let mut reading = match kind {
            Kind::Document(_) => document(&file, media_type, visit).await?,
            Kind::Picture(_) => picture(&file, visit).await?,
            Kind::Text => text(&file),
            Kind::Other(NotRead::Encrypted) => {
                return Err(Failure::new(Code::PasswordNeeded, NotRead::Encrypted.to_string()));
            }
            Kind::Other(reason) => return Err(Failure::new(Code::UnsupportedMediaType, reason.to_string())),
        };
        reading.media_type = media_type;
        Ok(reading)
    }

    /// All text, with empty lines between pages.
    pub fn text(&self) -> String {
        let texts = self.pages.iter().map(|page| page.text.as_str());
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
    }

    /// All Markdown, with something between pages that have any.
    pub fn markdown(&self, between: &str) -> String {
        let texts = self.pages.iter().map(|page| page.markdown.as_str());
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(between)
    }
}

async fn document(file: &[u8], media_type: &str, visit: &mut Visit<'_>) -> Result<Reading, Failure> {
    let session = upload::session()?;
    let fields = [(FORMAT_FIELD, TextFormat::Markdown.name())];
    let call = upload::in_session(
        upload::form(&PDF_EXTRACT_TEXT, "pdf", (file, media_type), &fields),
        &session,
    );
    let answer: DocumentText = reply::take(visit.call(call).await?, &[]).await?;
    upload::forget(&PDF_FORGET, "documentId", &answer.document_id.into(), &session, visit).await;
    let mut warnings = answer.warnings;
    let mut pages = Vec::with_capacity(answer.pages.len());
    for PageText {
        page: number,
        text,
        markdown,
        blocks,
        warnings: about,
        ..
    } in answer.pages
    {
        warnings.extend(about.iter().map(|warning| format!("Page {number}: {warning}")));
        pages.push(Page {
            number,
            text,
            markdown: markdown.unwrap_or_default(),
            blocks: blocks.into_iter().map(|block| (block.kind, block.text)).collect(),
        });
    }
    Ok(Reading {
        pages,
        facts: answer.metadata,
        truncated: answer.truncated,
        warnings,
        ..Reading::default()
    })
}

async fn picture(file: &[u8], visit: &mut Visit<'_>) -> Result<Reading, Failure> {
    let session = upload::session()?;
    let call = upload::in_session(
        upload::form(&IMAGE_EXTRACT_TEXT, "image", (file, upload::BYTES), &[]),
        &session,
    );
    let answer: TextResult = reply::take(visit.call(call).await?, &[]).await?;
    upload::forget(&IMAGE_FORGET, "imageId", &answer.image_id.into(), &session, visit).await;
    Ok(Reading {
        truncated: answer.warning.is_some(),
        warnings: answer.warning.into_iter().collect(),
        ..one_page(answer.text)
    })
}

fn text(file: &[u8]) -> Reading {
    one_page(String::from_utf8_lossy(file).trim_start_matches('\u{feff}').to_owned())
}

fn one_page(text: String) -> Reading {
    let blocks = text.split("\n\n").map(str::trim).filter(|block| !block.is_empty());
    let blocks = blocks.map(|block| ("paragraph".to_owned(), block.to_owned())).collect();
    Reading {
        pages: vec![Page {
            number: 1,
            markdown: text.clone(),
            text,
            blocks,
        }],
        facts: DocumentFacts {
            page_count: 1,
            ..DocumentFacts::default()
        },
        ..Reading::default()
    }
}
