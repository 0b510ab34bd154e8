//! Text, blocks, links and outline of PDF files.
//!
//! Syntax, encryption and repair of files, fonts and character maps are those of the crates `hayro-syntax`,
//! `hayro-font` and `hayro-cmap`. This crate adds what they leave to others: spaces and lines (`text_runs`, `line`),
//! reading order and tables (`reading_order`, `table`, `lattice`), paragraphs (`paragraphs`), running headers
//! (`running_headers`) and the kinds of blocks (`blocks`). Scanned pages are rendered for an [`Ocr`] engine; the text
//! that it recognises is laid out like any other (`recognised_page`). [`markdown`] writes a document as Markdown.
//!
//! ```no_run
//! use quartet_pdf_text::{Options, read};
//!
//! let document = read(std::fs::read("report.pdf")?, &Options::default())?;
//! for page in &document.pages {
//!     println!("{}", page.text());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod annotations;
mod blocks;
mod catalog;
mod characters;
mod content;
mod decompress;
mod error;
mod font;
mod gbk;
mod lattice;
mod layout;
mod limits;
mod line;
mod links;
pub mod markdown;
mod marked_content;
mod ocr;
mod page_content;
mod paragraphs;
mod reading_order;
mod recognised_page;
mod running_headers;
mod state;
mod strings;
mod table;
mod text_runs;

use hayro_font::kurbo::Affine;
use hayro_syntax::object::Object;
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};

use hayro::RenderCache;

pub use error::Error;
pub use limits::Limits;
pub use ocr::{Ocr, PageImage, RecognisedLine, RecognisedPage};

use self::content::{DocumentContext, Interpreter};
use self::font::Fonts;
use self::layout::PageLayout;
use self::links::Destinations;
use self::marked_content::OptionalContent;
use self::page_content::PageContent;
use quartet_text_analysis::Document;

/// Pages that were read so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Pages whose text was read, of all.
    Read {
        /// Pages that are done.
        done: usize,
        /// Number of pages.
        total: usize,
    },
    /// Pages that are pictures and were recognised, of all such pages.
    Recognised {
        /// Pages that are done.
        done: usize,
        /// Number of pages that are pictures.
        total: usize,
    },
}

/// The text of a page as soon as it is known: line by line, while running headers and kinds of blocks, which take all pages to
/// see, are not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRead {
    /// Its number, from 1.
    pub number: usize,
    /// Its lines.
    pub text: String,
    /// True if they were recognised in a picture.
    pub is_recognised: bool,
}

/// Options of reading.
pub struct Options<'o> {
    /// Bounds of what is read.
    pub limits: Limits,
    /// Deadline: returns true while there is time for more; then what was read so far is returned.
    pub time_left: &'o dyn Fn() -> bool,
    /// Engine that reads pages that have no text but a picture.
    pub ocr: Option<&'o dyn Ocr>,
    /// Is told after each page.
    pub progress: &'o dyn Fn(Progress),
    /// Is told the text of each page that has any, those that are recognised after the others.
    pub page: Option<&'o dyn Fn(PageRead)>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            time_left: &|| true,
            ocr: None,
            progress: &|_| {},
            page: None,
        }
    }
}

