//! Scripts that need a recogniser of their own.

use crate::bidi;

/// Script that PP-OCR's recogniser has no letters for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// Letters of Russian, Bulgarian, Serbian and others.
    Cyrillic,
    /// Letters of Korean.
    Hangul,
    /// Letters of Hindi, Marathi, Nepali and others.
    Devanagari,
    /// Letters of Arabic, Persian, Urdu and others.
    Arabic,
}

impl Script {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Cyrillic, Self::Hangul, Self::Devanagari, Self::Arabic];

    /// Returns true if a character belongs to the script.
    pub fn contains(self, character: char) -> bool {
        match self {
            Self::Cyrillic => matches!(character, '\u{400}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}'),
            Self::Hangul => {
                matches!(character, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}')
            }
            Self::Devanagari => matches!(character, '\u{900}'..='\u{97f}' | '\u{a8e0}'..='\u{a8ff}'),
            Self::Arabic => bidi::is_right_to_left(character),
        }
    }

    /// Returns true if the script's recogniser reads Latin letters as well. That of Cyrillic writes them in those of
    /// its own that look alike.
    pub fn reads_latin(self) -> bool {
        self != Self::Cyrillic
    }

    /// Confidence from which on a line needs no other recogniser.
    pub fn sufficient_confidence(self) -> f32 {
        if self.reads_latin() { 0.9 } else { 0.985 }
    }
}
