//! Text of a picture: its lines, and places that were not read.

use crate::geometry::RotatedRect;
use crate::script::Script;

/// Probability of the detector from which on a place is text beyond reasonable doubt: rows of round things pass for
/// lines, too, but not as surely.
const SURE_TEXT_PROBABILITY: f32 = 0.92;

/// Line of text, or cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The text.
    pub text: String,
    /// Confidence, 0 to 1.
    pub confidence: f32,
    /// Script whose own recogniser read it; none where PP-OCR's recogniser did.
    pub script: Option<Script>,
    /// Rectangle around it, in pixels of the picture that was read; its width runs in the direction of reading.
    pub place: RotatedRect,
    /// Number of its block: a paragraph, a column or a table.
    pub block: usize,
    /// Number of its row: lines of the same row are beside each other.
    pub row: usize,
}

/// Place that looks like text and was not read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unread {
    /// Rectangle around it, in pixels of the picture that was read.
    pub place: RotatedRect,
    /// Probability that it is text, 0 to 1.
    pub confidence: f32,
}

impl Unread {
    /// Returns true if it is text beyond reasonable doubt.
    pub fn is_sure(&self) -> bool {
        self.confidence >= SURE_TEXT_PROBABILITY
    }
}

/// All text of a picture, in the order in which it is read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// The lines.
    pub lines: Vec<Line>,
    /// Places that look like lines and were not read: the script is not known, they are too faint, they are none, or
    /// the time was up.
    pub unread: Vec<Unread>,
    /// True if the time was up before everything was read.
    pub stopped: bool,
    /// Clockwise quarter turns by which the picture must be turned for its text to stand upright.
    pub turn: usize,
}

impl Reading {
    /// Number of places that are text beyond reasonable doubt and were not read.
    pub fn surely_unread(&self) -> usize {
        self.unread
            .iter()
            .filter(|unread| self.stopped || unread.is_sure())
            .count()
    }

    /// Returns all of it as one text: a line for each row, an empty line between blocks.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut last: Option<&Line> = None;
        for line in &self.lines {
            match last {
                None => {}
                Some(before) if before.block != line.block => text.push_str("\n\n"),
                Some(before) if before.row != line.row => text.push('\n'),
                Some(_) => text.push(' '),
            }
            text.push_str(&line.text);
            last = Some(line);
        }
        text
    }
}
