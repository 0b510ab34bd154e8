//! Orientation of the text, and its recognition that way. Lines are found at any angle, but not which of their sides is
//! up: that is tried where the first guess reads badly, on a few lines, and what most of them say holds for the page.

use quartet_inference::GraphError;

use crate::context::Context;
use crate::geometry::RotatedRect;
use crate::reading::Line;
use crate::script::Script;
use crate::transcription::Transcription;
use crate::{recognise, script_selection};

/// Lines that are tried both ways.
const SAMPLE_LINES: usize = 8;
/// Average confidence from which on a sample is the right way up.
const UPRIGHT_CONFIDENCE: f32 = 0.88;
/// Average confidence below which, both ways, a sample is in letters that the first recogniser does not know.
const KNOWN_SCRIPT_CONFIDENCE: f32 = 0.75;
/// Confidence by which the other way must be better.
const CONFIDENCE_MARGIN: f32 = 0.08;
/// Confidence below which a single line is tried the other way.
const DOUBTFUL_CONFIDENCE: f32 = 0.65;
/// Height over width from which on a place is a line from below to above or from above to below.
const MIN_TALL_ASPECT: f32 = 1.5;

/// Reads all places. Returns also the clockwise quarter turns by which the picture must be turned for its text.
///
/// # Errors
/// When a model is missing that all need, or one fails.
pub fn read(context: &mut Context<'_>, places: &[RotatedRect]) -> Result<(usize, Vec<Line>), GraphError> {
    // Places that are neither wide nor tall say nothing; they follow the others.
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
    let (flipped, script) = upside_down(context, &first)?;
    let turn = match (sideways, flipped) {
        (false, false) => 0,
        (true, false) => 1,
        (false, true) => 2,
        (true, true) => 3,
    };
    let side = if flipped { 2 } else { 0 };
    let mut all: Vec<RotatedRect> = first.iter().map(|place| place.seen_from(side)).collect();
    // Square places turn with the page; tall ones among wide ones are tried both ways below if they read badly.
    all.extend(others.iter().map(|place| level(place, !sideways).seen_from(side)));
    // From the top of the page, so that it is its end that is not read when the time is up.
    let upright = turn as f32 * std::f32::consts::FRAC_PI_2;
    all.sort_by(|a, b| a.centre.turned(upright).y.total_cmp(&b.centre.turned(upright).y));
    let mut written = script_selection::read(context, &all, script)?;
    let doubtful: Vec<usize> = (0..all.len())
        .filter(|index| written[*index].script.is_none() && written[*index].confidence < DOUBTFUL_CONFIDENCE)
        .take(4 * SAMPLE_LINES)
        .collect();
    let turned: Vec<RotatedRect> = doubtful.iter().map(|index| all[*index].seen_from(2)).collect();
    for ((index, place), other) in doubtful
        .into_iter()
        .zip(turned.clone())
        .zip(recognise::read(context, &turned)?)
    {
        if other.confidence > written[index].confidence + CONFIDENCE_MARGIN && other.confidence >= DOUBTFUL_CONFIDENCE {
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

fn is_tall(place: &RotatedRect) -> bool {
    place.angle.abs() > std::f32::consts::FRAC_PI_4 && place.width >= MIN_TALL_ASPECT * place.height
}

/// Turns a place so that it is a line from left to right, or for a tall one from below to above.
fn level(place: &RotatedRect, tall: bool) -> RotatedRect {
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

/// Returns true if the places read better from the other side, and the script that they are in if the first recogniser
/// does not know it.
fn upside_down(context: &mut Context<'_>, places: &[RotatedRect]) -> Result<(bool, Option<Script>), GraphError> {
    let upright = script_selection::sample(places, SAMPLE_LINES);
    if upright.is_empty() {
        return Ok((false, None));
    }
    let flipped: Vec<_> = upright.iter().map(|place| place.seen_from(2)).collect();
    let here = average(&recognise::read(context, &upright)?, &upright);
    if here >= UPRIGHT_CONFIDENCE {
        return Ok((false, None));
    }
    // Letters that the first recogniser does not know look like nothing to it from either side.
    let here_in = match here < KNOWN_SCRIPT_CONFIDENCE {
        true => script_selection::detect_script(context, &upright, &Script::ALL)?,
        false => None,
    };
    if let Some((script, says)) = here_in
        && says >= UPRIGHT_CONFIDENCE
    {
        return Ok((false, Some(script)));
    }
    let there = average(&recognise::read(context, &flipped)?, &flipped);
    if here.max(there) >= KNOWN_SCRIPT_CONFIDENCE {
        return Ok((there > here + CONFIDENCE_MARGIN, None));
    }
    let there_in = script_selection::detect_script(context, &flipped, &Script::ALL)?;
    Ok(match (here_in, there_in) {
        (None, None) => (there > here + CONFIDENCE_MARGIN, None),
        (Some((script, _)), None) => (false, Some(script)),
        (None, Some((script, _))) => (true, Some(script)),
        (Some(here), Some(there)) if there.1 > here.1 + CONFIDENCE_MARGIN => (true, Some(there.0)),
        (Some((script, _)), Some(_)) => (false, Some(script)),
    })
}

fn average(written: &[Transcription], places: &[RotatedRect]) -> f32 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for (written, place) in written.iter().zip(places) {
        let length = written.text.chars().count() as f32 + 1.0;
        sum += script_selection::score(written, place) * length;
        weight += length;
    }
    if weight > 0.0 { sum / weight } else { 0.0 }
}
