//! What sort of picture it is, told by what no model is needed for: how flat its colours are, how many there are, how
//! much of it is text, and how many of its edges are level or upright.

use super::colours::Palette;
use crate::picture::Picture;
use quartet_ocr::Reading;

/// A sort of picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Taken with a camera.
    Photo,
    /// A page of text.
    Document,
    /// Of a screen.
    Screenshot,
    /// A diagram with axes or bars.
    Chart,
    /// Drawn, or a logo.
    Drawing,
}

impl Kind {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Photo => "photo",
            Kind::Document => "document",
            Kind::Screenshot => "screenshot",
            Kind::Chart => "chart",
            Kind::Drawing => "drawing",
        }
    }
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signs {
    /// The share of the area that lines of text take.
    pub text: f32,
    /// The share of lines that are numbers.
    pub numbers: f32,
    /// Lines of text.
    pub lines: usize,
    /// The share of the commonest colour.
    pub flatness: f32,
    /// The share of pixels that are exactly as their right neighbours.
    pub smooth: f32,
    /// The share of strong edges that are exactly level or upright and go on for a while.
    pub ruled: f32,
    /// The share of possible colours that occur.
    pub variety: f32,
    /// Average lightness.
    pub brightness: f32,
}

/// Measures.
pub fn signs(picture: &Picture, palette: &Palette, reading: &Reading) -> Signs {
    let area = (picture.width() * picture.height()) as f32;
    let sure = || reading.unread.iter().filter(|unread| unread.is_sure());
    let text: f32 = reading
        .lines
        .iter()
        .map(|line| &line.place)
        .chain(sure().map(|unread| &unread.place))
        .map(|place| place.width * place.height)
        .sum();
    let numbers = reading.lines.iter().filter(|line| is_number(&line.text)).count();
    let (mut same, mut edges, mut ruled) = (0u32, 0u32, 0u32);
    let mut looked_at = 0u32;
    let luma = |x: usize, y: usize| picture.at(x, y).iter().map(|value| i32::from(*value)).sum::<i32>();
    for y in (1..picture.height().saturating_sub(1)).step_by(picture.height() / 300 + 1) {
        for x in 1..picture.width().saturating_sub(8) {
            looked_at += 1;
            same += u32::from(picture.at(x, y) == picture.at(x + 1, y));
            let step = |x: usize| (luma(x, y) - luma(x, y - 1)).abs();
            if step(x) > 60 {
                edges += 1;
                // A line that somebody ruled has the same step all along.
                ruled += u32::from((1..8).all(|further| (step(x + further) - step(x)).abs() < 12));
            }
        }
    }
    let share = |part: u32, whole: u32| part as f32 / whole.max(1) as f32;
    Signs {
        text: (text / area).min(1.0),
        numbers: numbers as f32 / reading.lines.len().max(1) as f32,
        lines: reading.lines.len() + sure().count(),
        flatness: palette.flatness,
        smooth: share(same, looked_at),
        ruled: share(ruled, edges),
        variety: palette.variety,
        brightness: palette.light.brightness,
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    digits > 0 && digits * 2 >= text.chars().count()
}

/// Judges. The second value is how sure it is, 0 to 1: how far what speaks for it is ahead of what speaks for the next.
pub fn judge(signs: &Signs) -> (Kind, f32) {
    let high = |value: f32, from: f32, to: f32| ((value - from) / (to - from)).clamp(0.0, 1.0);
    let drawn = high(signs.smooth, 0.3, 0.6);
    let written = high(signs.text, 0.06, 0.25) * high(signs.lines as f32, 1.0, 6.0);
    let scores = [
        (
            Kind::Photo,
            0.25 + 1.2 * (1.0 - drawn) + 0.3 * high(signs.variety, 0.05, 0.2) - 0.9 * written,
        ),
        // Paper is light, and little else is on it; also when it was photographed.
        (
            Kind::Document,
            1.8 * written + 0.3 * high(signs.brightness, 0.5, 0.85)
                - 0.8 * (1.0 - high(signs.brightness, 0.2, 0.5))
                - 0.8 * high(signs.variety, 0.12, 0.3)
                - 0.5 * high(signs.ruled, 0.15, 0.5),
        ),
        (
            Kind::Screenshot,
            0.5 * drawn
                + 0.7 * high(signs.ruled, 0.1, 0.4)
                + 0.3 * high(signs.lines as f32, 2.0, 10.0)
                + 0.4 * high(signs.variety, 0.03, 0.15)
                - 0.6 * high(signs.text, 0.2, 0.4),
        ),
        (
            Kind::Chart,
            0.7 * drawn
                + 0.9 * high(signs.numbers, 0.25, 0.6) * high(signs.lines as f32, 3.0, 8.0)
                + 0.4 * high(signs.ruled, 0.05, 0.3)
                - high(signs.text, 0.1, 0.25),
        ),
        (
            Kind::Drawing,
            0.9 * drawn + 0.4 * (1.0 - high(signs.lines as f32, 0.0, 5.0)) - 0.3 * high(signs.variety, 0.1, 0.3),
        ),
    ];
    let mut sorted = scores;
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    let ahead = sorted[0].1 - sorted[1].1;
    (sorted[0].0, (0.5 + ahead).clamp(0.5, 0.99))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was measured of pictures of each sort.
    #[test]
    fn pictures_are_of_the_sort_that_their_signs_say() {
        let signs = |text, numbers, lines, flatness, smooth, ruled, variety, brightness| Signs {
            text,
            numbers,
            lines,
            flatness,
            smooth,
            ruled,
            variety,
            brightness,
        };
        for (name, signs, expected) in [
            ("a cat", signs(0.0, 0.0, 0, 0.05, 0.06, 0.0, 0.06, 0.47), Kind::Photo),
            (
                "a rocket at night",
                signs(0.0, 0.0, 0, 0.16, 0.37, 0.0, 0.13, 0.24),
                Kind::Photo,
            ),
            (
                "a motorcycle with letters",
                signs(0.0, 0.0, 3, 0.05, 0.01, 0.01, 0.22, 0.42),
                Kind::Photo,
            ),
            (
                "a scanned page",
                signs(0.73, 0.0, 7, 0.23, 0.23, 0.01, 0.0, 0.67),
                Kind::Document,
            ),
            (
                "a rendered page",
                signs(0.37, 0.0, 37, 0.91, 0.90, 0.0, 0.0, 0.94),
                Kind::Document,
            ),
            (
                "a receipt",
                signs(0.15, 0.43, 21, 0.86, 0.94, 0.06, 0.01, 0.84),
                Kind::Document,
            ),
            ("a logo", signs(0.0, 0.0, 0, 0.30, 0.54, 0.0, 0.03, 0.77), Kind::Drawing),
        ] {
            assert_eq!(judge(&signs).0, expected, "{name}");
        }
    }
}
