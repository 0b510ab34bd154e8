//! Upload of a document: the form, the document, and its record.

use quartet_api::pdf::{
    DocumentFacts, FILE_PART, FILE_PART_ALIAS, FORMAT_FIELD, LANGUAGE_FIELD, StreamedPage, TextFormat,
};
use quartet_api::{Code, Language, Stage};
use quartet_component_sdk::multipart::{self, Form};
use quartet_component_sdk::{Failure, Request, Session};

use super::Context;
use super::storage::{self, Record, Tables};
use super::tables::MAX_TABLES;
use crate::events::Event;
use crate::writing::{read_ahead, read_tables_ahead};
use quartet_document_readers::{Error, Hint, Kind, NotRead};
use quartet_pdf_text::{PageRead, Progress};
use quartet_tables::Table;
use quartet_text_analysis::{Document, Index, Source, prose, title};

/// Bytes of text above which a document is not short in any script, so that it is not indexed to find out.
const MAX_READ_AHEAD_BYTES: usize = 8_000;

/// Share of a document's text in tables from which on questions are asked of these first.
const MOST: f32 = 0.5;

/// A request with a document that is not read yet.
pub(super) struct Sent {
    /// The session, which begins here where the client named none.
    pub session: Session,
    form: Form,
}

impl Sent {
    /// Reads the form, which may have these fields beside the document.
    pub fn read(request: &mut Request, random: fn() -> [u8; 16], fields: &[&str]) -> Result<Self, Failure> {
        let mut session = Session::of(request)?;
        let form = multipart::read_form(request, &[FILE_PART, FILE_PART_ALIAS], fields)?;
        session.begin(random());
        Ok(Self { session, form })
    }

    /// The language that the form asks for.
    pub fn language(&self) -> Result<Option<Language>, Failure> {
        let code = self
            .form
            .field(LANGUAGE_FIELD)
            .map(str::trim)
            .filter(|code| !code.is_empty());
        code.map(|code| {
            code.parse().map_err(|_| {
                let codes: Vec<&str> = Language::ALL.iter().map(|language| language.code()).collect();
                Failure::field(LANGUAGE_FIELD, format_args!("is not one of {}", codes.join(", ")))
            })
        })
        .transpose()
    }

    /// The form that the text is asked for in.
    pub fn format(&self) -> Result<TextFormat, Failure> {
        match self.form.field(FORMAT_FIELD).map(str::trim) {
            None | Some("") => Ok(TextFormat::default()),
            Some(name) => TextFormat::from_name(name).ok_or_else(|| {
                let names = TextFormat::ALL.map(TextFormat::name).join(", ");
                Failure::field(FORMAT_FIELD, format_args!("is not one of {names}"))
            }),
        }
    }

    /// Reads the document.
    pub fn open(self, context: &Context<'_>) -> Result<Upload, Failure> {
        self.open_with(context, None)
    }

    /// Reads the document, and tells the text of each page as soon as it is known.
    pub fn open_telling_pages(self, context: &Context<'_>) -> Result<Upload, Failure> {
        let tell = |page: PageRead| {
            let source = if page.is_recognised { "ocr" } else { "text" };
            (context.tell)(Event::Page(StreamedPage {
                page: page.number,
                text: page.text,
                source: source.to_owned(),
            }));
        };
        self.open_with(context, Some(&tell))
    }

    fn open_with(self, context: &Context<'_>, page: Option<&dyn Fn(PageRead)>) -> Result<Upload, Failure> {
        let file = self.form.file;
        let hint = Hint {
            name: file.name.as_deref(),
            media_type: file.media_type.as_deref(),
        };
        let kind = kind(&file.bytes, hint).map_err(|error| failure(&error.into()))?;
        Ok(Upload {
            document: read(file.bytes, kind, context, page)?,
            kind,
            session: self.session,
        })
    }
}

/// A document that was read.
pub(super) struct Upload {
    /// The document.
    pub document: Document,
    /// The kind of its file.
    pub kind: Kind,
    session: Session,
}

impl Upload {
    /// Metadata of the file, and where it has none, what its text shows.
    pub fn facts(&self) -> DocumentFacts {
        let metadata = self.document.metadata.clone();
        let prose = prose::Prose::of(&self.document);
        DocumentFacts {
            title: metadata.title.or_else(|| title(&self.document, &prose)),
            author: metadata.author,
            subject: metadata.subject,
            created: metadata.created,
            modified: metadata.modified,
            page_count: metadata.page_count,
            media_type: Some(self.kind.media_type().to_owned()),
            language: metadata
                .language
                .or_else(|| (!prose.sentences.is_empty()).then(|| prose.language.code().to_owned())),
        }
    }

