//! Analysis of a picture, and a description made of its facts. A sentence says nothing that no fact holds.

pub mod colours;
pub mod kind;
pub mod prose;
mod sentences;

use quartet_inference::{GraphError, Graphs};

use crate::objects::{self, DetectedObject, Tag};
use crate::picture::{Decoded, Picture};
use quartet_ocr::geometry::Bounds;
use quartet_ocr::{Reading, TimeIsUp};

pub use prose::describe;
pub use sentences::{capitalised, counted, listed, number_word, position, unread};

/// Most tags that are kept.
const MAX_TAGS: usize = 5;
/// Margin of a box that is not looked at for the colour of the object, as a share of its sides.
const MARGIN: f32 = 0.05;
/// Width of the ring around a box in which the colours behind the object are looked for, as a share of its sides.
const RING: f32 = 0.25;
/// Least size of that ring, as a share of the box.
const MIN_RING_SHARE: f32 = 0.2;

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

/// Colour of an object: the one that its box has most of beyond what is around it. A bicycle is thin, and most of its box
/// is what stands behind it.
pub fn colour(picture: &Picture, object: &DetectedObject) -> Option<&'static str> {
    let inside = colours::shares(&part(picture, &object.bounds, -MARGIN)?);
    // What is around it and in it, of which the inside is taken off again.
    let outer = part(picture, &object.bounds, RING)?;
    let inner = part(picture, &object.bounds, 0.0)?;
    let (all, own) = (pixels(&outer), pixels(&inner));
    let [outer, inner] = [outer, inner].map(|part| colours::shares(&part));
    let ring = all - own;
    let around = |name: &str| {
        if ring < MIN_RING_SHARE * own {
            return 0.0;
        }
        let share = |shares: &[(&str, f32)]| {
            shares
                .iter()
                .find(|(known, _)| *known == name)
                .map_or(0.0, |(_, share)| *share)
        };
        ((share(&outer) * all - share(&inner) * own) / ring).max(0.0)
    };
    inside
        .iter()
        .map(|(name, share)| (*name, share - around(name)))
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(name, _)| name)
}

fn pixels(picture: &Picture) -> f32 {
    (picture.width() * picture.height()) as f32
}

/// Part of a picture in a box that is larger on each side by a share of the box, as far as the picture has it.
fn part(picture: &Picture, bounds: &Bounds, larger: f32) -> Option<Picture> {
    let (x, y) = (bounds.width() * larger, bounds.height() * larger);
    let inside = |at: f32, most: usize| at.clamp(0.0, most as f32) as usize;
    let (left, right) = (
        inside(bounds.left - x, picture.width()),
        inside(bounds.right + x, picture.width()),
    );
    let (top, bottom) = (
        inside(bounds.top - y, picture.height()),
        inside(bounds.bottom + y, picture.height()),
    );
    (right > left + 1 && bottom > top + 1).then(|| picture.part(left, top, right - left, bottom - top))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thin_thing_has_its_own_colour_and_not_that_of_what_is_behind_it() {
        // A red frame of two pixels on a grey wall.
        let mut pixels = vec![128; 100 * 100 * 3];
        for y in 30..70_usize {
            for x in 30..70_usize {
                if !(34..66).contains(&x) || !(34..66).contains(&y) {
                    pixels[(y * 100 + x) * 3..][..3].copy_from_slice(&[220, 20, 20]);
                }
            }
        }
        let picture = Picture::new(100, 100, pixels).unwrap();
        let object = DetectedObject {
            class: 1,
            confidence: 0.9,
            bounds: Bounds {
                left: 28.0,
                top: 28.0,
                right: 72.0,
                bottom: 72.0,
            },
            finer: None,
        };
        assert_eq!(colour(&picture, &object), Some("red"));
        let all = DetectedObject {
            bounds: Bounds {
                left: 0.0,
                top: 0.0,
                right: 100.0,
                bottom: 100.0,
            },
            ..object
        };
        assert_eq!(colour(&picture, &all), Some("grey"));
    }
}