/// Reads a PDF.
///
/// # Errors
/// When nothing can be read: see [`Error`].
pub fn read(bytes: Vec<u8>, options: &Options<'_>) -> Result<Document, Error> {
    let Options {
        limits,
        time_left,
        ocr,
        progress,
        page: _,
    } = options;
    let pdf = open(bytes, limits)?;
    let fonts = Fonts::new(limits.max_stream_bytes);
    let optional_content = OptionalContent::new(pdf.xref());
    let destinations = Destinations::new(&pdf);
    let context = DocumentContext {
        fonts: &fonts,
        optional_content: &optional_content,
        limits,
        time_left,
    };
    let mut document = Document {
        metadata: catalog::metadata(&pdf),
        ..Document::default()
    };
    let mut layouts: Vec<PageLayout> = Vec::new();
    // Pages to be recognised. That takes long, so what needs none of it is read first.
    let mut scans: Vec<Scan> = Vec::new();
    let total = pdf.pages().len().min(limits.max_pages);
    for (index, page) in pdf.pages().iter().enumerate() {
        if index >= limits.max_pages {
            document.truncated = true;
            let limit = limits.max_pages;
            document.warnings.push(format!(
                "The PDF is over the limit of {limit} pages; those after it were left out."
            ));
            break;
        }
        if !time_left() {
            document.truncated = true;
            break;
        }
        let matrix = Affine::new(page.initial_transform(true).as_coeffs());
        let (width, height) = page.render_dimensions();
        let mut interpreter = Interpreter::new(&context, matrix, (f64::from(width), f64::from(height)));
        interpreter.run_page(page.raw().get::<Object<'_>>("Contents"), page.resources());
        let notes = annotations::read(page, &mut interpreter);
        document.truncated |= interpreter.timed_out;
        let content = interpreter.into_page_content();
        let links = links::read(page, matrix, &content.glyphs, &destinations);
        let (picture, size) = (picture(&content), (content.width, content.height));
        let mut layout = layout(index + 1, content, notes);
        layout.links = links;
        match (picture, ocr) {
            (Picture::None, _) => tell_page(&layout, options),
            (Picture::TooLarge, _) => {
                let limit = limits::MAX_PICTURE_PIXELS;
                layout.warnings.push(format!(
                    "{ONLY_A_PICTURE}, which is over the limit of {limit} pixels and was not read."
                ));
            }
            (Picture::Some(why), None) => layout.warnings.push(format!("{why}.")),
            (Picture::Some(why), Some(_)) => scans.push(Scan {
                page: layouts.len(),
                size,
                why,
            }),
        }
        layouts.push(layout);
        let done = layouts.len();
        progress(Progress::Read { done, total });
    }
    if document.truncated && document.warnings.is_empty() {
        let (read, all) = (layouts.len(), pdf.pages().len());
        document.warnings.push(format!(
            "There was no time to read everything: {read} of {all} pages were looked at."
        ));
    }
    let unread = recognise(&pdf, &scans, &mut layouts, options);
    if unread > 0 {
        document.truncated = true;
        let all = scans.len();
        document.warnings.push(format!(
            "There was no time to read all pages that are pictures: {unread} of {all} are not read, or not to \
             their end."
        ));
    }
    running_headers::separate(&mut layouts);
    let style = blocks::Style::new(&layouts);
    let mut headings = Vec::new();
    for layout in layouts {
        let (page, mut found) = blocks::page(layout, &style);
        headings.append(&mut found);
        document.pages.push(page);
    }
    document.outline = catalog::outline(&pdf, &destinations);
    if document.outline.is_empty() {
        document.outline = blocks::levels(headings);
    }
    Ok(document)
}

/// The reasons why a page is read from its picture, as warnings begin.
const ONLY_A_PICTURE: &str = "The page has no text, only a picture";
const NO_TEXT_FOR_CHARACTERS: &str = "Most characters of the page have no text in the file, only a shape";

/// A page to be recognised.
struct Scan {
    /// Its index.
    page: usize,
    /// Its size in points.
    size: (f64, f64),
    /// The reason.
    why: &'static str,
}

/// Kind of a page by its pictures.
enum Picture {
    /// The page has text, or nothing at all.
    None,
    /// The page is a picture that may be read, or is best read as one; the reason.
    Some(&'static str),
    /// The page is a picture that is too large.
    TooLarge,
}

/// Characters without text that are no reason yet to read a page from its picture: bullets and ornaments often have none.
const MIN_UNKNOWN_CHARACTERS: usize = 8;

/// Finds out if a page is a picture, as scans are, or must be read as one.
fn picture(content: &PageContent) -> Picture {
    let letters = content
        .glyphs
        .iter()
        .filter(|glyph| glyph.text.chars().any(char::is_alphanumeric))
        .count();
    // A font may have codes of its own and say nowhere what they mean; what it draws can be read all the same.
    if content.unknown > MIN_UNKNOWN_CHARACTERS && content.unknown > letters {
        return Picture::Some(NO_TEXT_FOR_CHARACTERS);
    }
    let covered: f64 = content.pictures.iter().map(|(area, _)| area.square()).sum();
    let enough = covered > 0.25 * content.width * content.height;
    if letters > 3 || !(enough || (content.drawn && content.glyphs.is_empty())) {
        return Picture::None;
    }
    let pixels = content.pictures.iter().map(|(_, pixels)| *pixels).max().unwrap_or(0);
    if pixels > limits::MAX_PICTURE_PIXELS {
        Picture::TooLarge
    } else {
        Picture::Some(ONLY_A_PICTURE)
    }
}

/// Recognises the pages that are pictures, one after the other. Returns the number of those that there was no time for.
fn recognise(pdf: &Pdf, scans: &[Scan], layouts: &mut [PageLayout], options: &Options<'_>) -> usize {
    let Some(ocr) = options.ocr else { return 0 };
    let cache = RenderCache::new();
    let mut unread = 0;
    let total = scans.len();
    for (done, Scan { page, size, why }) in scans.iter().enumerate() {
        (options.progress)(Progress::Recognised { done, total });
        let (Some(layout), Some(page)) = (layouts.get_mut(*page), pdf.pages().get(*page)) else {
            continue;
        };
        if !(options.time_left)() {
            unread += 1;
            layout
                .warnings
                .push(format!("{why}, and there was no time to read it."));
            continue;
        }
        let Some(picture) = ocr::render(page, &cache) else {
            layout.warnings.push(format!("{why}, which could not be drawn."));
            continue;
        };
        let pixels = (picture.width, picture.height);
        match ocr.read(picture) {
            Ok(found) => {
                unread += usize::from(found.stopped);
                recognised_page::apply(layout, &found, pixels, *size, why);
                tell_page(layout, options);
            }
            Err(reason) => layout.warnings.push(format!("{why}, which was not read: {reason}.")),
        }
    }
    if total > 0 {
        (options.progress)(Progress::Recognised { done: total, total });
    }
    unread
}

/// Tells the text of a page, where somebody wants it.
fn tell_page(layout: &PageLayout, options: &Options<'_>) {
    let Some(tell) = options.page else { return };
    let text = layout.text();
    if !text.is_empty() {
        tell(PageRead {
            number: layout.number,
            text,
            is_recognised: layout.is_recognised,
        });
    }
}

/// Lays out a page.
fn layout(number: usize, mut content: PageContent, notes: Vec<String>) -> PageLayout {
    let mut warnings = std::mem::take(&mut content.warnings);
    if content.unknown > 0 {
        warnings.push(format!(
            "{} characters have no text in the file and were left out.",
            content.unknown
        ));
    }
    PageLayout {
        number,
        width: content.width,
        height: content.height,
        parts: layout::parts(content),
        notes,
        warnings,
        ..PageLayout::default()
    }
}

/// Opens a file, with the empty password when it is encrypted.
fn open(bytes: Vec<u8>, limits: &Limits) -> Result<Pdf, Error> {
    let head = &bytes[..bytes.len().min(1024)];
    if memchr::memmem::find(head, b"%PDF").is_none() {
        return Err(Error::NotPdf);
    }
    decompress::check_file(&bytes, limits)?;
    let pdf = Pdf::new(bytes).map_err(|error| match error {
        LoadPdfError::Invalid => Error::Damaged,
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => Error::Password,
        LoadPdfError::Decryption(_) => Error::Encryption,
    })?;
    if pdf.len() > limits.max_objects {
        return Err(Error::Limit {
            what: "objects",
            limit: limits.max_objects as u64,
        });
    }
    if pdf.pages().is_empty() {
        return Err(Error::Damaged);
    }
    Ok(pdf)
}
