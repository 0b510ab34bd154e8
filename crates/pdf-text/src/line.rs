//! Lines from text runs: spaces where there are gaps, and logical order of right-to-left text.

use super::characters;
use super::page_content::Area;
use super::text_runs::{PositionedChar, TextRun};

/// Least gap that is a space, in sizes of the font, in lines that have no spaces of their own.
const MIN_SPACE: f64 = 0.15;
/// The same in lines that have spaces.
const MIN_SPACE_BESIDE_SPACES: f64 = 0.24;
/// The same between characters of scripts without spaces.
const MIN_SPACE_UNSPACED: f64 = 0.5;

/// Line: text runs with about the same baseline.
#[derive(Debug, Clone)]
pub struct Line {
    /// Its text.
    pub text: String,
    /// Left end.
    pub x0: f64,
    /// Right end.
    pub x1: f64,
    /// Baseline.
    pub y: f64,
    /// Font size.
    pub size: f64,
    /// True if all of it is bold.
    pub bold: bool,
    /// True if all of it is monospaced.
    pub fixed: bool,
    /// Average width of a character.
    pub step: f64,
    /// Its bounds on the page, however it is turned there.
    pub area: Area,
}

impl Line {
    /// Creates a line of text runs; none if they are blank.
    pub fn new(mut runs: Vec<TextRun>) -> Option<Self> {
        runs.sort_by(|a, b| a.area.x0.total_cmp(&b.area.x0));
        let main = runs.iter().max_by(|a, b| a.chars.len().cmp(&b.chars.len()))?;
        let (y, size) = (main.y, main.size);
        let x0 = runs.iter().map(|run| run.area.x0).fold(f64::INFINITY, f64::min);
        let x1 = runs.iter().map(|run| run.area.x1).fold(f64::NEG_INFINITY, f64::max);
        let area = runs.iter().map(|run| run.area).reduce(|a, b| a.with(&b))?;
        let letters = || runs.iter().flat_map(|run| &run.chars).filter(|ch| !ch.is_space());
        let count = letters().count();
        let bold = count > 0 && letters().filter(|ch| ch.bold).count() * 10 >= count * 9;
        let fixed = count > 0 && letters().filter(|ch| ch.fixed).count() * 10 >= count * 9;
        let width: f64 = letters().map(|ch| ch.x1 - ch.x0).sum();
        #[expect(clippy::cast_precision_loss, reason = "characters of a line")]
        let step = if count > 0 { width / count as f64 } else { 0.5 * size };
        let chars: Vec<PositionedChar> = runs.into_iter().flat_map(|run| run.chars).collect();
        let text = text(&chars, y, size);
        (!text.trim().is_empty()).then_some(Self {
            text,
            x0,
            x1,
            y,
            size,
            bold,
            fixed,
            step,
            area,
        })
    }
}

/// Digits and signs with their superscript forms.
const SUPERSCRIPTS: [(&str, &str); 14] = [
    ("0", "⁰"),
    ("1", "¹"),
    ("2", "²"),
    ("3", "³"),
    ("4", "⁴"),
    ("5", "⁵"),
    ("6", "⁶"),
    ("7", "⁷"),
    ("8", "⁸"),
    ("9", "⁹"),
    ("+", "⁺"),
    ("-", "⁻"),
    ("−", "⁻"),
    ("n", "ⁿ"),
];

/// Text of characters from left to right, in a line with this baseline and font size.
pub fn text(chars: &[PositionedChar], y: f64, size: f64) -> String {
    let is_raised = |ch: &PositionedChar| ch.size < 0.85 * size && y - ch.y > 0.15 * size && !ch.is_space();
    // Some lines have a few spaces of their own that must not be broken, and gaps for the others.
    let spaced = chars.iter().filter(|ch| ch.is_space()).count() * 15 >= chars.len();
    let limit = if spaced {
        MIN_SPACE_BESIDE_SPACES
    } else {
        tracking(chars) + MIN_SPACE
    };
    let mut units: Vec<&str> = Vec::with_capacity(chars.len() + 8);
    let mut before: Option<&PositionedChar> = None;
    for ch in chars {
        if let Some(last) = before {
            let gap = (ch.x0 - last.x1) / last.size.max(ch.size).max(0.1);
            let unspaced = ends_unspaced(last) && starts_unspaced(ch);
            let limit = if unspaced { MIN_SPACE_UNSPACED } else { limit };
            let blank = last.is_space() || ch.is_space();
            let fixed = last.fixed && ch.fixed && !unspaced && gap > 1.0;
            if fixed {
                // Columns of program text.
                let columns = (gap * last.size.max(ch.size) / (ch.x1 - ch.x0).max(1.0))
                    .round()
                    .clamp(1.0, 60.0);
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 60")]
                let columns = columns as usize;
                (0..columns).for_each(|_| units.push(" "));
            } else if !blank && gap > limit {
                units.push(" ");
            } else if !blank && is_raised(last) && !is_raised(ch) && ch.text.chars().all(char::is_alphabetic) {
                // The sign of a note before the note.
                units.push(" ");
            }
        }
        if !(ch.is_space() && before.is_none_or(PositionedChar::is_space) && !ch.fixed) {
            let raised = if is_raised(ch) {
                SUPERSCRIPTS.iter().find(|(plain, _)| *plain == ch.text)
            } else {
                None
            };
            units.push(raised.map_or(ch.text.as_str(), |(_, raised)| raised));
        }
        before = Some(ch);
    }
    if units.iter().any(|unit| unit.chars().any(characters::is_right_to_left)) {
        reorder(&mut units);
    }
    units.concat()
}

