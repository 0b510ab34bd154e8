//! Normalisation of characters: from those that fonts name to those that people write.

use compact_str::CompactString;
use unicode_normalization::UnicodeNormalization;

/// Normalises the text of a glyph, with ligatures and presentation forms taken apart (compatibility normalisation of
/// Unicode, UAX #15, only where the form is the font's and not the writer's), or returns none where it says nothing.
pub fn clean(text: &str) -> Option<CompactString> {
    let mut chars = text.chars();
    if let (Some(only), None) = (chars.next(), chars.next()) {
        return clean_one(only);
    }
    let clean: CompactString = text.chars().filter_map(clean_one).collect();
    (!clean.is_empty()).then_some(clean)
}

fn clean_one(c: char) -> Option<CompactString> {
    match c {
        ' '..='~' => Some(CompactString::from_iter([c])),
        // Kinds of spaces; the rest of white space and what is invisible says nothing.
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\t' | '\n' | '\r' => Some(" ".into()),
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{fffd}' => None,
        // Ligatures, Arabic presentation forms, and radicals and compatibility ideographs that fonts name for the usual
        // ones.
        '\u{fb00}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{2e80}'..='\u{2fdf}' | '\u{f900}'..='\u{faff}' => {
            Some(std::iter::once(c).nfkc().collect())
        }
        // The private codes of symbol fonts.
        '\u{f0b7}' | '\u{f06c}' | '\u{f09f}' => Some("•".into()),
        '\u{f0a7}' | '\u{f06e}' => Some("▪".into()),
        '\u{f0d8}' => Some("➢".into()),
        '\u{f0fc}' => Some("✓".into()),
        '\u{f0e0}' => Some("→".into()),
        '\u{f020}'..='\u{f07e}' => char::from_u32(c as u32 - 0xf000).and_then(clean_one),
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' => None,
        _ => Some(CompactString::from_iter([c])),
    }
}

/// Returns true if a character is written from right to left.
pub fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}')
        && !is_number_of_right_to_left(c)
}

/// Returns true for digits that stand among right-to-left letters and are read from left to right themselves.
fn is_number_of_right_to_left(c: char) -> bool {
    matches!(c, '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}' | '\u{66b}' | '\u{66c}')
}

/// Returns true if a character is of a script without spaces between words: Chinese, Japanese.
pub fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{30ff}' | '\u{31c0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3ffff}')
}

/// Returns true if a character is a hyphen that may end a line inside a word.
pub fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{ad}' | '\u{2010}')
}

/// Combining mark of an accent that stands alone, as old fonts draw them over the next or previous letter.
pub fn combining(c: char) -> Option<char> {
    Some(match c {
        '`' | 'ˋ' => '\u{300}',
        '´' | 'ˊ' => '\u{301}',
        '^' | 'ˆ' => '\u{302}',
        '~' | '˜' => '\u{303}',
        '¯' | 'ˉ' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '¨' => '\u{308}',
        '˚' => '\u{30a}',
        '˝' => '\u{30b}',
        'ˇ' => '\u{30c}',
        '¸' => '\u{327}',
        '˛' => '\u{328}',
        _ => return None,
    })
}

/// Composes a letter with an accent, where there is such a character.
pub fn compose(letter: char, accent: char) -> Option<char> {
    let letter = match letter {
        'ı' => 'i',
        'ȷ' => 'j',
        other => other,
    };
    unicode_normalization::char::compose(letter, combining(accent)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_fonts_become_the_letters_that_were_meant() {
        assert_eq!(clean("ﬃ").as_deref(), Some("ffi"));
        assert_eq!(clean("ﻻ").as_deref(), Some("لا"));
        assert_eq!(clean("⽂").as_deref(), Some("文"));
        assert_eq!(clean("\u{f0b7}").as_deref(), Some("•"));
        assert_eq!(clean("\u{a0}").as_deref(), Some(" "));
        assert_eq!(clean("\0").as_deref(), None);
        assert_eq!(clean("²").as_deref(), Some("²"));
        assert_eq!(compose('e', '´'), Some('é'));
        assert_eq!(compose('ı', '¨'), Some('ï'));
        assert_eq!(compose('q', '´'), None);
    }
}
