//! Normalisation of text as in SentencePiece: its rules `nmt_nfkc`.

use unicode_normalization::UnicodeNormalization;

/// Stands for a space in pieces.
pub const SPACE: char = '\u{2581}';

/// The text in compatible forms, without control characters, with one mark for all white space between its words and one
/// before it.
pub fn normalise(text: &str) -> String {
    let mut normal = String::with_capacity(text.len() + 16);
    for part in text.split_inclusive('～') {
        // The full-width tilde, alone of its block, stays as it is.
        let (part, tilde) = part.strip_suffix('～').map_or((part, ""), |part| (part, "～"));
        for c in part.chars().filter_map(known).nfkc().chain(tilde.chars()) {
            if c != ' ' {
                // The first word has a space before it as all others do.
                if normal.is_empty() {
                    normal.push(SPACE);
                }
                normal.push(c);
            } else if !normal.is_empty() && !normal.ends_with(SPACE) {
                normal.push(SPACE);
            }
        }
    }
    if normal.ends_with(SPACE) {
        normal.pop();
    }
    normal
}

/// A character, a space for the characters that stand for one, or nothing for control characters.
fn known(c: char) -> Option<char> {
    match c {
        '\t' | '\n' | '\u{c}' | '\r' => Some(' '),
        '\0'..='\u{1f}' | '\u{7f}' | '\u{8f}' | '\u{9f}' => None,
        '\u{1680}' | '\u{200b}'..='\u{200f}' | '\u{2028}' | '\u{2029}' | SPACE | '\u{feff}' | '\u{fffd}' => Some(' '),
        _ => Some(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_forms_and_controls() {
        for (text, normal) in [
            ("", ""),
            (" \n ", ""),
            (" a \t b\u{200b}c ", "▁a▁b▁c"),
            ("ﬁn\u{1}e ２０", "▁fine▁20"),
            ("e\u{301}", "▁é"),
            ("ｶﾞ～", "▁ガ～"),
        ] {
            assert_eq!(normalise(text), normal, "{text:?}");
        }
    }
}
