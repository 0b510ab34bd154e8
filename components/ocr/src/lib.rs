//! The text in a picture: where it is (`detect`), what it says (`recognise`), which way it is turned (`turn`) and in
//! which order it is read (`order`). It is a crate of its own because pictures and pages of documents are read alike.

mod characters;
mod detect;
pub mod geometry;
pub mod models;
mod order;
mod picture;
mod recognise;
mod regions;
mod turn;

use quartet_inference::{GraphError, Graphs};

pub use picture::Picture;

use geometry::Slanted;

/// A line below this is more likely a pattern than writing.
const LEAST_CONFIDENCE: f32 = 0.5;
/// The same for one or two characters.
const LEAST_CONFIDENCE_OF_SHORT: f32 = 0.8;
/// A place that is so many times as long as high looks like a line, also where nothing in it can be read.
const LIKE_A_LINE: f32 = 4.0;
/// The recogniser says nothing at letters that it does not know, and is sure of the marks between them: a line with fewer
/// characters than this for each time that it is as long as high was not read. Even wide letters give two.
const SPARSE: f32 = 0.3;
/// Where the lines of a picture are below this on average, its script is none that is known: what little was read of it
/// is made up of letters of another one.
const UNKNOWN_SCRIPT: f32 = 0.7;

/// A place that cannot be read is said to look like text only where the detector is so sure: rows of round things pass for
/// lines, too, but not as surely.
const SURELY_TEXT: f32 = 0.92;

/// Says whether the time for reading is up.
pub type TimeIsUp<'a> = &'a dyn Fn() -> bool;

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
    /// What looks like a line, and was not read: the script is not known, it is too faint, or the time was up.
    pub unread: Vec<Slanted>,
    /// Whether the time was up before everything was read.
    pub stopped: bool,
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

/// Whether a line is so long for what was read of it that most of it was not.
fn is_sparse(line: &Line) -> bool {
    let characters = line.text.chars().filter(|character| !character.is_whitespace()).count() as f32;
    looks_like_a_line(line) && characters < SPARSE * line.place.width / line.place.height.max(1.0)
}

fn looks_like_a_line(line: &Line) -> bool {
    line.place.width >= LIKE_A_LINE * line.place.height
}

/// Parts what was read from what looks like lines and was not; what is neither is left out.
fn sorted(lines: Vec<Line>, shorter: f32, stopped: bool) -> (Vec<Line>, Vec<Slanted>) {
    let (mut sum, mut weight) = (0.0, 0.0);
    for line in lines.iter().filter(|line| looks_like_a_line(line)) {
        sum += line.place.width * if is_sparse(line) { 0.0 } else { line.confidence };
        weight += line.place.width;
    }
    // One line says little about a picture's script, and single ones are often patterns. Where the time was up, nobody knows.
    let unknown = !stopped && weight > 0.0 && lines.len() >= 3 && sum / weight < UNKNOWN_SCRIPT;
    let known =
        |line: &Line| !unknown || line.confidence >= UNKNOWN_SCRIPT && line.text.chars().any(char::is_alphanumeric);
    let (read, others): (Vec<Line>, Vec<Line>) = lines
        .into_iter()
        .partition(|line| is_writing(line, shorter) && !is_sparse(line) && known(line));
    // Where the time was up, short places may be prices that nobody looked at.
    let unread = others
        .into_iter()
        .filter(|line| looks_like_a_line(line) || stopped && line.text.is_empty())
        .map(|line| line.place);
    (read, unread.collect())
}

/// Reads a picture. When the time is up, it gives what has been read by then.
///
/// # Errors
/// When a model is missing or fails.
pub fn read(picture: &Picture, graphs: &dyn Graphs, time_is_up: TimeIsUp<'_>) -> Result<Reading, GraphError> {
    let found = detect::places(picture, graphs)?;
    let places: Vec<Slanted> = found.iter().map(|(place, _)| *place).collect();
    let mut recogniser = recognise::Recogniser::new(picture, graphs, time_is_up);
    let (turn, lines) = turn::read(&mut recogniser, &places)?;
    let shorter = picture.width().min(picture.height()) as f32;
    let (lines, mut unread) = sorted(lines, shorter, recogniser.stopped());
    // Turned or not, a place keeps its middle.
    unread.retain(|place| {
        let same = found.iter().find(|(found, _)| found.centre == place.centre);
        recogniser.stopped() || same.is_some_and(|(_, probability)| *probability >= SURELY_TEXT)
    });
    Ok(Reading {
        // What cannot be read has no side that is up.
        turn: if lines.is_empty() { 0 } else { turn },
        lines: order::in_order(lines, turn),
        unread,
        stopped: recogniser.stopped(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Point;

    fn line(text: &str, confidence: f32, height: f32) -> Line {
        Line {
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
        }
    }

    #[test]
    fn lines_in_letters_that_are_not_known_are_unread() {
        let count = |lines: Vec<Line>| {
            let (read, unread) = sorted(lines, 400.0, false);
            (read.len(), unread.len())
        };
        // Of Cyrillic the recogniser sees the marks only, and is sure of them.
        assert_eq!(
            count(vec![line(", ;", 0.94, 4.0), line("Exit to the hall", 0.97, 5.0)]),
            (1, 1)
        );
        // Of other scripts it makes up letters, and is not.
        assert_eq!(
            count((0..4).map(|_| line("RR市HRa 3i TR", 0.58, 5.0)).collect()),
            (0, 4)
        );
        // One such line may be blurred; a short place may be a pattern.
        assert_eq!(count(vec![line("Exit to the hall", 0.58, 5.0)]), (1, 0));
        assert_eq!(count(vec![line("", 0.0, 80.0)]), (0, 0));
    }

    #[test]
    fn patterns_are_not_writing() {
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
