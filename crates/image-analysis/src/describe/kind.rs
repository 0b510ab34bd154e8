//! Kind of a picture, by features that need no model: how flat its colours are, how many there are, how much of it is
//! text, and how many of its edges are level or upright.

use super::colours::Palette;
use crate::picture::Picture;
use quartet_ocr::Reading;

/// Difference of the sums of channels above which there is an edge.
const MIN_EDGE_STEP: i32 = 60;
/// Variation of that difference along a ruled line, excluded.
const MAX_RULE_VARIATION: i32 = 12;

/// Kind of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Photograph.
    Photo,
    /// Page of text.
    Document,
    /// Picture of a screen.
    Screenshot,
    /// Diagram with axes or bars.
    Chart,
    /// Drawing or logo.
    Drawing,
}

impl Kind {
    /// Name in the API.
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

/// Features of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Features {
    /// Share of the area that lines of text take.
    pub text: f32,
    /// Share of lines that are numbers.
    pub numbers: f32,
    /// Number of lines of text.
    pub lines: usize,
    /// Share of the commonest colour.
    pub flatness: f32,
    /// Share of pixels that equal their right neighbours.
    pub smooth: f32,
    /// Share of strong edges that are exactly level or upright and go on for a while.
    pub ruled: f32,
    /// Share of possible colours that occur.
    pub variety: f32,
    /// Average lightness.
    pub brightness: f32,
}

/// Computes the features of a picture.
pub fn features(picture: &Picture, palette: &Palette, reading: &Reading) -> Features {
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
            if step(x) > MIN_EDGE_STEP {
                edges += 1;
                // A line that somebody ruled has the same step all along.
                ruled += u32::from((1..8).all(|further| (step(x + further) - step(x)).abs() < MAX_RULE_VARIATION));
            }
        }
    }
    let share = |part: u32, whole: u32| part as f32 / whole.max(1) as f32;
    Features {
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

/// Classifies a picture. The second value is the confidence, 0 to 1, by the distance of its score from the next one.
pub fn classify(features: &Features) -> (Kind, f32) {
    let high = |value: f32, from: f32, to: f32| ((value - from) / (to - from)).clamp(0.0, 1.0);
    let drawn = high(features.smooth, 0.3, 0.6);
    let written = high(features.text, 0.06, 0.25) * high(features.lines as f32, 1.0, 6.0);
    let scores = [
        (
            Kind::Photo,
            0.25 + 1.2 * (1.0 - drawn) + 0.3 * high(features.variety, 0.05, 0.2) - 0.9 * written,
        ),
        // Paper is light, and little else is on it; also when it was photographed.
        (
            Kind::Document,
            1.8 * written + 0.3 * high(features.brightness, 0.5, 0.85)
                - 0.8 * (1.0 - high(features.brightness, 0.2, 0.5))
                - 0.8 * high(features.variety, 0.12, 0.3)
                - 0.5 * high(features.ruled, 0.15, 0.5),
        ),
        (
            Kind::Screenshot,
            0.5 * drawn
                + 0.7 * high(features.ruled, 0.1, 0.4)
                + 0.3 * high(features.lines as f32, 2.0, 10.0)
                + 0.4 * high(features.variety, 0.03, 0.15)
                - 0.6 * high(features.text, 0.2, 0.4),
        ),
        (
            Kind::Chart,
            0.7 * drawn
                + 0.9 * high(features.numbers, 0.25, 0.6) * high(features.lines as f32, 3.0, 8.0)
                + 0.4 * high(features.ruled, 0.05, 0.3)
                - high(features.text, 0.1, 0.25),
        ),
        (
            Kind::Drawing,
            0.9 * drawn + 0.4 * (1.0 - high(features.lines as f32, 0.0, 5.0)) - 0.3 * high(features.variety, 0.1, 0.3),
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

    /// Features that were measured of pictures of each kind.
    #[test]
    fn pictures_are_of_the_kind_that_their_features_say() {
        let features = |text, numbers, lines, flatness, smooth, ruled, variety, brightness| Features {
            text,
            numbers,
            lines,
            flatness,
            smooth,
            ruled,
            variety,
            brightness,
        };
        for (name, features, expected) in [
            ("a cat", features(0.0, 0.0, 0, 0.05, 0.06, 0.0, 0.06, 0.47), Kind::Photo),
            (
                "a rocket at night",
                features(0.0, 0.0, 0, 0.16, 0.37, 0.0, 0.13, 0.24),
                Kind::Photo,
            ),
            (
                "a motorcycle with letters",
                features(0.0, 0.0, 3, 0.05, 0.01, 0.01, 0.22, 0.42),
                Kind::Photo,
            ),
            (
                "a scanned page",
                features(0.73, 0.0, 7, 0.23, 0.23, 0.01, 0.0, 0.67),
                Kind::Document,
            ),
            (
                "a rendered page",
                features(0.37, 0.0, 37, 0.91, 0.90, 0.0, 0.0, 0.94),
                Kind::Document,
            ),
            (
                "a receipt",
                features(0.15, 0.43, 21, 0.86, 0.94, 0.06, 0.01, 0.84),
                Kind::Document,
            ),
            (
                "a logo",
                features(0.0, 0.0, 0, 0.30, 0.54, 0.0, 0.03, 0.77),
                Kind::Drawing,
            ),
        ] {
            assert_eq!(classify(&features).0, expected, "{name}");
        }
    }
}
