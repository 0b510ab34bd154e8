//! The kinds, and the reasons why a file is of none of them.

use thiserror::Error;

/// A kind of document that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Portable Document Format.
    Pdf,
    /// Word document (Office Open XML).
    Docx,
    /// PowerPoint presentation (Office Open XML).
    Pptx,
    /// Excel workbook (Office Open XML).
    Xlsx,
    /// OpenDocument text.
    Odt,
    /// OpenDocument presentation or drawing.
    Odp,
    /// OpenDocument spreadsheet.
    Ods,
    /// Electronic book.
    Epub,
    /// Web page.
    Html,
    /// E-mail (RFC 5322).
    Email,
    /// Markdown.
    Markdown,
    /// Values separated by commas, semicolons or tabs.
    Csv,
    /// Plain text.
    Text,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 13] = [
        Kind::Pdf,
        Kind::Docx,
        Kind::Pptx,
        Kind::Xlsx,
        Kind::Odt,
        Kind::Odp,
        Kind::Ods,
        Kind::Epub,
        Kind::Html,
        Kind::Email,
        Kind::Markdown,
        Kind::Csv,
        Kind::Text,
    ];

    /// The media type, as registered with IANA.
    pub const fn media_type(self) -> &'static str {
        match self {
            Kind::Pdf => "application/pdf",
            Kind::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Kind::Pptx => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            Kind::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Kind::Odt => "application/vnd.oasis.opendocument.text",
            Kind::Odp => "application/vnd.oasis.opendocument.presentation",
            Kind::Ods => "application/vnd.oasis.opendocument.spreadsheet",
            Kind::Epub => "application/epub+zip",
            Kind::Html => "text/html",
            Kind::Email => "message/rfc822",
            Kind::Markdown => "text/markdown",
            Kind::Csv => "text/csv",
            Kind::Text => "text/plain",
        }
    }

    /// The kind in a sentence, with its article.
    pub const fn noun(self) -> &'static str {
        match self {
            Kind::Pdf => "a PDF",
            Kind::Docx => "a Word document (.docx)",
            Kind::Pptx => "a PowerPoint presentation (.pptx)",
            Kind::Xlsx => "an Excel workbook (.xlsx)",
            Kind::Odt => "an OpenDocument text (.odt)",
            Kind::Odp => "an OpenDocument presentation (.odp)",
            Kind::Ods => "an OpenDocument spreadsheet (.ods)",
            Kind::Epub => "an EPUB book",
            Kind::Html => "an HTML page",
            Kind::Email => "an e-mail (.eml)",
            Kind::Markdown => "Markdown",
            Kind::Csv => "a CSV table",
            Kind::Text => "plain text",
        }
    }
}

/// The kinds that are read, for sentences to clients.
pub const READ_KINDS: &str = "PDF, Word (.docx), PowerPoint (.pptx), Excel (.xlsx), OpenDocument (.odt, .odp, .ods), EPUB, \
                              HTML, Markdown, plain text, CSV and e-mail (.eml)";

/// Reason why no reader takes a file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotRead {
    /// The bytes are of no known kind.
    #[error("This is not a PDF, nor any other kind of document that is read: {READ_KINDS}.")]
    Unknown,
    /// The bytes are text, and the client says that they are something else.
    #[error("This is not {0}, as its name or media type says: its bytes are plain text.")]
    Mislabelled(&'static str),
    /// The bytes are a web page, and the client says that they are a document with bytes of its own.
    #[error(
        "This is not {0}, as its name or media type says: its bytes are an HTML page, as servers send one with an error \
         in a document's place."
    )]
    PageInstead(&'static str),
    /// A picture.
    #[error("This is not a PDF or another document, but a picture; /api/v1/image/extract-text reads those.")]
    Picture,
    /// A file of Office before 2007, or of another program that has no open format.
    #[error("This is {format}, which is not read; save it as {instead}.")]
    Legacy {
        /// The format, with its article.
        format: &'static str,
        /// The formats to save it in.
        instead: &'static str,
    },
    /// An Office file in an encrypted container.
    #[error(
        "This Office document is encrypted: it needs a password, and only files that open without one can be read."
    )]
    Encrypted,
    /// An archive without a document of its own.
    #[error("This is a ZIP archive, not a document; send the documents in it one by one.")]
    Archive,
}
