//! Analysis of a picture, and a description made of its facts. A sentence says nothing that no fact holds.

pub mod colours;
pub mod kind;
mod sentences;

use quartet_inference::{GraphError, Graphs};

use crate::objects::{self, DetectedObject, Tag};
use crate::picture::{Decoded, Picture};
use quartet_ocr::{Reading, TimeIsUp};

pub use sentences::{counted, describe, listed, position, unread};

/// Most tags that are kept.
const MAX_TAGS: usize = 5;
/// Share of the sides of a box on each side of its middle.
const CENTRE_MARGIN: f32 = 0.2;
/// Share of the sides of a box that is its middle.
const CENTRE_SHARE: f32 = 0.6;

/// Findings in a picture. Coordinates are in pixels of the picture that was worked on.
#[derive(Debug, Clone)]
pub struct Findings {
    /// Kind of the picture, with its confidence.
    pub kind: (kind::Kind, f32),
    /// Its objects.
    pub objects: Vec<DetectedObject>,
    /// Commonest colour of each object.
    pub object_colours: Vec<Option<&'static str>>,
    /// Classes that the whole of it may show.
    pub tags: Vec<Tag>,
    /// Its text.
    pub reading: Reading,
    /// Its colours and its light.
    pub palette: colours::Palette,
}

/// Runs all analyses on a picture.
///
/// # Errors
/// When a model is missing or fails.
pub fn find(decoded: &Decoded, graphs: &dyn Graphs, time_is_up: TimeIsUp<'_>) -> Result<Findings, GraphError> {
    let picture = &decoded.picture;
    let found = objects::find(picture, graphs, objects::DEFAULT_THRESHOLD, objects::MAX_OBJECTS)?;
    let tags = objects::tags(picture, graphs, MAX_TAGS)?;
    let reading = quartet_ocr::read(picture, graphs, time_is_up)?;
    let palette = colours::palette(picture);
    let kind = kind::classify(&kind::features(picture, &palette, &reading));
    let object_colours = found.iter().map(|object| colour(picture, object)).collect();
    Ok(Findings {
        kind,
        objects: found,
        object_colours,
        tags,
        reading,
        palette,
    })
}

/// Commonest colour in the middle of an object: its box has background in its corners.
pub fn colour(picture: &Picture, object: &DetectedObject) -> Option<&'static str> {
    let bounds = object.bounds;
    let left = (bounds.left + bounds.width() * CENTRE_MARGIN) as usize;
    let top = (bounds.top + bounds.height() * CENTRE_MARGIN) as usize;
    let width = ((bounds.width() * CENTRE_SHARE) as usize).min(picture.width().saturating_sub(left));
    let height = ((bounds.height() * CENTRE_SHARE) as usize).min(picture.height().saturating_sub(top));
    if width < 2 || height < 2 {
        return None;
    }
    colours::palette(&picture.part(left, top, width, height))
        .colours
        .first()
        .map(|share| share.name)
}
