//! Kinds of files, by their first bytes: some clients send no media type, and those that do guess it from the name.

/// The bytes of a PDF that its mark is looked for in: readers allow something before it.
const PDF_HEAD_BYTES: usize = 1024;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A PDF.
    Document,
    /// A picture; the component says if it reads its format.
    Picture(&'static str),
    /// Text in UTF-8, with the media type that its name or its sender gives it.
    Text,
    /// Something else.
    Other,
}

impl Kind {
    /// The kind of a file.
    pub fn of(bytes: &[u8]) -> Self {
        let head = &bytes[..bytes.len().min(PDF_HEAD_BYTES)];
        if head.windows(5).any(|window| window == b"%PDF-") {
            return Kind::Document;
        }
        if let Some((_, media_type)) = PICTURES.iter().find(|(mark, _)| bytes.starts_with(mark)) {
            return Kind::Picture(media_type);
        }
        if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            return Kind::Picture("image/webp");
        }
        let is_text = |text: &str| {
            !text
                .chars()
                .any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}'))
        };
        match std::str::from_utf8(bytes) {
            Ok(text) if is_text(text) => Kind::Text,
            _ => Kind::Other,
        }
    }

    /// The media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Kind::Document => "application/pdf",
            Kind::Picture(media_type) => media_type,
            Kind::Text => "text/plain; charset=utf-8",
            Kind::Other => "application/octet-stream",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell_the_kind() {
        for (bytes, media_type) in [
            (&b"%PDF-1.7 ..."[..], "application/pdf"),
            (b"\xef\xbb\xbf\n%PDF-1.7", "application/pdf"),
            (b"\x89PNG\r\n\x1a\n...", "image/png"),
            (b"\xff\xd8\xff\xe0", "image/jpeg"),
            (b"RIFF\x01\x02\x03\x04WEBPVP8 ", "image/webp"),
            ("Grüße\tund\r\nmehr".as_bytes(), "text/plain; charset=utf-8"),
            (b"PK\x03\x04", "application/octet-stream"),
            (b"\xff\xfe\x00", "application/octet-stream"),
        ] {
            assert_eq!(Kind::of(bytes).media_type(), media_type);
        }
    }
}
