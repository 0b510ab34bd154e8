//! `POST /pdf/extract-text`: all text of a document, page by page.

use quartet_api::pdf::{DocumentText, FORMAT_FIELD, OutlineEntry, PageBlock, PageLink, PageText, TextFormat};
use quartet_component_sdk::{Failure, Request, Response};
use quartet_pdf_text::markdown;

use super::Context;
use super::upload::Upload;
use quartet_text_analysis::{Document, Kind, Page, Source};

/// Answers a request.
///
/// # Errors
/// When the form or the document is wrong.
pub fn answer(request: &mut Request, context: &Context<'_>) -> Result<Response, Failure> {
    let upload = Upload::read(request, context, &[FORMAT_FIELD])?;
    let format = upload.format()?;
    let metadata = upload.facts();
    let document = &upload.document;
    let mut pages: Vec<PageText> = document.pages.iter().map(page).collect();
    let markdown = (format == TextFormat::Markdown).then(|| {
        for (page, text) in pages.iter_mut().zip(markdown::pages(document)) {
            page.markdown = Some(text);
        }
        let numbered = pages
            .iter()
            .map(|page| (page.page, page.markdown.as_deref().unwrap_or_default()));
        markdown::join(numbered)
    });
    let text: Vec<&str> = pages
        .iter()
        .map(|page| page.text.as_str())
        .filter(|text| !text.is_empty())
        .collect();
    let text = text.join("\n\n");
    let message = message(document);
    let outline = document
        .outline
        .iter()
        .map(|entry| OutlineEntry {
            title: entry.title.clone(),
            level: entry.level,
            page: entry.page,
        })
        .collect();
    let (truncated, warnings) = (document.truncated, document.warnings.clone());
    upload.answer(context, |document_id| DocumentText {
        document_id,
        message,
        text,
        markdown,
        pages,
        metadata,
        outline,
        truncated,
        warnings,
    })
}

fn message(document: &Document) -> String {
    let all = document.metadata.page_count;
    let read = document
        .pages
        .iter()
        .filter(|page| page.source != Source::Empty)
        .count();
    let noun = if all == 1 { "page" } else { "pages" };
    match read {
        0 => format!("No text was found on the {all} {noun}."),
        read if read == all => format!("Text was found on all of the {all} {noun}."),
        read => format!("Text was found on {read} of {all} {noun}."),
    }
}

fn page(page: &Page) -> PageText {
    PageText {
        page: page.number,
        text: page.text(),
        markdown: None,
        blocks: page
            .blocks
            .iter()
            .map(|block| PageBlock {
                kind: kind(block.kind).to_owned(),
                text: block.text.clone(),
            })
            .collect(),
        links: page
            .links
            .iter()
            .map(|link| PageLink {
                text: link.text.clone(),
                url: link.url.clone(),
                page: link.page,
            })
            .collect(),
        source: match page.source {
            Source::Text => "text",
            Source::Ocr => "ocr",
            Source::Empty => "empty",
        }
        .to_owned(),
        warnings: page.warnings.clone(),
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Title => "title",
        Kind::Heading => "heading",
        Kind::Paragraph => "paragraph",
        Kind::ListItem => "listItem",
        Kind::Table => "table",
        Kind::Code => "code",
        Kind::Caption => "caption",
        Kind::Header => "header",
        Kind::Footer => "footer",
        Kind::Footnote => "footnote",
        Kind::Other => "other",
    }
}
