//! Text strings of a file (ISO 32000-2, 7.9.2.2): UTF-16, UTF-8 or PDFDocEncoding.

/// Characters of PDFDocEncoding that are not those of Latin-1, from code 0x18 (ISO 32000-2, annex D.2).
const DOC_ENCODING_LOW: [char; 8] = ['˘', 'ˇ', 'ˆ', '˙', '˝', '˛', '˚', '˜'];
/// The same from code 0x80.
const DOC_ENCODING_HIGH: [char; 33] = [
    '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ', 'ﬂ', 'Ł', 'Œ',
    'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{fffd}', '€',
];

/// Decodes a text string.
pub fn decode(bytes: &[u8]) -> String {
    let text = match bytes {
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        // Not allowed, and common: UTF-8 without its mark.
        _ if !bytes.is_ascii() && str::from_utf8(bytes).is_ok() => String::from_utf8_lossy(bytes).into_owned(),
        _ => bytes.iter().map(|byte| doc_encoding(*byte)).collect(),
    };
    // Escape sequences name the language of what follows.
    let mut out = String::with_capacity(text.len());
    let mut escaped = false;
    for c in text.chars() {
        if c == '\u{1b}' {
            escaped = !escaped;
        } else if !escaped && c != '\0' {
            out.push(c);
        }
    }
    out
}

fn utf16(bytes: &[u8], unit: impl Fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units)
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

fn doc_encoding(byte: u8) -> char {
    match byte {
        0x18..=0x1f => DOC_ENCODING_LOW[usize::from(byte - 0x18)],
        0x80..=0xa0 => DOC_ENCODING_HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Decodes a text string into one line; none if it is blank.
pub fn line(bytes: &[u8]) -> Option<String> {
    let text = decode(bytes);
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_encoding_is_known_by_its_beginning() {
        assert_eq!(decode(b"\xfe\xff\x04\x10\x00b"), "Аb");
        assert_eq!(decode(b"\xff\xfeb\x00"), "b");
        assert_eq!(decode(b"\xef\xbb\xbf\xc3\xa4"), "ä");
        assert_eq!(decode(b"\xc3\xa4"), "ä");
        assert_eq!(decode(b"a\x84\xe4\xa0"), "a—ä€");
        assert_eq!(decode(b"\xfe\xff\x00\x1b\x00e\x00n\x00\x1b\x00a"), "a");
        assert_eq!(line(b"  two\r\n words "), Some("two words".into()));
        assert_eq!(line(b" "), None);
    }
}
