//! Filter of recognised lines: patterns that look like text, and lines in scripts that are not known.

use crate::geometry::RotatedRect;
use crate::reading::Line;
use crate::transcription::length;

/// Confidence below which a line is more likely a pattern than writing.
const MIN_LINE_CONFIDENCE: f32 = 0.5;
/// The same for one or two characters.
const MIN_SHORT_LINE_CONFIDENCE: f32 = 0.8;
/// Width over height from which on a place looks like a line, also where nothing in it can be read.
const MIN_LINE_ASPECT: f32 = 4.0;
/// Characters per height of a line below which it counts as not read. The recogniser writes nothing at letters that it
/// does not know, and is sure of the marks between them. Even wide letters give two.
const MIN_CHARACTERS_PER_HEIGHT: f32 = 0.3;
/// Average confidence of a picture's lines below which its script is unknown: what little was read of it is made up of
/// letters of another one.
const MIN_KNOWN_SCRIPT_CONFIDENCE: f32 = 0.7;
/// Probability of the detector from which on a place that is shorter than a line is listed as unread.
const MIN_SHORT_PLACE_PROBABILITY: f32 = 0.9;

/// Returns true if a line is writing. Round things look like an 8 and fences like AAAA: what is short must be surer,
/// and lower than a quarter of the picture.
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
        1 | 2 => line.confidence >= MIN_SHORT_LINE_CONFIDENCE && line.place.height < shorter / 4.0,
        _ => line.confidence >= MIN_LINE_CONFIDENCE && !same,
    }
}

/// Returns true if a place is so long for the text read in it that most of it was not read.
pub fn is_sparse(text: &str, place: &RotatedRect) -> bool {
    looks_like_a_line(place) && (length(text) as f32) < MIN_CHARACTERS_PER_HEIGHT * place.width / place.height.max(1.0)
}

fn looks_like_a_line(place: &RotatedRect) -> bool {
    place.width >= MIN_LINE_ASPECT * place.height
}

/// Splits lines into those that were read and those that were not. `shorter` is the shorter side of the picture.
pub fn split(lines: Vec<Line>, shorter: f32, stopped: bool) -> (Vec<Line>, Vec<Line>) {
    let (mut sum, mut weight) = (0.0, 0.0);
    let by_the_first = |line: &&Line| line.script.is_none() && looks_like_a_line(&line.place);
    for line in lines.iter().filter(by_the_first) {
        let sparse = is_sparse(&line.text, &line.place);
        sum += line.place.width * if sparse { 0.0 } else { line.confidence };
        weight += line.place.width;
    }
    // One line says little about a picture's script, and single ones are often patterns. Where the time was up, nobody
    // knows.
    let unknown = !stopped && weight > 0.0 && lines.len() >= 3 && sum / weight < MIN_KNOWN_SCRIPT_CONFIDENCE;
    let known = |line: &Line| match line.script {
        Some(_) => line.confidence >= MIN_KNOWN_SCRIPT_CONFIDENCE,
        // Nobody had the time to try another script.
        None => {
            !unknown && !stopped
                || line.confidence >= MIN_KNOWN_SCRIPT_CONFIDENCE && line.text.chars().any(char::is_alphanumeric)
        }
    };
    lines
        .into_iter()
        .partition(|line| is_writing(line, shorter) && !is_sparse(&line.text, &line.place) && known(line))
}

/// Returns true if a place that was not read is listed: every one that has the shape of a line; what is shorter only
/// where it is most probably text, or where the time was up, because it may be a price that nobody looked at.
pub fn is_listed(line: &Line, confidence: f32, stopped: bool) -> bool {
    looks_like_a_line(&line.place) || confidence >= MIN_SHORT_PLACE_PROBABILITY || stopped && line.text.is_empty()
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
            place: RotatedRect {
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
            let (read, others) = split(lines, 400.0, false);
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
