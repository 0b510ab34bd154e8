//! Which way the text is turned. Lines are found at any angle, but not which of their sides is up: that is tried where
//! the first guess reads badly, on a few lines, and what most of them say holds for the page.

use quartet_inference::GraphError;

use crate::Line;
use crate::characters::Written;
use crate::geometry::Slanted;
use crate::recognise::Recogniser;

/// Lines that are tried both ways.
const SAMPLE: usize = 8;
/// A sample that reads as well as this on average is the right way up.
const SURE: f32 = 0.88;
/// The other way must be better by this much.
const MARGIN: f32 = 0.08;
/// A single line that reads worse than this is tried the other way.
const DOUBTFUL: f32 = 0.65;
/// A place that is so many times as high as wide is a line from below to above or from above to below.
const TALL: f32 = 1.5;

/// Reads all places. Gives also how far the picture must be turned for its text, in quarter turns clockwise.
pub fn read(recogniser: &mut Recogniser<'_>, places: &[Slanted]) -> Result<(usize, Vec<Line>), GraphError> {
    // Of places that are neither wide nor tall nothing can be said; they follow the others.
    let weight = |tall: bool| -> f32 {
        places
            .iter()
            .filter(|place| is_tall(place) == tall)
            .map(|place| place.width)
            .sum()
    };
    let sideways = weight(true) > weight(false);
    // From below to above reads rightly after one turn clockwise: so it is with most pages that lie on their side.
    let (most, others): (Vec<_>, Vec<_>) = places.iter().copied().partition(|place| is_tall(place) == sideways);
    let first = most.iter().map(|place| level(place, sideways)).collect::<Vec<_>>();
    let flipped = upside_down(recogniser, &first)?;
    let turn = match (sideways, flipped) {
        (false, false) => 0,
        (true, false) => 1,
        (false, true) => 2,
        (true, true) => 3,
    };
    let side = if flipped { 2 } else { 0 };
    let mut all: Vec<Slanted> = first.iter().map(|place| place.seen_from(side)).collect();
    // Square places turn with the page; tall ones among wide ones are tried both ways below if they read badly.
    all.extend(others.iter().map(|place| level(place, !sideways).seen_from(side)));
    let mut written = recogniser.read(&all)?;
    let doubtful: Vec<usize> = (0..all.len())
        .filter(|index| written[*index].confidence < DOUBTFUL)
        .take(4 * SAMPLE)
        .collect();
    let turned: Vec<Slanted> = doubtful.iter().map(|index| all[*index].seen_from(2)).collect();
    for ((index, place), other) in doubtful.into_iter().zip(turned.clone()).zip(recogniser.read(&turned)?) {
        if other.confidence > written[index].confidence + MARGIN && other.confidence >= DOUBTFUL {
            (all[index], written[index]) = (place, other);
        }
    }
    let lines = all
        .into_iter()
        .zip(written)
        .map(|(place, Written { text, confidence })| Line {
            text,
            confidence,
            place,
            block: 0,
            row: 0,
        });
    Ok((turn, lines.collect()))
}

fn is_tall(place: &Slanted) -> bool {
    place.angle.abs() > std::f32::consts::FRAC_PI_4 && place.width >= TALL * place.height
}

/// Seen from the side that makes it a line from left to right, or for a tall one from below to above.
fn level(place: &Slanted, tall: bool) -> Slanted {
    use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    let wanted = if tall { -FRAC_PI_2 } else { 0.0 };
    (0..4)
        .map(|quarters| place.seen_from(quarters))
        .find(|seen| {
            let off = (seen.angle - wanted).rem_euclid(2.0 * PI);
            off <= FRAC_PI_4 + 0.001 || off >= 2.0 * PI - FRAC_PI_4
        })
        .unwrap_or(*place)
}

/// Whether the places read better from the other side.
fn upside_down(recogniser: &mut Recogniser<'_>, places: &[Slanted]) -> Result<bool, GraphError> {
    let mut sample: Vec<Slanted> = places.to_vec();
    // Long lines say most, very long ones take long.
    sample.sort_by(|a, b| score(b).total_cmp(&score(a)));
    sample.truncate(SAMPLE);
    if sample.is_empty() {
        return Ok(false);
    }
    let upright = average(&recogniser.read(&sample)?);
    if upright >= SURE {
        return Ok(false);
    }
    let flipped: Vec<_> = sample.iter().map(|place| place.seen_from(2)).collect();
    Ok(average(&recogniser.read(&flipped)?) > upright + MARGIN)
}

fn score(place: &Slanted) -> f32 {
    let length = place.width / place.height.max(1.0);
    if length > 16.0 { 16.0 / length } else { length }
}

fn average(written: &[Written]) -> f32 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for line in written {
        let length = line.text.chars().count() as f32 + 1.0;
        sum += line.confidence * length;
        weight += length;
    }
    if weight > 0.0 { sum / weight } else { 0.0 }
}