fn ends_unspaced(ch: &PositionedChar) -> bool {
    ch.text.chars().next_back().is_some_and(characters::is_unspaced)
}

fn starts_unspaced(ch: &PositionedChar) -> bool {
    ch.text.chars().next().is_some_and(characters::is_unspaced)
}

/// Tracking: the distance between letters of a line that is set with wide spacing, in sizes of the font.
fn tracking(chars: &[PositionedChar]) -> f64 {
    let is_word = |ch: &PositionedChar| ch.text.chars().all(char::is_alphanumeric);
    let mut gaps: Vec<f64> = chars
        .windows(2)
        .filter(|pair| is_word(&pair[0]) && is_word(&pair[1]))
        .map(|pair| (pair[1].x0 - pair[0].x1) / pair[0].size.max(0.1))
        .collect();
    if gaps.len() < 5 {
        return 0.0;
    }
    gaps.sort_by(f64::total_cmp);
    // When nearly all gaps are wide, the narrow ones among them are between letters.
    let low = gaps[gaps.len() / 5];
    let middle = gaps[gaps.len() / 2];
    if low > 0.08 && middle > 0.15 {
        middle.min(0.8)
    } else {
        0.0
    }
}

/// Converts a line with right-to-left text from visual to logical order: rule L2 of the bidirectional
/// algorithm (UAX #9) backwards, for the levels that lines without explicit marks have.
fn reorder(units: &mut Vec<&str>) {
    let class = |unit: &str| {
        if unit.chars().any(characters::is_right_to_left) {
            Class::Right
        } else if unit.chars().any(char::is_alphanumeric) {
            Class::Left
        } else {
            Class::Neutral
        }
    };
    let classes: Vec<Class> = units.iter().map(|unit| class(unit)).collect();
    let count = |wanted: Class| classes.iter().filter(|found| **found == wanted).count();
    let right = count(Class::Right) >= count(Class::Left);
    let turned = if right { Class::Left } else { Class::Right };
    if right {
        units.reverse();
    }
    let classes: Vec<Class> = units.iter().map(|unit| class(unit)).collect();
    let mut at = 0;
    while at < units.len() {
        if classes[at] != turned {
            at += 1;
            continue;
        }
        // As far as the last of the kind, with what is neutral between them.
        let mut end = at + 1;
        let mut look = end;
        while look < units.len() && (classes[look] == turned || classes[look] == Class::Neutral) {
            if classes[look] == turned {
                end = look + 1;
            }
            look += 1;
        }
        units[at..end].reverse();
        at = end;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Left,
    Right,
    Neutral,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters of half their height, with gaps that are given in heights.
    fn chars(parts: &[(&str, f64)]) -> Vec<PositionedChar> {
        let mut x = 0.0;
        let mut found = Vec::new();
        for (text, gap) in parts {
            for c in text.chars() {
                let text = compact_str::CompactString::from_iter([c]);
                found.push(PositionedChar {
                    text,
                    x0: x,
                    x1: x + 5.0,
                    y: 0.0,
                    size: 10.0,
                    bold: false,
                    fixed: false,
                });
                x += 5.0;
            }
            x += gap * 10.0;
        }
        found
    }

    fn text_of(chars: &[PositionedChar]) -> String {
        text(chars, 0.0, 10.0)
    }

    #[test]
    fn raised_digits_are_raised_signs() {
        let mut line = chars(&[("m2", 0.0), ("1", 0.0), ("note", 0.0)]);
        for at in [1, 2] {
            line[at].size = 6.0;
            line[at].y = -4.0;
        }
        assert_eq!(text_of(&line), "m²¹ note");
        line[1].y = 1.0;
        assert_eq!(text_of(&line), "m2¹ note");
    }

    #[test]
    fn gaps_are_spaces() {
        assert_eq!(text_of(&chars(&[("two", 0.25), ("words", 0.0)])), "two words");
        assert_eq!(text_of(&chars(&[("ker", 0.05), ("ned", 0.0)])), "kerned");
        assert_eq!(text_of(&chars(&[("漢", 0.3), ("字", 0.0)])), "漢字");
    }

    #[test]
    fn wide_spacing_is_no_space() {
        let wide: Vec<(&str, f64)> = ["W", "I", "D", "E"].iter().map(|c| (*c, 0.3)).collect();
        let line = [wide.clone(), vec![("", 0.5)], wide].concat();
        assert_eq!(text_of(&chars(&line)), "WIDE WIDE");
    }

    #[test]
    fn right_to_left_lines_are_read_from_the_right() {
        // As on paper: the first word of the line stands at the right, the number in it is not turned.
        let words: Vec<(&str, f64)> = vec![("םלוע", 0.3), ("1948", 0.3), ("םולש", 0.0)];
        assert_eq!(text_of(&chars(&words)), "שלום 1948 עולם");
        assert_eq!(
            text_of(&chars(&[("say", 0.3), ("םולש", 0.3), ("twice", 0.0)])),
            "say שלום twice"
        );
    }
}
