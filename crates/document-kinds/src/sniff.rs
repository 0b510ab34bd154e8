//! The kind of a file, by its bytes.

use crate::hint::Hint;
use crate::kind::{Kind, NotRead};
use crate::{compound, text, zip};

/// First bytes of a PDF among which its mark is looked for: readers allow something before it.
const PDF_HEAD_BYTES: usize = 1024;

impl Kind {
    /// The kind of a file's bytes.
    ///
    /// # Errors
    /// When the bytes are of no kind that is read: see [`NotRead`].
    pub fn of(bytes: &[u8], hint: Hint<'_>) -> Result<Self, NotRead> {
        if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
            return zip::kind(bytes, hint);
        }
        if bytes.starts_with(&compound::MAGIC) {
            return Err(compound::contents(bytes));
        }
        let head = &bytes[..bytes.len().min(PDF_HEAD_BYTES)];
        if let Some(at) = head.windows(5).position(|window| window == b"%PDF-") {
            // An e-mail may have a PDF in it, and a page may speak of one.
            return Ok(match text::kind(bytes, Hint::default()) {
                Ok(kind @ (Kind::Email | Kind::Html)) if at > 0 => kind,
                _ => Kind::Pdf,
            });
        }
        if is_picture(bytes) {
            return Err(NotRead::Picture);
        }
        text::kind(bytes, hint)
    }
}

fn is_picture(bytes: &[u8]) -> bool {
    const MARKS: [&[u8]; 6] = [
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff",
        b"GIF8",
        b"BM",
        b"II*\0",
        b"MM\0*",
    ];
    let webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    // Texts may begin with BM; the file's length follows in bitmaps.
    let by_mark = MARKS
        .iter()
        .any(|mark| bytes.starts_with(mark) && (mark.len() > 2 || bytes.contains(&0)));
    webp || by_mark
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_bytes(bytes: &[u8]) -> Result<Kind, NotRead> {
        Kind::of(bytes, Hint::default())
    }

    #[test]
    fn bytes_decide_before_names() {
        let named = Hint {
            name: Some("notes.txt"),
            media_type: Some("text/plain"),
        };
        assert_eq!(Kind::of(b"%PDF-1.7", named), Ok(Kind::Pdf));
        assert_eq!(Kind::of(b"\xef\xbb\xbf\n%PDF-1.7", named), Ok(Kind::Pdf));
        assert_eq!(by_bytes(b"From: a\nTo: b\n\n%PDF-1.7"), Ok(Kind::Email));
        assert_eq!(Kind::of(b"<!DOCTYPE html><p>x", named), Ok(Kind::Html));
        assert_eq!(Kind::of(b"\x89PNG\r\n\x1a\n...", named), Err(NotRead::Picture));
        assert_eq!(by_bytes(b"RIFF\x01\x02\x03\x04WEBPVP8 "), Err(NotRead::Picture));
        assert_eq!(by_bytes(b"\x00\x01\x02"), Err(NotRead::Unknown));
    }

    #[test]
    fn media_types_lead_back_to_their_kinds() {
        for kind in Kind::ALL {
            let hint = Hint {
                name: None,
                media_type: Some(kind.media_type()),
            };
            assert_eq!(hint.claim(), Some(crate::hint::Claim::Kind(kind)), "{kind:?}");
        }
    }
}
