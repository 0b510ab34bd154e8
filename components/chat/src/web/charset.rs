//! Character encodings of pages: by the byte order mark, the server's header, the page's declaration, else a guess.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Bytes at the beginning of a page that may declare its encoding (HTML, "prescan").
const PRESCAN_BYTES: usize = 1024;

/// The text of a page.
pub(super) fn decode(bytes: &[u8], content_type: Option<&str>) -> String {
    let declared = content_type
        .and_then(label)
        .or_else(|| label(&String::from_utf8_lossy(&bytes[..bytes.len().min(PRESCAN_BYTES)])));
    let encoding = declared.unwrap_or_else(|| {
        // A page that was cut may end inside of a character.
        match std::str::from_utf8(bytes) {
            Err(error) if error.error_len().is_some() => WINDOWS_1252,
            _ => UTF_8,
        }
    });
    // A byte order mark is stronger than any declaration.
    encoding.decode(bytes).0.into_owned()
}

/// The encoding that a header or the beginning of a page names.
fn label(text: &str) -> Option<&'static Encoding> {
    let at = text.to_ascii_lowercase().find("charset=")? + "charset=".len();
    let rest = text.get(at..)?.trim_start_matches(['"', '\'', ' ']);
    let end = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.')))
        .unwrap_or(rest.len());
    Encoding::for_label(&rest.as_bytes()[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_is_said_and_guesses_otherwise() {
        let latin = b"caf\xe9!";
        assert_eq!(decode(latin, Some("text/html; charset=ISO-8859-1")), "café!");
        assert_eq!(decode(latin, None), "café!");
        assert_eq!(decode("café!".as_bytes(), None), "café!");
        assert_eq!(decode(&"é".as_bytes()[..1], None), "\u{fffd}");
        let page = b"<meta charset='windows-1251'>\xcf\xf0\xe8\xe2\xe5\xf2";
        assert!(decode(page, Some("text/html")).ends_with("Привет"));
        let japanese = b"<meta http-equiv=content-type content=\"text/html; charset=Shift_JIS\">\x93\xfa\x96\x7b";
        assert!(decode(japanese, None).ends_with("日本"));
        assert_eq!(decode(b"\xef\xbb\xbfx", Some("text/html; charset=latin1")), "x");
        assert_eq!(decode(b"x", Some("text/html; charset=nonsense")), "x");
    }
}
