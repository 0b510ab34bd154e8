//! A file, read: by the component for documents, by the one for pictures, or as it is.

use bytes::Bytes;
use quartet_api::Code;
use quartet_api::image::{Area, TextLine, TextResult};
use quartet_api::operations::{IMAGE_EXTRACT_TEXT, IMAGE_FORGET, PDF_EXTRACT_TEXT, PDF_FORGET};
use quartet_api::pdf::{
    DocumentFacts, DocumentText, FORMAT_FIELD, PageArea, PageBlock, PageSize, PageText, TextFormat,
};
use quartet_document_kinds::{Hint, NotRead};

use super::kind::Kind;
use crate::failure::Failure;
use crate::http::doors::visit::Visit;
use crate::http::doors::{reply, upload};

/// A page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// Its number, from 1.
    pub number: usize,
    /// Its text.
    pub text: String,
    /// The same as Markdown. Of a picture, and of a file that is text already, the same text.
    pub markdown: String,
    /// Its size: points, or a picture's pixels.
    pub size: Option<Size>,
    /// Its blocks, where they are known.
    pub blocks: Vec<Block>,
}

/// The size of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Size {
    /// From left to right.
    pub width: f32,
    /// From top to bottom.
    pub height: f32,
}

/// A block.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Block {
    /// Its kind.
    pub kind: String,
    /// Its text.
    pub text: String,
    /// Its place, in the unit of its page's size.
    pub place: Option<Place>,
}

/// An upright rectangle, from the left and the upper edge of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Place {
    /// Left edge.
    pub left: f32,
    /// Upper edge.
    pub top: f32,
    /// Right edge.
    pub right: f32,
    /// Lower edge.
    pub bottom: f32,
}

impl From<PageArea> for Place {
    fn from(area: PageArea) -> Self {
        Self {
            left: area.x,
            top: area.y,
            right: area.x + area.width,
            bottom: area.y + area.height,
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "pixels of a picture")]
impl From<Area> for Place {
    fn from(area: Area) -> Self {
        Self {
            left: area.x as f32,
            top: area.y as f32,
            right: (area.x + area.width) as f32,
            bottom: (area.y + area.height) as f32,
        }
    }
}

impl Place {
    /// The smallest rectangle around this one and another.
    fn with(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
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
        size,
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
            size: size.map(|PageSize { width, height }| Size { width, height }),
            blocks: blocks.into_iter().map(block).collect(),
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

fn block(block: PageBlock) -> Block {
    Block {
        kind: block.kind,
        text: block.text,
        place: block.area.map(Place::from),
    }
}

async fn picture(file: &[u8], visit: &mut Visit<'_>) -> Result<Reading, Failure> {
    let session = upload::session()?;
    let call = upload::in_session(
        upload::form(&IMAGE_EXTRACT_TEXT, "image", (file, upload::BYTES), &[]),
        &session,
    );
    let answer: TextResult = reply::take(visit.call(call).await?, &[]).await?;
    upload::forget(&IMAGE_FORGET, "imageId", &answer.image_id.into(), &session, visit).await;
    let mut reading = one_page(&answer.text);
    if let [page] = reading.pages.as_mut_slice() {
        #[allow(clippy::cast_precision_loss, reason = "pixels of a picture")]
        let size = Size {
            width: answer.picture.width as f32,
            height: answer.picture.height as f32,
        };
        page.size = Some(size);
        place(&mut page.blocks, &answer.lines);
    }
    Ok(Reading {
        truncated: answer.warning.is_some(),
        warnings: answer.warning.into_iter().collect(),
        ..reading
    })
}

/// Gives the blocks of a picture's text the places of their lines.
fn place(blocks: &mut [Block], lines: &[TextLine]) {
    let places: Vec<Option<Place>> = lines
        .chunk_by(|line, next| line.block == next.block)
        .map(|lines| lines.iter().map(|line| Place::from(line.area)).reduce(Place::with))
        .collect();
    // Both are in the order in which they are read; if they do not match, it is not known which is whose.
    if places.len() == blocks.len() {
        for (block, place) in blocks.iter_mut().zip(places) {
            block.place = place;
        }
    }
}

fn text(file: &[u8]) -> Reading {
    one_page(String::from_utf8_lossy(file).trim_start_matches('\u{feff}'))
}

fn one_page(text: &str) -> Reading {
    let blocks = text.split("\n\n").map(str::trim).filter(|block| !block.is_empty());
    let blocks = blocks.map(|block| Block {
        kind: "paragraph".to_owned(),
        text: block.to_owned(),
        place: None,
    });
    Reading {
        pages: vec![Page {
            number: 1,
            text: text.to_owned(),
            markdown: text.to_owned(),
            size: None,
            blocks: blocks.collect(),
        }],
        facts: DocumentFacts {
            page_count: 1,
            ..DocumentFacts::default()
        },
        ..Reading::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(block: u32, x: u32, y: u32) -> TextLine {
        TextLine {
            text: "x".to_owned(),
            confidence: 1.0,
            area: Area {
                x,
                y,
                width: 100,
                height: 10,
            },
            angle: 0.0,
            block,
            row: 0,
        }
    }

    #[test]
    fn the_blocks_of_a_picture_stand_where_their_lines_do() {
        let mut page = one_page("one\ntwo\n\nthree").pages.remove(0);
        place(&mut page.blocks, &[line(0, 5, 5), line(0, 8, 20), line(1, 5, 60)]);
        let edges = |block: &Block| {
            block
                .place
                .map(|place| [place.left, place.top, place.right, place.bottom])
        };
        let places: Vec<_> = page.blocks.iter().map(edges).collect();
        assert_eq!(places, [Some([5.0, 5.0, 108.0, 30.0]), Some([5.0, 60.0, 105.0, 70.0])]);
        let mut page = one_page("one\ntwo").pages.remove(0);
        place(&mut page.blocks, &[line(0, 5, 5), line(1, 8, 20)]);
        assert_eq!(page.blocks[0].place, None, "it is not known which is whose");
    }
}
