//! Layout of recognised pages: their lines become characters with positions, so that columns, tables, paragraphs and
//! headings are found in scans as in any other text.

use std::f64::consts::FRAC_PI_2;

use compact_str::{CompactString, ToCompactString};
use unicode_width::UnicodeWidthChar;

use super::layout::{self, PageLayout};
use super::ocr::{RecognisedLine, RecognisedPage};
use super::page_content::{Glyph, PageContent};

/// Relative difference from the usual height below which lines are in the same size: the height of a recognised line
/// depends on its letters reaching up or down.
const SAME_SIZE_TOLERANCE: f64 = 0.25;
/// Size of the font over the height of the line as it was recognised.
const FONT_SIZE_RATIO: f64 = 0.8;
/// Distance from the middle of a line to its baseline, in sizes of the font.
const BASELINE_OFFSET: f64 = 0.29;
/// Average confidence below which lines are likely to have wrong letters.
const MIN_CERTAIN_CONFIDENCE: f32 = 0.8;

/// Lays out the text that was recognised in the picture of a page. `pixels` is the size of the picture, `page` that of
/// the page in points, and `why` the reason why it was recognised, as warnings begin.
pub fn apply(layout: &mut PageLayout, found: &RecognisedPage, pixels: (u32, u32), page: (f64, f64), why: &str) {
    let RecognisedPage {
        lines,
        unread,
        confidence,
        stopped,
    } = found;
    if lines.is_empty() {
        layout
            .warnings
            .push("The page has no text, and none was recognised in its picture.".into());
    } else {
        layout.is_recognised = true;
        let tilt = tilt(lines);
        layout.parts = layout::parts(PageContent {
            width: page.0,
            height: page.1,
            glyphs: glyphs(lines, page.0 / f64::from(pixels.0), tilt),
            ..PageContent::default()
        });
        layout::turn(&mut layout.parts, tilt);
        layout
            .warnings
            .push(format!("{why}; what is here was recognised in it."));
        if *confidence < MIN_CERTAIN_CONFIDENCE {
            layout.warnings.push("What was recognised is uncertain.".into());
        }
    }
    match unread {
        0 => {}
        1 => layout
            .warnings
            .push("A place that looks like a line could not be read.".into()),
        count => layout
            .warnings
            .push(format!("{count} places that look like lines could not be read.")),
    }
    if *stopped {
        layout
            .warnings
            .push("There was no time to read all of the page.".into());
    }
}

/// Angle of the lines of a page that was not scanned straight, in radians clockwise.
fn tilt(lines: &[RecognisedLine]) -> f64 {
    median(lines.iter().map(|line| (line.angle - quarter(line.angle), line.length)))
}

/// Characters with positions in points. The page is set straight: all lines run in one of the four directions.
fn glyphs(lines: &[RecognisedLine], scale: f64, tilt: f64) -> Vec<Glyph> {
    let usual = median(lines.iter().map(|line| (line.height, line.length)));
    let (sin, cos) = (-tilt).sin_cos();
    let mut glyphs = Vec::new();
    for line in lines {
        let (x, y) = (line.centre.0 * scale, line.centre.1 * scale);
        let centre = (x.mul_add(cos, -y * sin), x.mul_add(sin, y * cos));
        let direction = quarter(line.angle);
        let height = if (line.height / usual - 1.0).abs() < SAME_SIZE_TOLERANCE {
            usual
        } else {
            line.height
        };
        let (size, length) = (FONT_SIZE_RATIO * height * scale, line.length * scale);
        let (along, down) = ((direction.cos(), direction.sin()), (-direction.sin(), direction.cos()));
        // A place on the baseline, so far from its beginning.
        let at = |far: f64| {
            let (far, below) = (far - length / 2.0, BASELINE_OFFSET * size);
            let place = |centre: f64, along: f64, down: f64| centre + far * along + below * down;
            (place(centre.0, along.0, down.0), place(centre.1, along.1, down.1))
        };
        let widths: Vec<f64> = line.text.chars().map(width).collect();
        let unit = length / widths.iter().sum::<f64>().max(1.0);
        let mut far = 0.0;
        for (character, width) in line.text.chars().zip(widths) {
            glyphs.push(Glyph {
                text: if character.is_whitespace() {
                    CompactString::const_new(" ")
                } else {
                    character.to_compact_string()
                },
                start: at(far),
                end: at(far + width * unit),
                size,
                direction: direction.to_degrees().round().rem_euclid(360.0) as i16,
                bold: false,
                fixed: false,
            });
            far += width * unit;
        }
    }
    glyphs
}

/// Relative width of a character: those of East Asian scripts are twice as wide as others.
fn width(character: char) -> f64 {
    character.width().unwrap_or(1) as f64
}

/// Multiple of a quarter turn that is nearest to an angle.
fn quarter(angle: f64) -> f64 {
    (angle / FRAC_PI_2).round() * FRAC_PI_2
}

/// Weighted median; 0 of no values.
fn median(values: impl Iterator<Item = (f64, f64)>) -> f64 {
    let mut values: Vec<(f64, f64)> = values.collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = values.iter().map(|(_, weight)| weight).sum::<f64>() / 2.0;
    let mut sum = 0.0;
    values
        .iter()
        .find(|(_, weight)| {
            sum += weight;
            sum >= half
        })
        .map_or(0.0, |(value, _)| *value)
}
