//! Kinds of text: web pages and e-mails by how they begin, the others by the client's word.

use std::borrow::Cow;

use crate::hint::{Claim, Hint};
use crate::kind::{Kind, NotRead};

/// First bytes that are looked at for the beginnings of pages and e-mails.
const HEAD_BYTES: usize = 4096;

/// Fields of an e-mail's head, two of which make a text one.
const MAIL_FIELDS: [&str; 10] = [
    "from",
    "to",
    "subject",
    "date",
    "message-id",
    "received",
    "mime-version",
    "return-path",
    "delivered-to",
    "content-type",
];

/// The kind of a file that is no other than text, if it is that.
pub fn kind(bytes: &[u8], hint: Hint<'_>) -> Result<Kind, NotRead> {
    if !is_text(bytes) {
        return Err(match bytes.starts_with(b"{\\rtf") {
            true => RTF,
            false => NotRead::Unknown,
        });
    }
    if bytes.starts_with(b"{\\rtf") {
        return Err(RTF);
    }
    let head = head(bytes);
    let claim = hint.claim();
    match claim {
        // Markdown may have any markup in it, and a page in a table is a cell.
        Some(Claim::Kind(kind @ (Kind::Markdown | Kind::Csv))) => return Ok(kind),
        Some(Claim::Kind(kind)) if !matches!(kind, Kind::Html | Kind::Email | Kind::Text) && is_page(&head) => {
            return Err(NotRead::PageInstead(kind.noun()));
        }
        _ if is_page(&head) => return Ok(Kind::Html),
        _ if is_mail(&head) => return Ok(Kind::Email),
        _ => {}
    }
    match claim {
        None => Ok(Kind::Text),
        Some(Claim::Kind(kind @ (Kind::Html | Kind::Email | Kind::Text))) => Ok(kind),
        Some(Claim::Kind(kind)) => Err(NotRead::Mislabelled(kind.noun())),
        Some(Claim::Other(noun)) => Err(NotRead::Mislabelled(noun)),
    }
}

const RTF: NotRead = NotRead::Legacy {
    format: "a document in Rich Text Format (.rtf)",
    instead: ".docx, .odt or PDF",
};

/// Returns true for bytes without control characters, as all encodings of text are that have none of 16 bits; those are
/// known by their byte order mark.
fn is_text(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return bytes.len() > 3 && bytes.len().is_multiple_of(2) && wide(bytes).is_some();
    }
    // The escape is of ISO-2022-JP and of terminals; an end-of-file mark is of old editors.
    let is_control = |byte: &u8| *byte < 0x20 && !matches!(byte, b'\n' | b'\r' | b'\t' | 0x0c | 0x1b | 0x1a);
    !bytes.is_empty() && !bytes.iter().any(is_control)
}

/// The beginning of a text of 16-bit units, if it is one.
fn wide(bytes: &[u8]) -> Option<String> {
    let little = bytes.starts_with(b"\xff\xfe");
    let units = bytes[2..]
        .chunks_exact(2)
        .take(HEAD_BYTES / 2)
        .map(|pair| match little {
            true => u16::from_le_bytes([pair[0], pair[1]]),
            false => u16::from_be_bytes([pair[0], pair[1]]),
        });
    let text: String = char::decode_utf16(units)
        .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    let is_text = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t' | '\u{c}');
    text.chars().all(is_text).then_some(text)
}

fn head(bytes: &[u8]) -> Cow<'_, str> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return wide(bytes).unwrap_or_default().into();
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD_BYTES)])
}

/// Returns true if a text begins as a web page: with its document type or its first elements, after comments.
fn is_page(head: &str) -> bool {
    let mut rest = head.trim_start();
    loop {
        let end = match rest {
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<?xml") => "?>",
            _ => break,
        };
        match rest.split_once(end) {
            Some((_, after)) => rest = after.trim_start(),
            None => return false,
        }
    }
    let begins = |with: &str| {
        rest.get(..with.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(with))
    };
    ["<!doctype html", "<html", "<head>", "<body"]
        .iter()
        .any(|mark| begins(mark))
}

/// Returns true if a text begins with the head of an e-mail.
fn is_mail(head: &str) -> bool {
    let mut found = 0;
    for (index, line) in head.lines().enumerate() {
        // Mailboxes begin with a line of their own.
        if index == 0 && line.starts_with("From ") || line.starts_with([' ', '\t']) && index > 0 {
            continue;
        }
        let Some((name, _)) = line.split_once(':') else { break };
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            break;
        }
        found += usize::from(MAIL_FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field)));
    }
    found >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(bytes: &[u8], name: &str) -> Result<Kind, NotRead> {
        let hint = Hint {
            name: Some(name),
            media_type: Some("application/octet-stream"),
        };
        kind(bytes, hint)
    }

    #[test]
    fn names_decide_between_texts_alone() {
        for (bytes, name, found) in [
            (&b"# Title\n"[..], "README.md", Kind::Markdown),
            (b"a;b\n1;2\n", "t.CSV", Kind::Csv),
            (b"a;b\n1;2\n", "t", Kind::Text),
            (b"caf\xe9", "t.txt", Kind::Text),
            (b"\xff\xfea\0b\0", "t.txt", Kind::Text),
            (b"<p>x", "a.html", Kind::Html),
            (
                b"<?xml version='1.0'?>\n<!-- x -->\n<HTML lang=en>",
                "a.txt",
                Kind::Html,
            ),
            (b"\xfe\xff\0<\0h\0t\0m\0l\0>", "a.txt", Kind::Html),
            (
                b"Received: from a\n by b\nFrom: c@d.example\nSubject: e\n\nx",
                "a.txt",
                Kind::Email,
            ),
            (b"Note: this\nFrom: me\n", "a.txt", Kind::Text),
        ] {
            assert_eq!(named(bytes, name), Ok(found), "{name}");
        }
    }

    #[test]
    fn what_is_no_text_is_not_taken_for_one() {
        assert_eq!(named(b"ab\0c", "a.txt"), Err(NotRead::Unknown));
        assert_eq!(named(b"", "a.txt"), Err(NotRead::Unknown));
        assert_eq!(named(b"hello", "a.pdf"), Err(NotRead::Mislabelled("a PDF")));
        assert_eq!(named(b"hello", "a.doc"), Err(NotRead::Mislabelled("a Word document")));
        assert_eq!(named(b"{\\rtf1 x}", "a.rtf"), Err(RTF));
    }

    #[test]
    fn a_page_in_the_place_of_a_document_is_none() {
        let login = b"<html>login</html>";
        assert_eq!(named(login, "a.pdf"), Err(NotRead::PageInstead("a PDF")));
        let hint = Hint {
            name: Some("download"),
            media_type: Some("application/pdf"),
        };
        assert_eq!(kind(login, hint), Err(NotRead::PageInstead("a PDF")));
        for name in ["a.html", "a.txt", "a", "a.eml", "a.doc"] {
            assert_eq!(named(login, name), Ok(Kind::Html), "{name}");
        }
    }
}
