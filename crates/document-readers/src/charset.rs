//! Character encodings: by the byte order mark, what a sender or the text itself declares, else a guess.
//!
//! Encodings are those of the crate `encoding_rs`, and the guess is that of `chardetng`, both as Firefox has them.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

/// Bytes at the beginning of a page that may declare its encoding (HTML, "prescan").
const PRESCAN_BYTES: usize = 1024;
/// Bytes that a guess is made of.
const GUESS_BYTES: usize = 256 * 1024;

/// The text of a web page.
#[must_use]
pub fn decode(bytes: &[u8], content_type: Option<&str>) -> String {
    let declared = content_type.and_then(|header| label(header, "charset=")).or_else(|| {
        label(
            &String::from_utf8_lossy(&bytes[..bytes.len().min(PRESCAN_BYTES)]),
            "charset=",
        )
    });
    // A byte order mark is stronger than any declaration.
    declared.unwrap_or_else(|| guess(bytes)).decode(bytes).0.into_owned()
}

/// The text of a file that declares nothing.
pub(crate) fn plain(bytes: &[u8]) -> String {
    guess(bytes).decode(bytes).0.into_owned()
}

/// The text of XML, which is UTF-8 where nothing else is declared.
pub(crate) fn markup(bytes: Vec<u8>) -> String {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(256)]);
    let declaration = head.split_once("?>").map_or("", |(declaration, _)| declaration);
    let encoding = label(declaration, "encoding=").unwrap_or(UTF_8);
    // Parts may be large: most are not copied.
    let has_mark = Encoding::for_bom(&bytes).is_some();
    match String::from_utf8(bytes) {
        Ok(text) if encoding == UTF_8 && !has_mark => text,
        Ok(text) => encoding.decode(text.as_bytes()).0.into_owned(),
        Err(error) => encoding.decode(error.as_bytes()).0.into_owned(),
    }
}

/// The encoding that a header or the beginning of a page names.
fn label(text: &str, name: &str) -> Option<&'static Encoding> {
    let at = text.to_ascii_lowercase().find(name)? + name.len();
    let rest = text.get(at..)?.trim_start_matches(['"', '\'', ' ']);
    let end = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.')))
        .unwrap_or(rest.len());
    Encoding::for_label(&rest.as_bytes()[..end])
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    // A text that was cut may end inside of a character.
    let is_utf8 = match std::str::from_utf8(bytes) {
        Ok(text) => !text.contains('\u{1b}'),
        Err(error) => error.error_len().is_none(),
    };
    if is_utf8 {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&bytes[..bytes.len().min(GUESS_BYTES)], bytes.len() <= GUESS_BYTES);
    detector.guess(None, Utf8Detection::Deny)
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

    #[test]
    fn texts_that_declare_nothing_are_guessed() {
        let (text, encodings) = (
            "Das Mühlrad drehte sich über dem Bach, und die Gäste grüßten.",
            encoding_rs::WINDOWS_1252,
        );
        assert_eq!(plain(&encodings.encode(text).0), text);
        let text = "Мельница стоит у реки, и колесо её вращается каждую осень.";
        assert_eq!(plain(&encoding_rs::WINDOWS_1251.encode(text).0), text);
        assert_eq!(plain(&encoding_rs::KOI8_U.encode(text).0), text);
        let text = "水車は川のそばにあり、秋には小麦を挽きます。";
        for encoding in [encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP, encoding_rs::ISO_2022_JP] {
            assert_eq!(plain(&encoding.encode(text).0), text, "{}", encoding.name());
        }
        let text = "水车在河边，每年秋天都磨小麦。";
        assert_eq!(plain(&encoding_rs::GBK.encode(text).0), text);
        assert_eq!(plain(b"\xff\xfea\0\xe9\0"), "aé");
        assert_eq!(
            markup(b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>".to_vec())
                .chars()
                .rev()
                .nth(4),
            Some('é')
        );
    }
}
