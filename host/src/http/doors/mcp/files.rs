//! The tools that look into images and documents.
//!
//! What was found is kept as after any upload, so that a later call can ask about it by its id: a model that was given a
//! file once need not send it again.

use quartet_api::image::{self, PictureQuestion};
use quartet_api::operations::{
    IMAGE_ANALYZE, IMAGE_CHAT, IMAGE_EXTRACT_TEXT, Operation, PDF_CHAT, PDF_EXTRACT_TEXT, PDF_SUMMARIZE,
};
use quartet_api::pdf::{self, DocumentQuestion, DocumentText, FORMAT_FIELD, TextFormat};
use quartet_api::tools::{
    AskDocumentArguments, AskImageArguments, DescribeArguments, DocumentPages, ImageArguments, MarkdownPage,
    ReadDocumentArguments, SummarizeArguments,
};
use serde_json::Value;

use super::result::ToolResult;
use crate::failure::Failure;
use crate::http::doors::reply::{self, Names};
use crate::http::doors::visit::{Call, Visit};
use crate::http::doors::{data_url, upload};

/// The field with an image.
const IMAGE: &str = "image";

/// The field with a document.
const DOCUMENT: &str = "document";

/// Fields of the operations that have another name in the tools.
const NAMES: Names = &[("pdf", DOCUMENT), ("message", "question")];

/// Characters of Markdown in one result: what is beyond them is the next call's.
const MAX_CHARACTERS: usize = 200_000;

/// Reads the text in an image.
///
/// # Errors
/// When the image cannot be read.
pub async fn read_image(asked: ImageArguments, visit: &mut Visit<'_>) -> Result<ToolResult, Failure> {
    let call = form(&IMAGE_EXTRACT_TEXT, IMAGE, asked.image, &[], visit).await?;
    let found: Value = reply::take(visit.call(call).await?, NAMES).await?;
    let text = match found["text"].as_str().unwrap_or_default() {
        "" => found["message"].as_str().unwrap_or_default(),
        text => text,
    };
    Ok(ToolResult::new(text, found.clone()))
}

/// Describes an image.
///
/// # Errors
/// When the image cannot be read.
pub async fn describe_image(asked: DescribeArguments, visit: &mut Visit<'_>) -> Result<ToolResult, Failure> {
    let language: Vec<_> = asked
        .language
        .iter()
        .map(|code| (image::LANGUAGE_FIELD, code.as_str()))
        .collect();
    let call = form(&IMAGE_ANALYZE, IMAGE, asked.image, &language, visit).await?;
    let found: Value = reply::take(visit.call(call).await?, NAMES).await?;
    Ok(ToolResult::new(
        found["description"].as_str().unwrap_or_default(),
        found.clone(),
    ))
}

/// Answers a question about an image.
///
/// # Errors
/// When there is no such image, or it cannot be read.
pub async fn ask_image(asked: AskImageArguments, visit: &mut Visit<'_>) -> Result<ToolResult, Failure> {
    let image_id = match (asked.image, asked.image_id) {
        (Some(file), None) => {
            let call = form(&IMAGE_ANALYZE, IMAGE, file, &[], visit).await?;
            let found: Value = reply::take(visit.aside(call).await?, NAMES).await?;
            found["imageId"].as_str().unwrap_or_default().to_owned()
        }
        (None, Some(id)) => id,
        _ => return Err(Failure::missing_field(IMAGE, "an image, or `imageId` in its place")),
    };
    let question = PictureQuestion {
        message: asked.question,
        image_id: Some(image_id),
    };
    let answer: Value = reply::take(visit.call(Call::json(&IMAGE_CHAT, &question)).await?, NAMES).await?;
    Ok(ToolResult::new(
        answer["answer"].as_str().unwrap_or_default(),
        answer.clone(),
    ))
}

/// Reads a document.
///
/// # Errors
/// When the document cannot be read.
pub async fn read_document(asked: ReadDocumentArguments, visit: &mut Visit<'_>) -> Result<ToolResult, Failure> {
    let (first, last) = (asked.first_page.unwrap_or(1), asked.last_page.unwrap_or(usize::MAX));
    if first == 0 || last < first {
        return Err(Failure::field(
            "lastPage",
            "takes a page from `firstPage` on, which is from 1",
        ));
    }
    let markdown = [(FORMAT_FIELD, TextFormat::Markdown.name())];
    let call = form(&PDF_EXTRACT_TEXT, pdf::FILE_PART, asked.document, &markdown, visit).await?;
    let found: DocumentText = reply::take(visit.call(call).await?, NAMES).await?;
    visit.compute(move || pages(found, first, last)).await
}

