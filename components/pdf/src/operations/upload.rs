//! Upload of a document: the form, the document, and its record.

use quartet_api::pdf::{DocumentFacts, FILE_PART, FORMAT_FIELD, LANGUAGE_FIELD, TextFormat};
use quartet_api::{Code, Language};
use quartet_component_sdk::multipart::{self, Form};
use quartet_component_sdk::{Failure, Request, Response, Session};
use serde::Serialize;

use super::Context;
use super::storage::{self, Record};
use quartet_pdf_text::{Error, Options, read};
use quartet_text_analysis::{Document, prose, title};

/// Uploaded document.
pub(super) struct Upload {
    /// The document.
    pub document: Document,
    session: Session,
    form: Form,
}

impl Upload {
    /// Reads the form, which may have these fields beside the document, and the document in it.
    pub fn read(request: &mut Request, context: &Context<'_>, fields: &[&str]) -> Result<Self, Failure> {
        let session = Session::of(request)?;
        let mut form = multipart::read_form(request, FILE_PART, fields)?;
        let file = std::mem::take(&mut form.file.bytes);
        let options = Options {
            time_left: context.time_left,
            ocr: context.ocr,
            ..Options::default()
        };
        let document = read(file, &options).map_err(|error| failure(&error))?;
        Ok(Self {
            document,
            session,
            form,
        })
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

    /// Stores the text for later questions, and creates the response.
    pub fn answer<T: Serialize>(
        mut self,
        context: &Context<'_>,
        result: impl FnOnce(String) -> T,
    ) -> Result<Response, Failure> {
        self.session.begin((context.random)());
        let text = self.document.to_bytes();
        let record = Record {
            text: storage::parts(&text),
            ..Record::default()
        };
        let id = context
            .documents()
            .remember(&self.session, (context.random)(), &record)?;
        storage::write_text(context, &id, &text)?;
        let mut response = Response::success(&result(id));
        self.session.announce(&mut response);
        Ok(response)
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
