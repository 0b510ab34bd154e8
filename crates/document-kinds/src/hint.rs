//! A client's own word on a file: its name and its media type.

use crate::kind::Kind;

/// Name and media type, as the client gives them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hint<'h> {
    /// The file's name.
    pub name: Option<&'h str>,
    /// The media type, parameters included.
    pub media_type: Option<&'h str>,
}

/// The kind that a hint claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    /// A kind that is read.
    Kind(Kind),
    /// A kind that is not read and is no text, with its article.
    Other(&'static str),
}

/// Endings of names.
const EXTENSIONS: &[(&str, Claim)] = &[
    ("pdf", Claim::Kind(Kind::Pdf)),
    ("docx", Claim::Kind(Kind::Docx)),
    ("pptx", Claim::Kind(Kind::Pptx)),
    ("xlsx", Claim::Kind(Kind::Xlsx)),
    ("odt", Claim::Kind(Kind::Odt)),
    ("odp", Claim::Kind(Kind::Odp)),
    ("ods", Claim::Kind(Kind::Ods)),
    ("epub", Claim::Kind(Kind::Epub)),
    ("html", Claim::Kind(Kind::Html)),
    ("htm", Claim::Kind(Kind::Html)),
    ("xhtml", Claim::Kind(Kind::Html)),
    ("eml", Claim::Kind(Kind::Email)),
    ("md", Claim::Kind(Kind::Markdown)),
    ("markdown", Claim::Kind(Kind::Markdown)),
    ("csv", Claim::Kind(Kind::Csv)),
    ("tsv", Claim::Kind(Kind::Csv)),
    ("txt", Claim::Kind(Kind::Text)),
    ("text", Claim::Kind(Kind::Text)),
    ("doc", Claim::Other("a Word document")),
    ("ppt", Claim::Other("a PowerPoint presentation")),
    ("xls", Claim::Other("an Excel workbook")),
    ("msg", Claim::Other("an Outlook message")),
    ("zip", Claim::Other("a ZIP archive")),
    ("png", Claim::Other("a picture")),
    ("jpg", Claim::Other("a picture")),
    ("jpeg", Claim::Other("a picture")),
];

/// Further media types of the kinds.
const MEDIA_TYPES: &[(&str, Claim)] = &[
    ("application/xhtml+xml", Claim::Kind(Kind::Html)),
    ("text/x-markdown", Claim::Kind(Kind::Markdown)),
    ("text/tab-separated-values", Claim::Kind(Kind::Csv)),
    ("application/x-pdf", Claim::Kind(Kind::Pdf)),
    ("application/msword", Claim::Other("a Word document")),
    (
        "application/vnd.ms-powerpoint",
        Claim::Other("a PowerPoint presentation"),
    ),
    ("application/zip", Claim::Other("a ZIP archive")),
    ("image/png", Claim::Other("a picture")),
    ("image/jpeg", Claim::Other("a picture")),
];

impl Hint<'_> {
    /// The kind that the name claims, or without one that the media type does.
    pub(crate) fn claim(self) -> Option<Claim> {
        let ending = self
            .name
            .and_then(|name| Some(name.rsplit_once('.')?.1.trim().to_ascii_lowercase()));
        let by_name = ending.and_then(|ending| {
            let known = EXTENSIONS.iter().find(|(extension, _)| *extension == ending);
            known.map(|(_, claim)| *claim)
        });
        by_name.or_else(|| {
            let media_type = self.media_type?.split(';').next()?.trim().to_ascii_lowercase();
            let kind = Kind::ALL.into_iter().find(|kind| kind.media_type() == media_type);
            kind.map(Claim::Kind).or_else(|| {
                let known = MEDIA_TYPES.iter().find(|(name, _)| *name == media_type);
                known.map(|(_, claim)| *claim)
            })
        })
    }

    /// Returns true if the client says nothing about the file.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.name.is_none() && self.media_type.is_none()
    }
}