fn pages(found: DocumentText, first: usize, last: usize) -> Result<ToolResult, Failure> {
    let mut document = DocumentPages {
        document_id: found.document_id,
        pages: Vec::new(),
        next_page: None,
        metadata: found.metadata,
        truncated: found.truncated,
        warnings: found.warnings,
    };
    let mut room = MAX_CHARACTERS;
    for page in found
        .pages
        .into_iter()
        .filter(|page| (first..=last).contains(&page.page))
    {
        let markdown = page.markdown.unwrap_or(page.text);
        let characters = markdown.chars().count();
        // One page is always given, however long.
        if characters > room && !document.pages.is_empty() {
            document.next_page = Some(page.page);
            break;
        }
        room = room.saturating_sub(characters);
        let number = page.page;
        let about = page.warnings.iter().map(|warning| format!("Page {number}: {warning}"));
        document.warnings.extend(about);
        document.pages.push(MarkdownPage { page: number, markdown });
    }
    let mut text = String::new();
    for MarkdownPage { page, markdown } in &document.pages {
        text += &format!("<!-- page {page} -->\n\n{markdown}\n\n");
    }
    if let Some(next) = document.next_page {
        text += &format!("The document goes on: ask for `firstPage` {next}.\n\n");
    }
    if document.pages.is_empty() {
        let count = document.metadata.page_count;
        text += &format!("None of the pages that were asked for is there; the document has {count}.\n\n");
    }
    for warning in &document.warnings {
        text += &format!("Warning: {warning}\n");
    }
    let data = serde_json::to_value(&document).map_err(|error| Failure::internal(error.to_string()))?;
    Ok(ToolResult::new(text.trim_end(), data))
}

/// Summarises a document.
///
/// # Errors
/// When the document cannot be read.
pub async fn summarize_document(asked: SummarizeArguments, visit: &mut Visit<'_>) -> Result<ToolResult, Failure> {
    let language: Vec<_> = asked
        .language
        .iter()
        .map(|code| (pdf::LANGUAGE_FIELD, code.as_str()))
        .collect();
    let call = form(&PDF_SUMMARIZE, pdf::FILE_PART, asked.document, &language, visit).await?;
    let found: Value = reply::take(visit.call(call).await?, NAMES).await?;
    Ok(ToolResult::new(
        found["summary"].as_str().unwrap_or_default(),
        found.clone(),
    ))
}

/// Answers a question about a document.
///
/// # Errors
/// When there is no such document, or it cannot be read.
pub async fn ask_document(asked: AskDocumentArguments, visit: &mut Visit<'_>) -> Result<ToolResult, Failure> {
    let document_id = match (asked.document, asked.document_id) {
        (Some(file), None) => {
            let call = form(&PDF_EXTRACT_TEXT, pdf::FILE_PART, file, &[], visit).await?;
            let found: Value = reply::take(visit.aside(call).await?, NAMES).await?;
            found["documentId"].as_str().unwrap_or_default().to_owned()
        }
        (None, Some(id)) => id,
        _ => {
            return Err(Failure::missing_field(
                DOCUMENT,
                "a document, or `documentId` in its place",
            ));
        }
    };
    let question = DocumentQuestion {
        message: asked.question,
        document_id: Some(document_id),
    };
    let answer: Value = reply::take(visit.call(Call::json(&PDF_CHAT, &question)).await?, NAMES).await?;
    let mut text = answer["answer"].as_str().unwrap_or_default().to_owned();
    for citation in answer["citations"].as_array().into_iter().flatten() {
        let quote = citation["quote"].as_str().unwrap_or_default();
        text += &format!("\n\nPage {}: {quote:?}", citation["page"]);
    }
    Ok(ToolResult::new(text, answer.clone()))
}

/// A form with a file that came as Base64. No session is named: ids are passed from call to call.
async fn form(
    operation: &'static Operation,
    part: &'static str,
    file: String,
    fields: &[(&'static str, &str)],
    visit: &Visit<'_>,
) -> Result<Call, Failure> {
    let fields: Vec<_> = fields
        .iter()
        .map(|(name, value)| (*name, (*value).to_owned()))
        .collect();
    visit
        .compute(move || {
            let name = if part == IMAGE { IMAGE } else { DOCUMENT };
            let bytes = data_url::read(name.to_owned(), &file, true)?;
            let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            Ok(upload::form(operation, part, (&bytes, upload::BYTES), &fields))
        })
        .await
}

#[cfg(test)]
mod tests {
    use quartet_api::pdf::{DocumentFacts, PageText};

    use super::*;

    fn document(lengths: &[usize]) -> DocumentText {
        let pages = lengths.iter().enumerate().map(|(index, length)| PageText {
            page: index + 1,
            size: None,
            text: String::new(),
            markdown: Some("x".repeat(*length)),
            blocks: Vec::new(),
            links: Vec::new(),
            source: "text".to_owned(),
            warnings: Vec::new(),
        });
        DocumentText {
            document_id: "d".to_owned(),
            message: String::new(),
            text: String::new(),
            markdown: None,
            pages: pages.collect(),
            metadata: DocumentFacts {
                page_count: lengths.len(),
                ..DocumentFacts::default()
            },
            outline: Vec::new(),
            truncated: false,
            warnings: Vec::new(),
        }
    }

    #[test]
    fn a_long_document_comes_in_parts() {
        let result = |first, last| {
            let document = document(&[3, MAX_CHARACTERS + 1, MAX_CHARACTERS - 4, 5]);
            let result = pages(document, first, last).unwrap();
            let data = result.structured.unwrap();
            let numbers: Vec<_> = data["pages"]
                .as_array()
                .unwrap()
                .iter()
                .map(|page| page["page"].as_u64().unwrap())
                .collect();
            (numbers, data["nextPage"].as_u64())
        };
        assert_eq!(result(1, usize::MAX), (vec![1], Some(2)));
        assert_eq!(result(2, usize::MAX), (vec![2], Some(3)));
        assert_eq!(result(3, usize::MAX), (vec![3], Some(4)));
        assert_eq!(result(3, 3), (vec![3], None));
        assert_eq!(result(4, 9), (vec![4], None));
        assert_eq!(result(5, 9), (vec![], None));
    }
}
