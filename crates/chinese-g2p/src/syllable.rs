//! Syllables of pinyin, as they are written with a number for the tone.

use std::fmt;

/// A syllable of pinyin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Syllable {
    /// Its letters, with `v` for `ü`.
    pub letters: String,
    /// Its tone, 1 to 4, and 5 for the neutral one.
    pub tone: u8,
}

impl Syllable {
    /// A syllable with its tone as a number behind it; without one, it is the neutral one.
    pub(crate) fn new(written: &str) -> Self {
        let letters = written.trim_end_matches(|character: char| character.is_ascii_digit());
        Self {
            letters: letters.replace('ü', "v"),
            tone: written[letters.len()..].parse().unwrap_or(5),
        }
    }
}

impl fmt::Display for Syllable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.letters, self.tone)
    }
}
