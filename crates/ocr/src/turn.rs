//! Which way the text is turned. Lines are found at any angle, but not which of their sides is up: that is tried where
//! the first guess reads badly, on a few lines, and what most of them say holds for the page.

use quartet_inference::GraphError;

use crate::characters::Written;
use crate::geometry::Slanted;
use crate::scripts::Script;
use crate::sheet::Sheet;
use crate::{Line, choose, recognise};

/// Lines that are tried both ways.
const SAMPLE: usize = 8;
/// A sample that reads as well as this on average is the right way up.
const SURE: f32 = 0.88;
/// A sample that reads worse than this both ways is in letters that the first recogniser does not know.
const LEGIBLE: f32 = 0.75;
/// The other way must be better by this much.
const MARGIN: f32 = 0.08;
/// A single line that reads worse than this is tried the other way.
const DOUBTFUL: f32 = 0.65;
/// A place that is so many times as high as wide is a line from below to above or from above to below.
const TALL: f32 = 1.5;

/// Reads all places. Gives also how far the picture must be turned for its text, in quarter turns clockwise.
///
/// # Errors
/// When a model is missing that all need, or one fails.
pub fn read(sheet: &mut Sheet<'_>, places: &[Slanted]) -> Result<(usize, Vec<Line>), GraphError> {
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
    let (flipped, script) = side(sheet, &first)?;
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
    // From the top of the page, so that it is its end that is not read when the time is up.
    let upright = turn as f32 * std::f32::consts::FRAC_PI_2;
    all.sort_by(|a, b| a.centre.turned(upright).y.total_cmp(&b.centre.turned(upright).y));
    let mut written = choose::read(sheet, &all, script)?;
    let doubtful: Vec<usize> = (0..all.len())
        .filter(|index| written[*index].script.is_none() && written[*index].confidence < DOUBTFUL)
        .take(4 * SAMPLE)
        .collect();
    let turned: Vec<Slanted> = doubtful.iter().map(|index| all[*index].seen_from(2)).collect();
    for ((index, place), other) in doubtful
        .into_iter()
        .zip(turned.clone())
        .zip(recognise::read(sheet, &turned)?)
    {
        if other.confidence > written[index].confidence + MARGIN && other.confidence >= DOUBTFUL {
            (all[index], written[index]) = (place, other);
        }
    }
    let lines = all.into_iter().zip(written).map(|(place, written)| Line {
        text: written.text,
        confidence: written.confidence,
        script: written.script,
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

/// Whether the places read better from the other side, and the script that they are in if the first recogniser does not
/// know it.
fn side(sheet: &mut Sheet<'_>, places: &[Slanted]) -> Result<(bool, Option<Script>), GraphError> {
    let upright = choose::sample(places, SAMPLE);
    if upright.is_empty() {
        return Ok((false, None));
    }
    let flipped: Vec<_> = upright.iter().map(|place| place.seen_from(2)).collect();
    let here = average(&recognise::read(sheet, &upright)?, &upright);
    if here >= SURE {
        return Ok((false, None));
    }
    // Letters that the first recogniser does not know look like nothing to it from either side.
    let here_in = match here < LEGIBLE {
        true => choose::script_of(sheet, &upright, &Script::ALL)?,
        false => None,
    };
    if let Some((script, says)) = here_in
        && says >= SURE
    {
        return Ok((false, Some(script)));
    }
    let there = average(&recognise::read(sheet, &flipped)?, &flipped);
    if here.max(there) >= LEGIBLE {
        return Ok((there > here + MARGIN, None));
    }
    let there_in = choose::script_of(sheet, &flipped, &Script::ALL)?;
    Ok(match (here_in, there_in) {
        (None, None) => (there > here + MARGIN, None),
        (Some((script, _)), None) => (false, Some(script)),
        (None, Some((script, _))) => (true, Some(script)),
        (Some(here), Some(there)) if there.1 > here.1 + MARGIN => (true, Some(there.0)),
        (Some((script, _)), Some(_)) => (false, Some(script)),
    })
}

fn average(written: &[Written], places: &[Slanted]) -> f32 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for (written, place) in written.iter().zip(places) {
        let length = written.text.chars().count() as f32 + 1.0;
        sum += choose::worth(written, place) * length;
        weight += length;
    }
    if weight > 0.0 { sum / weight } else { 0.0 }
}
