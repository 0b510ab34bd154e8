//! Where text is: a model gives each pixel a probability to be text, and what hangs together is a line.

use quartet_inference::{Data, GraphError, Graphs, NamedTensor};

use crate::Picture;
use crate::geometry::Slanted;
use crate::models;
use crate::regions;

/// The model has seen text of common sizes: small pictures are enlarged to this length of their longer side, and large
/// ones reduced to [`LONGEST`], in pixels.
const SHORTEST: f32 = 960.0;
const LONGEST: f32 = 1504.0;
/// Enlarging more than so many times shows nothing new.
const MOST_ENLARGED: f32 = 3.0;
/// Where the text is found to be lower than this, in pixels of what the model saw, it looks once more at a larger copy.
const SMALL_TEXT: f32 = 13.0;
/// Pixels of the larger copy, which the model takes in at once.
const MOST_PIXELS: f32 = 1600.0 * 1600.0;
/// The model halves its input five times.
const MULTIPLE: f32 = 32.0;

/// The smallest rectangles around the lines of text, in the picture's pixels, longer side first, and how probable each is.
pub fn places(picture: &Picture, graphs: &dyn Graphs) -> Result<Vec<(Slanted, f32)>, GraphError> {
    let longer = picture.width().max(picture.height()) as f32;
    let factor = if longer < SHORTEST {
        (SHORTEST / longer).min(MOST_ENLARGED)
    } else {
        (LONGEST / longer).min(1.0)
    };
    let found = look(picture, factor, graphs)?;
    let largest = (MOST_PIXELS / (picture.width() * picture.height()) as f32)
        .sqrt()
        .min(1.0);
    let small = median_height(&found).is_some_and(|height| height * factor < SMALL_TEXT);
    if small && largest > factor * 1.15 {
        return look(picture, largest, graphs);
    }
    Ok(found)
}

fn look(picture: &Picture, factor: f32, graphs: &dyn Graphs) -> Result<Vec<(Slanted, f32)>, GraphError> {
    // Downwards, because the engine has a limit on what it takes.
    let side = |length: usize| ((length as f32 * factor / MULTIPLE).floor().max(1.0) * MULTIPLE) as usize;
    let (width, height) = (side(picture.width()), side(picture.height()));
    let seen = picture.resized(width, height);
    let input = models::tensor(
        vec![1, 3, height, width],
        Data::F32(models::planes(&seen, &models::CENTRED)),
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

fn median_height(places: &[(Slanted, f32)]) -> Option<f32> {
    let mut heights: Vec<f32> = places.iter().map(|(place, _)| place.height).collect();
    heights.sort_by(f32::total_cmp);
    heights.get(heights.len() / 2).copied()
}
