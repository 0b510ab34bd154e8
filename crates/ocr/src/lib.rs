//! The text in a picture: where it is (`detect`), what it says (`recognise`, and `scripts` for letters that it does not know;
//! `choose` says which), which way it is turned (`turn`) and in which order it is read (`order`). It is a crate of its own because pictures and pages of
//! documents are read alike.

mod characters;
mod choose;
mod detect;
pub mod geometry;
pub mod models;
mod order;
mod picture;
mod recognise;
mod regions;
mod scripts;
mod sheet;
mod turn;

use quartet_inference::{GraphError, Graphs};

use geometry::Slanted;
pub use picture::Picture;
pub use scripts::Script;
use sheet::Sheet;

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

/// Where the detector is so sure, there is text: rows of round things pass for lines, too, but not as surely.
const SURELY_TEXT: f32 = 0.92;
/// What is shorter than a line is said to be perhaps text only where it is so sure.
const PERHAPS_TEXT: f32 = 0.9;

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
    /// The script whose own recogniser read it; none: the one of most scripts did.
    pub script: Option<Script>,
    /// Where it is, in pixels of the picture that was read, seen from the side from which it is read.
    pub place: Slanted,
    /// Lines of the same block belong together: a paragraph, a column, a table.
    pub block: usize,
    /// Lines of the same row are beside each other.
    pub row: usize,
}

/// A place with what looks like text and was not read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unread {
    /// Where it is, in pixels of the picture that was read.
    pub place: Slanted,
    /// How sure it is that it is text, 0 to 1.
    pub confidence: f32,
}

impl Unread {
    /// Whether it is text beyond reasonable doubt.
    pub fn is_sure(&self) -> bool {
        self.confidence >= SURELY_TEXT
    }
}

/// All text of a picture, in the order in which it is read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// The lines.
    pub lines: Vec<Line>,
    /// What looks like a line, and was not read: the script is not known, it is too faint, it is none, or the time was up.
    pub unread: Vec<Unread>,
    /// Whether the time was up before everything was read.
    pub stopped: bool,
    /// How far the picture must be turned clockwise for its text to stand upright, in quarter turns.
    pub turn: usize,
}

impl Reading {
    /// How many places of text beyond reasonable doubt were not read.
    pub fn surely_unread(&self) -> usize {
        self.unread
            .iter()
            .filter(|unread| self.stopped || unread.is_sure())
            .count()
    }

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

/// Whether a place is so long for what was read of it that most of it was not.
fn is_sparse(text: &str, place: &Slanted) -> bool {
    let characters = text.chars().filter(|character| !character.is_whitespace()).count() as f32;
    looks_like_a_line(place) && characters < SPARSE * place.width / place.height.max(1.0)
}

fn looks_like_a_line(place: &Slanted) -> bool {
    place.width >= LIKE_A_LINE * place.height
}

/// Parts what was read from what was not.
fn sorted(lines: Vec<Line>, shorter: f32, stopped: bool) -> (Vec<Line>, Vec<Line>) {
    let (mut sum, mut weight) = (0.0, 0.0);
    let by_the_first = |line: &&Line| line.script.is_none() && looks_like_a_line(&line.place);
    for line in lines.iter().filter(by_the_first) {
        let sparse = is_sparse(&line.text, &line.place);
        sum += line.place.width * if sparse { 0.0 } else { line.confidence };
        weight += line.place.width;
    }
    // One line says little about a picture's script, and single ones are often patterns. Where the time was up, nobody knows.
    let unknown = !stopped && weight > 0.0 && lines.len() >= 3 && sum / weight < UNKNOWN_SCRIPT;
    let known = |line: &Line| match line.script {
        Some(_) => line.confidence >= UNKNOWN_SCRIPT,
        // Nobody had the time to try another script.
        None => {
            !unknown && !stopped || line.confidence >= UNKNOWN_SCRIPT && line.text.chars().any(char::is_alphanumeric)
        }
    };
    lines
        .into_iter()
        .partition(|line| is_writing(line, shorter) && !is_sparse(&line.text, &line.place) && known(line))
}

/// Whether a place that was not read is listed: every one that has the shape of a line; what is shorter only where it is
/// most probably text, or where the time was up, because it may be a price that nobody looked at.
fn is_listed(line: &Line, confidence: f32, stopped: bool) -> bool {
    looks_like_a_line(&line.place) || confidence >= PERHAPS_TEXT || stopped && line.text.is_empty()
}

/// Reads a picture. When the time is up, it gives what has been read by then.
///
/// # Errors
/// When a model is missing or fails.
pub fn read(picture: &Picture, graphs: &dyn Graphs, time_is_up: TimeIsUp<'_>) -> Result<Reading, GraphError> {
    let found = detect::places(picture, graphs)?;
    let places: Vec<Slanted> = found.iter().map(|(place, _)| *place).collect();
    let mut sheet = Sheet::new(picture, graphs, time_is_up);
    let (turn, lines) = turn::read(&mut sheet, &places)?;
    let shorter = picture.width().min(picture.height()) as f32;
    let stopped = sheet.stopped();
    let (lines, others) = sorted(lines, shorter, stopped);
    let unread = others.into_iter().filter_map(|line| {
        // Turned or not, a place keeps its middle.
        let same = found.iter().find(|(found, _)| found.centre == line.place.centre);
        let confidence = same.map_or(0.0, |(_, probability)| *probability);
        is_listed(&line, confidence, stopped).then_some(Unread {
            place: line.place,
            confidence,
        })
    });
    let unread = unread.collect();
    Ok(Reading {
        // What cannot be read has no side that is up.
        turn: if lines.is_empty() { 0 } else { turn },
        lines: order::in_order(lines, turn),
        unread,
        stopped,
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
            script: None,
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
            let (read, others) = sorted(lines, 400.0, false);
            let listed = others.iter().filter(|line| is_listed(line, 0.6, false));
            (read.len(), listed.count())
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
    fn what_was_not_read_does_not_vanish() {
        // Whatever has the shape of a line; shorter places where they are most probably text, or nobody looked at them.
        for (height, confidence, stopped, expected) in [
            (20.0, 0.5, false, true),
            (50.0, 0.95, false, true),
            (50.0, 0.85, false, false),
            (50.0, 0.5, true, true),
        ] {
            assert_eq!(is_listed(&line("", 0.0, height), confidence, stopped), expected);
        }
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
