//! Conversion of findings to the fields of the API. Coordinates change here from the picture that was worked on to that
//! of the file.

use std::collections::BTreeMap;

use quartet_api::image::{Area, ColourShare, Light, Object, PictureFacts, Tag, TextLine, UnreadLine};

use crate::describe::colours::Palette;
use crate::objects::{DetectedObject, Tag as ImageTag};
use crate::picture::Decoded;
use quartet_ocr::geometry::{Bounds, RotatedRect};
use quartet_ocr::{Line, Reading};

/// Brightness below which a picture is dark.
const DARK_BRIGHTNESS: f32 = 0.3;
/// Brightness from which on a picture is bright.
const BRIGHT_BRIGHTNESS: f32 = 0.65;
/// Least confidence of a tag that is listed.
const MIN_TAG_CONFIDENCE: f32 = 0.05;

/// Orientation of a picture: `landscape`, `portrait` or `square`.
pub fn orientation(width: usize, height: usize) -> &'static str {
    match width.cmp(&height) {
        std::cmp::Ordering::Greater => "landscape",
        std::cmp::Ordering::Less => "portrait",
        std::cmp::Ordering::Equal => "square",
    }
}

/// Level of brightness: `dark`, `medium` or `bright`.
pub fn level(brightness: f32) -> &'static str {
    match brightness {
        brightness if brightness < DARK_BRIGHTNESS => "dark",
        brightness if brightness < BRIGHT_BRIGHTNESS => "medium",
        _ => "bright",
    }
}

/// Facts about the picture.
pub fn picture(decoded: &Decoded) -> PictureFacts {
    PictureFacts {
        width: decoded.width as u32,
        height: decoded.height as u32,
        format: decoded.format.name().to_owned(),
        orientation: orientation(decoded.width, decoded.height).to_owned(),
    }
}

fn area(decoded: &Decoded, bounds: &Bounds) -> Area {
    let scale = decoded.scale();
    let inside = |at: f32, most: usize| (at * scale).round().clamp(0.0, most as f32) as u32;
    let (left, right) = (inside(bounds.left, decoded.width), inside(bounds.right, decoded.width));
    let (top, bottom) = (
        inside(bounds.top, decoded.height),
        inside(bounds.bottom, decoded.height),
    );
    Area {
        x: left,
        y: top,
        width: right - left,
        height: bottom - top,
    }
}

/// Rounds a confidence to two digits: they are all that it means.
pub fn rounded(confidence: f32) -> f32 {
    (confidence * 100.0).round() / 100.0
}

/// Direction of reading in degrees.
fn angle(place: &RotatedRect) -> f32 {
    let angle = (place.angle.to_degrees() + 180.0).rem_euclid(360.0) - 180.0;
    (angle * 10.0).round() / 10.0
}

/// Converts a line.
fn line(decoded: &Decoded, line: &Line) -> TextLine {
    TextLine {
        text: line.text.clone(),
        confidence: rounded(line.confidence),
        area: area(decoded, &line.place.bounds()),
        angle: angle(&line.place),
        block: line.block as u32,
        row: line.row as u32,
    }
}

/// Converts the lines.
pub fn lines(decoded: &Decoded, reading: &Reading) -> Vec<TextLine> {
    reading.lines.iter().map(|each| line(decoded, each)).collect()
}

/// Converts the places that look like lines and were not read.
pub fn unread(decoded: &Decoded, reading: &Reading) -> Vec<UnreadLine> {
    let unread = reading.unread.iter().map(|unread| UnreadLine {
        area: area(decoded, &unread.place.bounds()),
        angle: angle(&unread.place),
        confidence: rounded(unread.confidence),
    });
    unread.collect()
}

/// Converts the objects.
pub fn objects(decoded: &Decoded, objects: &[DetectedObject]) -> Vec<Object> {
    objects
        .iter()
        .map(|object| Object {
            label: object.label().to_owned(),
            confidence: rounded(object.confidence),
            area: area(decoded, &object.bounds),
            name: object.finer.map(str::to_owned),
        })
        .collect()
}

/// Number of objects of each label.
pub fn counts(objects: &[Object]) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for object in objects {
        *counts.entry(object.label.clone()).or_default() += 1;
    }
    counts
}

/// Converts the tags of the whole picture, without improbable ones.
pub fn tags(tags: &[ImageTag]) -> Vec<Tag> {
    tags.iter()
        .filter(|tag| tag.confidence >= MIN_TAG_CONFIDENCE)
        .map(|tag| Tag {
            label: tag.label.to_owned(),
            confidence: rounded(tag.confidence),
        })
        .collect()
}

/// Converts the colours.
pub fn colours(palette: &Palette) -> Vec<ColourShare> {
    palette
        .colours
        .iter()
        .map(|colour| {
            let [red, green, blue] = colour.average;
            ColourShare {
                name: colour.name.to_owned(),
                hex: format!("#{red:02x}{green:02x}{blue:02x}"),
                share: rounded(colour.share),
            }
        })
        .collect()
}

/// Converts the light.
pub fn light(palette: &Palette) -> Light {
    Light {
        brightness: rounded(palette.light.brightness),
        contrast: rounded(palette.light.contrast),
        level: level(palette.light.brightness).to_owned(),
        greyscale: palette.light.greyscale,
    }
}
