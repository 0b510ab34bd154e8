//! Kinds of files, by their bytes: some clients send no media type, and those that do guess it from the name.

use quartet_document_kinds::{Hint, Kind as DocumentKind, NotRead};

/// First bytes of pictures, with their media types.
const PICTURES: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
];

/// The kind of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A document, which the component for documents reads.
    Document(DocumentKind),
    /// A picture; the component says if it reads its format.
    Picture(&'static str),
    /// Plain text or Markdown in UTF-8, whatever its name or its sender calls it: nothing needs to be read of it.
    Text,
    /// Something else, and why it is not read.
    Other(NotRead),
}

impl Kind {
    /// The kind of a file, for which its sender's word counts only between kinds of text.
    pub fn of(bytes: &[u8], hint: Hint<'_>) -> Self {
        let kind = DocumentKind::of(bytes, hint);
        let is_text = || std::str::from_utf8(bytes).is_ok();
        match kind {
            Ok(DocumentKind::Text | DocumentKind::Markdown) | Err(NotRead::Mislabelled(_)) if is_text() => Kind::Text,
            Ok(kind) => Kind::Document(kind),
            Err(NotRead::Picture) => Kind::Picture(picture(bytes)),
            Err(reason) => Kind::Other(reason),
        }
    }

    /// The media type.
    pub const fn media_type(&self) -> &'static str {
        match self {
            Kind::Document(kind) => kind.media_type(),
            Kind::Picture(media_type) => media_type,
            Kind::Text => "text/plain; charset=utf-8",
            Kind::Other(_) => "application/octet-stream",
        }
    }
}

fn picture(bytes: &[u8]) -> &'static str {
    let known = PICTURES.iter().find(|(mark, _)| bytes.starts_with(mark));
    known.map_or("image/webp", |(_, media_type)| media_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_tell_the_kind() {
        for (bytes, media_type) in [
            (&b"%PDF-1.7 ..."[..], "application/pdf"),
            (b"\xef\xbb\xbf\n%PDF-1.7", "application/pdf"),
            (b"\x89PNG\r\n\x1a\n...", "image/png"),
            (b"\xff\xd8\xff\xe0", "image/jpeg"),
            (b"RIFF\x01\x02\x03\x04WEBPVP8 ", "image/webp"),
            ("Grüße\tund\r\nmehr".as_bytes(), "text/plain; charset=utf-8"),
            (b"<!doctype html><p>x", "text/html"),
            (b"gr\xfc\xdfe", "text/plain"),
            (b"PK\x03\x04", "application/octet-stream"),
            (b"\xff\xfe\x00", "application/octet-stream"),
        ] {
            assert_eq!(Kind::of(bytes, Hint::default()).media_type(), media_type);
        }
        // A text is one, even if it is sent as a PDF.
        let named = Hint {
            name: Some("a.pdf"),
            media_type: None,
        };
        assert_eq!(Kind::of(b"plain", named), Kind::Text);
        // A page in its place is mostly an error.
        assert!(matches!(
            Kind::of(b"<html>login</html>", named),
            Kind::Other(NotRead::PageInstead(_))
        ));
    }
}
