//! Text detection: a model gives each pixel a probability to be text, and connected pixels are a line.

use quartet_inference::{Data, GraphError, Graphs, NamedTensor};

use crate::geometry::RotatedRect;
use crate::models;
use crate::picture::Picture;
use crate::regions;

/// Longer side to which small pictures are enlarged, in pixels: the model was trained with text of common sizes.
const MIN_SIDE_PIXELS: f32 = 960.0;
/// Longer side to which large pictures are reduced, in pixels.
const MAX_SIDE_PIXELS: f32 = 1504.0;
/// Largest factor by which a picture is enlarged; more shows nothing new.
const MAX_ENLARGEMENT: f32 = 3.0;
/// Median height of lines, in pixels of the model's input, below which the model is run again on a larger copy.
const SMALL_TEXT_PIXELS: f32 = 13.0;
/// Pixels of the larger copy.
const MAX_INPUT_PIXELS: f32 = 1600.0 * 1600.0;
/// Least increase of the scale for which the model is run again.
const MIN_RESCALE: f32 = 1.15;
/// Multiple that the sides of the input must be of, in pixels: the model halves it five times.
const SIDE_MULTIPLE_PIXELS: f32 = 32.0;

/// Finds lines of text: the smallest rectangle around each, in the picture's pixels, longer side first, and its
/// probability.
pub fn places(picture: &Picture, graphs: &dyn Graphs) -> Result<Vec<(RotatedRect, f32)>, GraphError> {
    let longer = picture.width().max(picture.height()) as f32;
    let factor = if longer < MIN_SIDE_PIXELS {
        (MIN_SIDE_PIXELS / longer).min(MAX_ENLARGEMENT)
    } else {
        (MAX_SIDE_PIXELS / longer).min(1.0)
    };
    let found = detect_at(picture, factor, graphs)?;
    let largest = (MAX_INPUT_PIXELS / (picture.width() * picture.height()) as f32)
        .sqrt()
        .min(1.0);
    let small = median_height(&found).is_some_and(|height| height * factor < SMALL_TEXT_PIXELS);
    if small && largest > factor * MIN_RESCALE {
        return detect_at(picture, largest, graphs);
    }
    Ok(found)
}

fn detect_at(picture: &Picture, factor: f32, graphs: &dyn Graphs) -> Result<Vec<(RotatedRect, f32)>, GraphError> {
    // Downwards, because the engine has a limit on what it takes.
    let side = |length: usize| {
        ((length as f32 * factor / SIDE_MULTIPLE_PIXELS).floor().max(1.0) * SIDE_MULTIPLE_PIXELS) as usize
    };
    let (width, height) = (side(picture.width()), side(picture.height()));
    let seen = picture.resized(width, height);
    let input = models::tensor(
        vec![1, 3, height, width],
        Data::F32(models::planes(&seen, &models::PP_OCR)),
    )?;
    let outputs = graphs.run(models::TEXT_DETECTION, vec![NamedTensor::new("x", input)], &[])?;
    let map = probabilities(outputs, width * height)?;
    let (x, y) = (
        picture.width() as f32 / width as f32,
        picture.height() as f32 / height as f32,
    );
    Ok(regions::find(&map, width)
        .into_iter()
        .map(|(region, probability)| (region.scaled(x, y), probability))
        .collect())
}

fn probabilities(outputs: Vec<NamedTensor>, length: usize) -> Result<Vec<f32>, GraphError> {
    match outputs.into_iter().next().map(|output| output.tensor.into_parts()) {
        Some((_, Data::F32(map))) if map.len() == length => Ok(map),
        _ => Err(GraphError::Failed(
            "text detection gave no map of the picture's size".to_owned(),
        )),
    }
}

fn median_height(places: &[(RotatedRect, f32)]) -> Option<f32> {
    let mut heights: Vec<f32> = places.iter().map(|(place, _)| place.height).collect();
    heights.sort_by(f32::total_cmp);
    heights.get(heights.len() / 2).copied()
}
