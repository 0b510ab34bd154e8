//! English sentences about what was found.

use crate::objects::labels::plural;
use quartet_ocr::Reading;
use quartet_ocr::geometry::Bounds;

/// Numbers that are written as words.
const NUMBER_WORDS: [&str; 13] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];
/// Share of the picture above which an object fills most of it.
const FILLING_SHARE: f32 = 0.6;

/// Number as it is written in a sentence: "two", "13".
pub fn number_word(count: usize) -> String {
    let word = NUMBER_WORDS.get(count);
    word.map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// Number and noun: "two cats", "one person".
pub fn counted(count: usize, label: &str) -> String {
    let number = number_word(count);
    if count == 1 {
        format!("{number} {label}")
    } else {
        format!("{number} {}", plural(label))
    }
}

/// Enumeration: "a, b and c".
pub fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Position in the picture: "at the upper left".
pub fn position(bounds: &Bounds, width: f32, height: f32) -> &'static str {
    if bounds.width() * bounds.height() > FILLING_SHARE * width * height {
        return "filling most of the picture";
    }
    let centre = bounds.centre();
    let third = |at: f32, length: f32| (at / length * 3.0).clamp(0.0, 2.0) as usize;
    const NAMES: [[&str; 3]; 3] = [
        ["at the upper left", "at the top", "at the upper right"],
        ["on the left", "in the middle", "on the right"],
        ["at the lower left", "at the bottom", "at the lower right"],
    ];
    NAMES[third(centre.y, height)][third(centre.x, width)]
}

/// Warning about places that look like text and were not read; none where everything was.
pub fn unread(reading: &Reading) -> Option<String> {
    let count = reading.unread.len();
    if reading.stopped {
        return Some(format!(
            "The time for reading was up: {} not read.",
            match count {
                1 => "one line was".to_owned(),
                _ => format!("{} were", counted(count, "line")),
            }
        ));
    }
    let sure = reading.unread.iter().filter(|unread| unread.is_sure()).count();
    let known = "what can be read is Latin, Cyrillic, Arabic, Devanagari, Chinese, Japanese and Korean script";
    if sure > 0 {
        let verb = if sure == 1 { "looks" } else { "look" };
        let lines = capitalised(&counted(sure, "line"));
        return Some(format!("{lines} {verb} like text and could not be read; {known}."));
    }
    (count > 0).then(|| {
        format!(
            "{} may be text that could not be read.",
            capitalised(&counted(count, "place"))
        )
    })
}

/// Sentence with a capital at its start.
pub fn capitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(letters)
        .collect()
}
