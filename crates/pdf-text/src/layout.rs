//! Layout of a page: its parts in reading order, with their lines.

use quartet_text_analysis::Link;

use super::lattice;
use super::line::Line;
use super::page_content::{Area, PageContent};
use super::paragraphs;
use super::reading_order::{self, Region};
use super::table;
use super::text_runs::{self, PositionedChar, TextRun};

/// Part of a page.
#[derive(Debug)]
pub enum Part {
    /// Lines of text.
    Lines(Vec<Line>),
    /// Text of a table, and its bounds on the page.
    Table(String, Area),
    /// Lines that run in another direction than the page's.
    Turned(Vec<Line>),
}

/// Page with its parts.
#[derive(Debug, Default)]
pub struct PageLayout {
    /// Its number, from 1.
    pub number: usize,
    /// Its width, in points.
    pub width: f64,
    /// Its height, in points.
    pub height: f64,
    /// Its parts in reading order.
    pub parts: Vec<Part>,
    /// Lines that repeat at the top of pages.
    pub headers: Vec<Line>,
    /// Lines that repeat at the bottom of pages.
    pub footers: Vec<Line>,
    /// Values of fields and notes that no content shows.
    pub notes: Vec<String>,
    /// Its links.
    pub links: Vec<Link>,
    /// True if its text was recognised in a picture.
    pub is_recognised: bool,
    /// Warnings about what could not be read well.
    pub warnings: Vec<String>,
}

impl PageLayout {
    /// Its lines, those of each part after a blank one.
    pub fn text(&self) -> String {
        let parts = self.parts.iter().map(|part| match part {
            Part::Table(text, _) => text.clone(),
            Part::Lines(lines) | Part::Turned(lines) => {
                let lines: Vec<&str> = lines.iter().map(|line| line.text.trim_end()).collect();
                lines.join("\n")
            }
        });
        let parts: Vec<String> = parts.filter(|part| !part.trim().is_empty()).collect();
        parts.join("\n\n")
    }
}

/// Finds the parts of a page in reading order.
pub fn parts(content: PageContent) -> Vec<Part> {
    let mut glyphs = content.glyphs;
    glyphs.retain(|glyph| !glyph.text.is_empty());
    let main = main_direction(glyphs.iter().map(|glyph| glyph.direction));
    let mut directions: Vec<i16> = glyphs.iter().map(|glyph| glyph.direction).collect();
    directions.sort_unstable();
    directions.dedup();
    directions.sort_by_key(|direction| *direction != main);
    let right_to_left = {
        let letters = glyphs
            .iter()
            .filter_map(|glyph| glyph.text.chars().next())
            .filter(|c| c.is_alphabetic());
        let (right, left): (Vec<char>, Vec<char>) = letters.partition(|c| super::characters::is_right_to_left(*c));
        right.len() > left.len()
    };
    let mut parts = Vec::new();
    for direction in directions {
        let before = parts.len();
        let (here, rest): (Vec<_>, Vec<_>) = glyphs.into_iter().partition(|glyph| glyph.direction == direction);
        glyphs = rest;
        let found = text_runs::text_runs(here.into_iter().map(PositionedChar::new));
        if direction != main {
            let lines = paragraphs::lines(found);
            if !lines.is_empty() {
                parts.push(Part::Turned(lines));
            }
            turn(&mut parts[before..], f64::from(direction).to_radians());
            continue;
        }
        let rules: &[Area] = if main == 0 { &content.rules } else { &[] };
        let (first, found, last) = if main == 0 {
            edges(found, content.height)
        } else {
            (None, found, None)
        };
        parts.extend(first);
        for region in reading_order::arrange(lattice::take(found, rules), right_to_left) {
            let part = match region {
                Region::Text(runs) => Part::Lines(paragraphs::lines(runs)),
                Region::Table(runs) => match bounds(&runs) {
                    Some(area) => Part::Table(table::text(runs, rules), area),
                    None => continue,
                },
                Region::Cells(text, area) => Part::Table(text, area),
            };
            let empty = match &part {
                Part::Lines(lines) | Part::Turned(lines) => lines.is_empty(),
                Part::Table(text, _) => text.trim().is_empty(),
            };
            if !empty {
                parts.push(part);
            }
        }
        parts.extend(last);
        turn(&mut parts[before..], f64::from(direction).to_radians());
    }
    parts
}

/// Bounds of text runs, without any when there are none.
fn bounds(runs: &[TextRun]) -> Option<Area> {
    runs.iter().map(|run| run.area).reduce(|a, b| a.with(&b))
}

/// Turns the bounds of parts clockwise by an angle in radians: they were found in a frame in which their lines run
/// rightwards.
pub fn turn(parts: &mut [Part], angle: f64) {
    for part in parts {
        match part {
            Part::Lines(lines) | Part::Turned(lines) => {
                for line in lines {
                    line.area = line.area.turned(angle);
                }
            }
            Part::Table(_, area) => *area = area.turned(angle),
        }
    }
}

/// Direction of most characters.
fn main_direction(directions: impl Iterator<Item = i16>) -> i16 {
    let mut counts: Vec<(i16, usize)> = Vec::new();
    for direction in directions {
        match counts.iter_mut().find(|(known, _)| *known == direction) {
            Some((_, count)) => *count += 1,
            None => counts.push((direction, 1)),
        }
    }
    counts
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .map_or(0, |(direction, _)| direction)
}

/// Share of the height of the page, at its top and bottom, in which a line may be a header or footer.
const EDGE_HEIGHT_SHARE: f64 = 0.14;

/// Sets the outermost lines of a page apart, when they stand away from the others: they may be headers and footers, and
/// must not become a part of a column or table.
fn edges(runs: Vec<TextRun>, height: f64) -> (Option<Part>, Vec<TextRun>, Option<Part>) {
    let mut runs = runs;
    runs.sort_by(|a, b| a.y.total_cmp(&b.y));
    let (Some(top), Some(bottom)) = (runs.first(), runs.last()) else {
        return (None, runs, None);
    };
    let near = |a: &TextRun, b: &TextRun| (a.y - b.y).abs() < 0.35 * a.size.max(b.size);
    let first = runs.iter().take_while(|run| near(run, top)).count();
    let last = runs.iter().rev().take_while(|run| near(run, bottom)).count();
    if first + last >= runs.len() {
        return (None, runs, None);
    }
    let above = top.y < EDGE_HEIGHT_SHARE * height && runs[first].y - top.y > 1.9 * runs[first].size.max(top.size);
    let before_last = &runs[runs.len() - last - 1];
    let below = bottom.y > (1.0 - EDGE_HEIGHT_SHARE) * height
        && bottom.y - before_last.y > 1.9 * before_last.size.max(bottom.size);
    let part = |row: Vec<TextRun>| Part::Lines(paragraphs::lines(row));
    let foot = below.then(|| part(runs.split_off(runs.len() - last)));
    let head = above.then(|| part(runs.drain(..first).collect()));
    (head, runs, foot)
}
