//! Simple fonts whose strings are text in GBK.
//!
//! A simple font has 256 codes, which is too few for Chinese. Some programs wrote one all the same, with the name of a
//! Chinese font and without its file, and its strings in GBK: what a viewer shows is then the system's own font of that
//! name. The decoder is that of the crate `encoding_rs`, which e-mails and texts are read with, too.

use encoding_rs::GBK;
use hayro_syntax::object::{Dict, Name, Object, Stream};

/// Parts of the names of Chinese fonts, in lower case.
const NAMES: [&str; 20] = [
    "simsun",
    "simhei",
    "simkai",
    "simfang",
    "fangsong",
    "kaiti",
    "songti",
    "heiti",
    "gb2312",
    "gbk",
    "xiaobiaosong",
    "stsong",
    "stkaiti",
    "stxihei",
    "stzhongsong",
    "youyuan",
    "lisu",
    "dengxian",
    "microsoftyahei",
    "fzxbs",
];

/// Bytes of a string among which a rare character has a common one.
const NEAR_BYTES: usize = 64;

/// Returns true if a font is a simple one that can only have been meant for GBK: with the name of a Chinese font, and
/// without a file, a map to Unicode, or an encoding of its own.
pub fn is_meant(font: &Dict<'_>, descriptor: &Dict<'_>) -> bool {
    let has_file = ["FontFile", "FontFile2", "FontFile3"]
        .iter()
        .any(|key| descriptor.get::<Stream<'_>>(key).is_some());
    let has_own = matches!(font.get::<Object<'_>>("Encoding"), Some(Object::Dict(_)))
        || font.get::<Object<'_>>("ToUnicode").is_some();
    !has_file && !has_own && font.get::<Name<'_>>("BaseFont").is_some_and(|name| is_chinese(&name))
}

/// Returns true for the name of a Chinese font, in Pinyin or in GBK itself.
fn is_chinese(name: &[u8]) -> bool {
    let lower = String::from_utf8_lossy(name).to_lowercase().replace([' ', '-'], "");
    if NAMES.iter().any(|known| lower.contains(known)) {
        return true;
    }
    let mut rest = name;
    let mut found = false;
    while let [first, after @ ..] = rest {
        rest = match after {
            _ if first.is_ascii() => after,
            // One accented letter is enough to make it another kind of name.
            [second, after @ ..] if is_common(*first, *second) => {
                found = true;
                after
            }
            _ => return false,
        };
    }
    found
}

/// The code of two bytes at a place, if they are one character. Letters of Latin-1 before other letters look like one,
/// too: one outside of the part with the common characters must have one of these near.
pub fn pair(bytes: &[u8], at: usize) -> Option<u32> {
    let [lead, trail] = *bytes.get(at..at + 2)? else {
        return None;
    };
    let is_any = (0x81..=0xfe).contains(&lead) && (0x40..=0xfe).contains(&trail) && trail != 0x7f;
    let near = &bytes[at..bytes.len().min(at + NEAR_BYTES)];
    let is_text = || near.windows(2).any(|pair| is_common(pair[0], pair[1]));
    (is_common(lead, trail) || is_any && is_text()).then(|| u32::from(lead) << 8 | u32::from(trail))
}

/// Returns true for a pair of the part that has the common characters (GB 2312).
fn is_common(lead: u8, trail: u8) -> bool {
    (0xa1..=0xf7).contains(&lead) && (0xa1..=0xfe).contains(&trail)
}

/// The character of a code of two bytes.
pub fn character(code: u32) -> Option<char> {
    let [.., lead, trail] = code.to_be_bytes();
    let pair = [lead, trail];
    let (text, bad) = GBK.decode_without_bom_handling(&pair);
    text.chars().next().filter(|_| !bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_pairs_are_told_from_latin_ones() {
        assert!(is_chinese(b"XiaoBiaoSong") && is_chinese(b"ABCDEF+SimSun,Bold") && is_chinese(b"\xcb\xce\xcc\xe5"));
        assert!(!is_chinese(b"Helvetica") && !is_chinese(b"Caf\xe9") && !is_chinese(b"M\xfcller Sans"));
        let bytes = GBK.encode("水a车").0;
        assert_eq!(pair(&bytes, 0).and_then(character), Some('水'));
        assert_eq!(
            (pair(&bytes, 2), pair(&bytes, 3).and_then(character)),
            (None, Some('车'))
        );
        // A rare character counts beside others, and accented letters are none.
        let bytes = GBK.encode("鎔水").0;
        assert_eq!(pair(&bytes, 0).and_then(character), Some('鎔'));
        assert_eq!(pair(b"caf\xe9te", 3), None);
        assert_eq!(pair(b"\xe9", 0), None);
    }
}
