//! Words of the text as it is written.

use std::ops::Range;

use crate::inline::markup;

/// Marks at the ends of a word that do not belong to it.
const MARKS: &str = "\"'`´“”‘’„‚«»‹›()[]{}<>*_~#|\\.,;:!?…·•—–-¿¡。、，．！？：；「」『』（）《》〈〉【】・।॥،؛؟";

/// The places of the words of `text`, in bytes. Tags, targets of links and entities of spaces are between words.
pub fn words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut from = 0;
    for markup in markup(text) {
        words_of(text, from..markup.start, &mut words);
        from = markup.end;
    }
    words_of(text, from..text.len(), &mut words);
    words
}

/// Adds the words of a part of `text` without markup.
fn words_of(text: &str, part: Range<usize>, words: &mut Vec<Range<usize>>) {
    let mut start = None;
    for (at, character) in text[part.clone()].char_indices() {
        let at = part.start + at;
        if is_word_alone(character) {
            add(text, start.take().map(|start| start..at), words);
            words.push(at..at + character.len_utf8());
        } else if character.is_whitespace() {
            add(text, start.take().map(|start| start..at), words);
        } else {
            start.get_or_insert(at);
        }
    }
    add(text, start.map(|start| start..part.end), words);
}

fn add(text: &str, word: Option<Range<usize>>, words: &mut Vec<Range<usize>>) {
    let Some(whole) = word else { return };
    let written = &text[whole.clone()];
    let mark = |character: char| MARKS.contains(character);
    let from_start = written.trim_start_matches(mark);
    let start = whole.end - from_start.len();
    let end = start + from_start.trim_end_matches(mark).len();
    if start < end {
        words.push(with_brackets(text, whole, start..end));
    }
}

/// A word with the brackets beside it whose other halves are inside: "f(x)", "(s)he".
fn with_brackets(text: &str, whole: Range<usize>, word: Range<usize>) -> Range<usize> {
    // Halves that are missing behind it, the nearest last, and before it, the nearest first.
    let (mut behind, mut before) = (Vec::new(), Vec::new());
    for character in text[word.clone()].chars() {
        match (closing_half(character), opening_half(character)) {
            (Some(half), _) => behind.push(half),
            (_, Some(_)) if behind.last() == Some(&character) => {
                behind.pop();
            }
            (_, Some(half)) => before.push(half),
            _ => {}
        }
    }
    let mut after = text[word.end..whole.end].chars();
    let closed = behind.iter().rev().take_while(|half| after.next() == Some(**half));
    let mut ahead = text[whole.start..word.start].chars().rev();
    let opened = before.iter().take_while(|half| ahead.next() == Some(**half));
    // Each half is a byte.
    word.start - opened.count()..word.end + closed.count()
}

const fn closing_half(character: char) -> Option<char> {
    match character {
        '(' => Some(')'),
        '[' => Some(']'),
        '{' => Some('}'),
        _ => None,
    }
}

const fn opening_half(character: char) -> Option<char> {
    match character {
        ')' => Some('('),
        ']' => Some('['),
        '}' => Some('{'),
        _ => None,
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
