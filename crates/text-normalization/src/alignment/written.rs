//! Words of the text as it is written.

use std::ops::Range;

/// Marks at the ends of a word that do not belong to it.
const MARKS: &str = "\"'`´“”‘’„‚«»‹›()[]{}<>*_~#|\\.,;:!?…·•—–-¿¡。、，．！？：；「」『』（）《》〈〉【】・।॥،؛؟";

/// The places of the words of `text`, in bytes.
pub fn words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices() {
        if is_word_alone(character) {
            add(text, start.take().map(|start| start..at), &mut words);
            words.push(at..at + character.len_utf8());
        } else if character.is_whitespace() {
            add(text, start.take().map(|start| start..at), &mut words);
        } else {
            start.get_or_insert(at);
        }
    }
    add(text, start.map(|start| start..text.len()), &mut words);
    words
}

fn add(text: &str, word: Option<Range<usize>>, words: &mut Vec<Range<usize>>) {
    let Some(word) = word else { return };
    let whole = &text[word.clone()];
    let mark = |character: char| MARKS.contains(character);
    let from_start = whole.trim_start_matches(mark);
    let start = word.end - from_start.len();
    let end = start + from_start.trim_end_matches(mark).len();
    if start < end {
        words.push(start..end);
    }
}

/// Returns true for a character that is read by itself: ideographs and kana, which are written without spaces.
pub const fn is_word_alone(character: char) -> bool {
    matches!(character,
        '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// The time that a written word takes, in letters: a digit or a sign is said as a word.
pub fn weight(word: &str) -> u32 {
    let letters = word.chars().map(|character| match character {
        _ if character.is_alphabetic() => 1,
        '.' | ',' | '\'' | '-' => 1,
        _ => 4,
    });
    letters.sum()
}