    /// Keeps the text for later questions, and returns the document's id.
    pub fn keep(&self, context: &Context<'_>) -> Result<String, Failure> {
        let text = self.document.to_bytes();
        let record = Record {
            text: storage::parts(&text),
            tables: self.tables().1,
            ..Record::default()
        };
        let id = context
            .documents()
            .remember(&self.session, (context.random)(), &record)?;
        storage::write_text(context, &id, &text)?;
        Ok(id)
    }
}

impl Upload {
    /// Its tables, and how much of it stands in them.
    fn tables(&self) -> (Vec<Table>, Tables) {
        let language = self.document.metadata.language.as_deref();
        let language = language.and_then(|language| language.get(..2)?.parse().ok());
        let (tables, share) = Table::all_of(&self.document, language.unwrap_or(Language::English));
        let much = match tables.is_empty() {
            true => Tables::None,
            false if share > MOST => Tables::Most,
            false => Tables::Some,
        };
        (tables, much)
    }

    /// Has the language model read a short document, or its tables, before anybody asks about it.
    pub fn read_ahead(&self, context: &Context<'_>) {
        if let Some(writer) = context.writer
            && let (tables, Tables::Most) = self.tables()
            && tables.len() <= MAX_TABLES
        {
            read_tables_ahead(writer, &tables);
        }
        let blocks = self.document.pages.iter().flat_map(|page| &page.blocks);
        let bytes: usize = blocks.map(|block| block.text.len()).sum();
        if let Some(writer) = context.writer
            && bytes <= MAX_READ_AHEAD_BYTES
        {
            read_ahead(writer, &Index::build(&self.document));
        }
    }
}

/// The kind of a file. A text that nobody named is not taken for a document.
fn kind(file: &[u8], hint: Hint<'_>) -> Result<Kind, NotRead> {
    match Kind::of(file, hint)? {
        Kind::Text if hint.is_empty() => Err(NotRead::Unknown),
        kind => Ok(kind),
    }
}

fn read(
    file: Vec<u8>,
    kind: Kind,
    context: &Context<'_>,
    page: Option<&dyn Fn(PageRead)>,
) -> Result<Document, Failure> {
    if kind == Kind::Pdf {
        let options = quartet_pdf_text::Options {
            time_left: context.time_left,
            ocr: context.ocr,
            progress: &|progress| {
                (context.tell)(match progress {
                    Progress::Read { done, total } => Event::pages(Stage::Reading, done, total),
                    Progress::Recognised { done, total } => Event::pages(Stage::Recognising, done, total),
                });
            },
            page,
            ..quartet_pdf_text::Options::default()
        };
        return quartet_pdf_text::read(file, &options).map_err(|error| pdf_failure(&error));
    }
    let options = quartet_document_readers::Options {
        time_left: context.time_left,
        ..quartet_document_readers::Options::default()
    };
    let document = quartet_document_readers::read(&file, kind, &options).map_err(|error| failure(&error))?;
    let total = document.pages.len();
    (context.tell)(Event::pages(Stage::Reading, total, total));
    if let Some(tell) = page {
        for page in document.pages.iter().filter(|page| page.source != Source::Empty) {
            tell(PageRead {
                number: page.number,
                text: page.text(),
                is_recognised: false,
            });
        }
    }
    Ok(document)
}

/// Converts an error of reading a PDF.
fn pdf_failure(error: &quartet_pdf_text::Error) -> Failure {
    use quartet_pdf_text::Error;
    let code = match error {
        Error::NotPdf => Code::UnsupportedMediaType,
        Error::Damaged => Code::InvalidDocument,
        Error::Password | Error::Encryption => Code::PasswordNeeded,
        Error::Limit { .. } => Code::DocumentTooLarge,
    };
    unread(code, error)
}

/// Converts an error of reading a document of another kind.
fn failure(error: &Error) -> Failure {
    let code = match error {
        Error::NotRead(NotRead::Encrypted) | Error::Password { .. } => Code::PasswordNeeded,
        Error::NotRead(_) => Code::UnsupportedMediaType,
        Error::Damaged { .. } => Code::InvalidDocument,
        Error::Limit { .. } => Code::DocumentTooLarge,
    };
    unread(code, error)
}

fn unread(code: Code, error: &dyn std::fmt::Display) -> Failure {
    Failure::new(code, format!("the file in part `{FILE_PART}` cannot be read: {error}"))
}
