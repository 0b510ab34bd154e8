//! `POST /pdf/extract-text`: all text of a document, page by page.

use quartet_api::pdf::{
    DocumentText, FORMAT_FIELD, OutlineEntry, PageArea, PageBlock, PageLink, PageSize, PageText, TextFormat,
};
use quartet_component_sdk::{Failure, Request, Session};
use quartet_document_readers::Kind as FileKind;
use quartet_pdf_text::markdown::{self, Tables};

use super::upload::{Sent, Upload};
use super::{Context, Work};
use quartet_text_analysis::{Document, Kind, Layout, Page, Place, Source};

/// A document whose text is asked for.
pub struct ToExtract {
    sent: Sent,
    format: TextFormat,
}

impl Work for ToExtract {
    type Answer = DocumentText;

    fn read(request: &mut Request, random: fn() -> [u8; 16]) -> Result<Self, Failure> {
        let sent = Sent::read(request, random, &[FORMAT_FIELD])?;
        let format = sent.format()?;
        Ok(Self { sent, format })
    }

    fn session(&self) -> &Session {
        &self.sent.session
    }

    fn run(self, context: &Context<'_>) -> Result<DocumentText, Failure> {
        let upload = self.sent.open_telling_pages(context)?;
        let document_id = upload.keep(context)?;
        upload.read_ahead(context);
        Ok(text(&upload, document_id, self.format))
    }
}

/// The text of a document.
fn text(upload: &Upload, document_id: String, format: TextFormat) -> DocumentText {
    let metadata = upload.facts();
    let document = &upload.document;
    let mut pages: Vec<PageText> = document.pages.iter().map(page).collect();
    let markdown = (format == TextFormat::Markdown).then(|| {
        // Of a PDF, tables are guessed; other files say what is one.
        let tables = match upload.kind {
            FileKind::Pdf => Tables::Guessed,
            _ => Tables::Stated,
        };
        for (page, text) in pages.iter_mut().zip(markdown::pages(document, tables)) {
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
    let outline = document
        .outline
        .iter()
        .map(|entry| OutlineEntry {
            title: entry.title.clone(),
            level: entry.level,
            page: entry.page,
        })
        .collect();
    DocumentText {
        document_id,
        message: message(document),
        text,
        markdown,
        pages,
        metadata,
        outline,
        truncated: document.truncated,
        warnings: document.warnings.clone(),
    }
}

fn message(document: &Document) -> String {
    let all = document.metadata.page_count;
    let read = document
        .pages
        .iter()
        .filter(|page| page.source != Source::Empty)
        .count();
    match (read, all) {
        (0, 1) => "No text was found on its one page.".to_owned(),
        (_, 1) => "Text was found on its one page.".to_owned(),
        (0, _) => format!("No text was found on the {all} pages."),
        _ if read == all => format!("Text was found on all of the {all} pages."),
        _ => format!("Text was found on {read} of {all} pages."),
    }
}

fn page(page: &Page) -> PageText {
    PageText {
        page: page.number,
        size: page.layout.as_ref().map(|layout| PageSize {
            width: tenth(layout.width),
            height: tenth(layout.height),
        }),
        text: page.text(),
        markdown: None,
        blocks: page
            .blocks
            .iter()
            .enumerate()
            .map(|(index, block)| PageBlock {
                kind: kind(block.kind).to_owned(),
                text: block.text.clone(),
                area: page.layout.as_ref().and_then(|layout| area(layout, index)),
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

/// The bounding box of a block.
fn area(layout: &Layout, index: usize) -> Option<PageArea> {
    let Place {
        left,
        top,
        right,
        bottom,
    } = (*layout.places.get(index)?)?;
    let (x, y) = (tenth(left), tenth(top));
    Some(PageArea {
        x,
        y,
        width: tenth(right - x),
        height: tenth(bottom - y),
    })
}

/// A length to a tenth of a point, which is less than the eye sees.
fn tenth(points: f32) -> f32 {
    (points * 10.0).round() / 10.0
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
