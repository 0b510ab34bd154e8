//! Upload of a document: the form, the document, and its record.

use quartet_api::pdf::{DocumentFacts, FILE_PART, FORMAT_FIELD, LANGUAGE_FIELD, Stage, TextFormat};
use quartet_api::{Code, Language};
use quartet_component_sdk::multipart::{self, Form};
use quartet_component_sdk::{Failure, Request, Session};

use super::Context;
use super::storage::{self, Record};
use crate::events::Event;
use quartet_pdf_text::{Error, Options, Progress, read};
use quartet_text_analysis::{Document, prose, title};

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
        let form = multipart::read_form(request, FILE_PART, fields)?;
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
        let options = Options {
            time_left: context.time_left,
            ocr: context.ocr,
            progress: &|progress| {
                (context.tell)(match progress {
                    Progress::Read { done, total } => Event::pages(Stage::Reading, done, total),
                    Progress::Recognised { done, total } => Event::pages(Stage::Recognising, done, total),
                });
            },
            ..Options::default()
        };
        let document = read(self.form.file.bytes, &options).map_err(|error| failure(&error))?;
        Ok(Upload {
            document,
            session: self.session,
        })
    }
}

/// A document that was read.
pub(super) struct Upload {
    /// The document.
    pub document: Document,
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
            ..Record::default()
        };
        let id = context
            .documents()
            .remember(&self.session, (context.random)(), &record)?;
        storage::write_text(context, &id, &text)?;
        Ok(id)
    }
}

/// Converts an error of reading.
fn failure(error: &Error) -> Failure {
    let code = match error {
        Error::NotPdf => Code::UnsupportedMediaType,
        Error::Damaged => Code::InvalidDocument,
        Error::Password | Error::Encryption => Code::PasswordNeeded,
        Error::Limit { .. } => Code::DocumentTooLarge,
    };
    Failure::new(code, format!("the file in part `{FILE_PART}` cannot be read: {error}"))
}
