//! The text in a picture: where it is (`detect`), what it says (`recognise`), which way it is turned (`turn`) and in
//! which order it is read (`order`).

mod characters;
mod detect;
mod order;
mod recognise;
mod regions;
mod turn;

use quartet_inference::{GraphError, Graphs};

use crate::geometry::Slanted;
use crate::picture::Picture;

/// A line below this is more likely a pattern than writing.
const LEAST_CONFIDENCE: f32 = 0.5;
/// The same for one or two characters.
const LEAST_CONFIDENCE_OF_SHORT: f32 = 0.8;

/// Makes what is the same for all pictures, so that it can be part of a snapshot.
pub fn init() {
    characters::alphabet();
}

/// One line of text, or one cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// What it says.
    pub text: String,
    /// How sure it is, 0 to 1.
    pub confidence: f32,
    /// Where it is, in pixels of the picture that was read, seen from the side from which it is read.
    pub place: Slanted,
    /// Lines of the same block belong together: a paragraph, a column, a table.
    pub block: usize,
    /// Lines of the same row are beside each other.
    pub row: usize,
}

/// All text of a picture, in the order in which it is read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// The lines.
    pub lines: Vec<Line>,
    /// How far the picture must be turned clockwise for its text to stand upright, in quarter turns.
    pub turn: usize,
}

impl Reading {
    /// All of it as one text: a line each row, an empty line between blocks.
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

/// Whether a line is writing. Round things look like an 8 and fences like AAAA: what is short must be surer, and lower
/// than a quarter of the picture.
fn is_writing(line: &Line, shorter: f32) -> bool {
    let mut characters = line.text.chars();
    let Some(first) = characters.next() else {
        return false;
    };
    let (mut count, mut same) = (1, true);
    for character in characters {
        count += 1;
        same &= character == first;
    }
    match count {
        1 | 2 => line.confidence >= LEAST_CONFIDENCE_OF_SHORT && line.place.height < shorter / 4.0,
        _ => line.confidence >= LEAST_CONFIDENCE && !same,
    }
}

/// Reads a picture.
///
/// # Errors
/// When a model is missing or fails.
pub fn read(picture: &Picture, graphs: &dyn Graphs) -> Result<Reading, GraphError> {
    let places = detect::places(picture, graphs)?;
    let mut recogniser = recognise::Recogniser::new(picture, graphs);
    let (turn, mut lines) = turn::read(&mut recogniser, &places)?;
    let shorter = picture.width().min(picture.height()) as f32;
    lines.retain(|line| is_writing(line, shorter));
    Ok(Reading {
        lines: order::in_order(lines, turn),
        turn,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Point;

    #[test]
    fn patterns_are_not_writing() {
        let line = |text: &str, confidence: f32, height: f32| Line {
            text: text.to_owned(),
            confidence,
            place: Slanted {
                centre: Point::new(0.0, 0.0),
                width: 100.0,
                height,
                angle: 0.0,
            },
            block: 0,
            row: 0,
        };
        for (text, confidence, height, expected) in [
            ("Exit", 0.6, 200.0, true),
            ("Exit", 0.4, 20.0, false),
            ("8", 0.95, 20.0, true),
            ("8", 0.7, 20.0, false),
            ("8", 0.95, 300.0, false),
            ("AAAAA", 0.9, 20.0, false),
            ("", 1.0, 20.0, false),
        ] {
            assert_eq!(
                is_writing(&line(text, confidence, height), 400.0),
                expected,
                "{text} {confidence} {height}"
            );
        }
    }
}
