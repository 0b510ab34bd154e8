//! Output of the recognisers for one line.

use crate::geometry::RotatedRect;
use crate::script::Script;

/// Text that a recogniser reads in one line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transcription {
    /// The text.
    pub text: String,
    /// Average probability of its characters; 0 for no text.
    pub confidence: f32,
    /// Script whose own recogniser read it; none where PP-OCR's recogniser did.
    pub script: Option<Script>,
    /// Words with their places, where the recogniser gives them.
    pub words: Vec<Word>,
}

/// Word of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// The text.
    pub text: String,
    /// Average probability of its characters.
    pub confidence: f32,
    /// Rectangle around it.
    pub place: RotatedRect,
}

impl Transcription {
    /// Returns true if some of the letters are of a script.
    pub fn has_letters_of(&self, script: Script) -> bool {
        self.letters().any(|letter| script.contains(letter))
    }

    /// Evidence for a script, 0 to 1: the confidence times the share of the script's letters among the letters.
    pub fn evidence_for(&self, script: Script) -> f32 {
        let letters = self.letters().count();
        let own = self.letters().filter(|letter| script.contains(*letter)).count();
        if letters == 0 {
            return 0.0;
        }
        self.confidence * own as f32 / letters as f32
    }

    /// The letters of the text.
    pub fn letters(&self) -> impl Iterator<Item = char> {
        self.text.chars().filter(|character| character.is_alphabetic())
    }
}

/// Number of characters of a text that are not spaces.
pub fn length(text: &str) -> usize {
    text.chars().filter(|character| !character.is_whitespace()).count()
}
