//! What a picture shows, in facts and in sentences made of them. A sentence says nothing that no fact holds.

pub mod colours;
pub mod kind;
mod sentences;

use quartet_inference::{GraphError, Graphs};

use crate::objects::{self, Tag, Thing};
use crate::picture::{Decoded, Picture};
use quartet_ocr::{Reading, TimeIsUp};

pub use sentences::{counted, describe, listed, position, unread};

/// Tags that are kept.
const TAGS: usize = 5;

/// Everything that was found in a picture. Places are in pixels of the picture that was worked on.
#[derive(Debug, Clone)]
pub struct Found {
    /// What sort of picture it is, and how sure that is.
    pub kind: (kind::Kind, f32),
    /// Its things.
    pub things: Vec<Thing>,
    /// The commonest colours of each thing.
    pub thing_colours: Vec<Option<&'static str>>,
    /// What the whole of it may show.
    pub tags: Vec<Tag>,
    /// Its text.
    pub reading: Reading,
    /// Its colours and its light.
    pub palette: colours::Palette,
}

/// Looks for everything.
///
/// # Errors
/// When a model is missing or fails.
pub fn find(decoded: &Decoded, graphs: &dyn Graphs, time_is_up: TimeIsUp<'_>) -> Result<Found, GraphError> {
    let picture = &decoded.picture;
    let things = objects::find(picture, graphs, objects::THRESHOLD, objects::MAXIMUM)?;
    let tags = objects::tags(picture, graphs, TAGS)?;
    let reading = quartet_ocr::read(picture, graphs, time_is_up)?;
    let palette = colours::palette(picture);
    let kind = kind::judge(&kind::signs(picture, &palette, &reading));
    let thing_colours = things.iter().map(|thing| colour(picture, thing)).collect();
    Ok(Found {
        kind,
        things,
        thing_colours,
        tags,
        reading,
        palette,
    })
}

/// The commonest colour in the middle of a thing: its box has background in its corners.
pub fn colour(picture: &Picture, thing: &Thing) -> Option<&'static str> {
    let bounds = thing.bounds;
    let left = (bounds.left + bounds.width() * 0.2) as usize;
    let top = (bounds.top + bounds.height() * 0.2) as usize;
    let width = ((bounds.width() * 0.6) as usize).min(picture.width().saturating_sub(left));
    let height = ((bounds.height() * 0.6) as usize).min(picture.height().saturating_sub(top));
    if width < 2 || height < 2 {
        return None;
    }
    colours::palette(&picture.part(left, top, width, height))
        .colours
        .first()
        .map(|share| share.name)
}
