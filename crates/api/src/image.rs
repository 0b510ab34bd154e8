//! Pictures: the fields and results of `/image/*`.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::Phrasing;

/// The name of the form's file part.
pub const FILE_PART: &str = "image";

/// The form's field with the least confidence of a thing.
pub const THRESHOLD_FIELD: &str = "threshold";

/// The values that it takes.
pub const THRESHOLDS: RangeInclusive<f64> = 0.05..=1.0;

/// The form's field with the largest number of things.
pub const MAXIMUM_FIELD: &str = "maximum";

/// Most things that are listed, unless the client asks for fewer.
pub const MAX_OBJECTS: usize = 100;

/// The form's field with the language of a description: a code such as `de`.
pub const LANGUAGE_FIELD: &str = "language";

/// An upright rectangle in pixels of the upright picture, from its left and upper edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Area {
    /// From the left.
    pub x: u32,
    /// From the top.
    pub y: u32,
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

/// Properties of a picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PictureFacts {
    /// Width of the upright picture in pixels.
    pub width: u32,
    /// Height of the upright picture in pixels.
    pub height: u32,
    /// `JPEG`, `PNG`, `WebP`, `GIF`, `BMP` or `TIFF`.
    pub format: String,
    /// `landscape`, `portrait` or `square`.
    pub orientation: String,
}

/// A line of text, or a cell of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TextLine {
    /// Recognised text.
    pub text: String,
    /// Confidence, 0 to 1.
    pub confidence: f32,
    /// Bounding box.
    #[serde(rename = "box")]
    pub area: Area,
    /// Its direction of reading in degrees, clockwise from left-to-right: −180 to 180.
    pub angle: f32,
    /// Lines with the same number belong together: a paragraph, a column, a table.
    pub block: u32,
    /// Lines with the same number stand beside each other.
    pub row: u32,
}

/// Region that looks like a line of text and was not read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UnreadLine {
    /// Bounding box.
    #[serde(rename = "box")]
    pub area: Area,
    /// Its direction in degrees, clockwise from left-to-right; which of its sides is up is not known.
    pub angle: f32,
    /// Confidence that it is text, 0 to 1: below 0.92 it may be a pattern.
    #[serde(default)]
    pub confidence: f32,
}

/// The result of `/image/extract-text`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TextResult {
    /// Identifier for questions about this picture.
    pub image_id: String,
    /// A sentence for a person.
    pub message: String,
    /// All text in the order in which it is read: a line each row, an empty line between blocks.
    pub text: String,
    /// The same in parts.
    pub lines: Vec<TextLine>,
    /// Regions that look like lines and were not read: another script, too faint, or out of time.
    #[serde(default)]
    pub unread: Vec<UnreadLine>,
    /// Reason why some text was not read; absent when everything was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// The average of the lines' confidences, by their length; absent without text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f32>,
    /// Clockwise rotation that makes the text upright: 0, 90, 180 or 270 degrees.
    pub turn: u32,
    /// The picture.
    pub picture: PictureFacts,
}

/// A thing in the picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Object {
    /// Label: one of the 80 classes of COCO.
    pub label: String,
    /// Confidence, 0 to 1.
    pub confidence: f32,
    /// Bounding box.
    #[serde(rename = "box")]
    pub area: Area,
    /// More exact name in English, such as `bald eagle`, where a second look gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// The result of `/image/detect-objects`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ObjectsResult {
    /// Identifier for questions about this picture.
    pub image_id: String,
    /// A sentence for a person.
    pub message: String,
    /// The things, the surest first.
    pub objects: Vec<Object>,
    /// Number of objects of each label.
    pub counts: BTreeMap<String, u32>,
    /// Number of objects.
    pub total: u32,
    /// The confidence that a thing had to have to be listed.
    pub threshold: f32,
    /// The picture.
    pub picture: PictureFacts,
}

/// A colour and how much of the picture has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ColourShare {
    /// Its name, such as `dark blue`.
    pub name: String,
    /// Its average, such as `#1a2b3c`.
    pub hex: String,
    /// The share of the picture's area, 0 to 1.
    pub share: f32,
}

/// The picture's light.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Light {
    /// The average lightness, 0 (black) to 1 (white).
    pub brightness: f32,
    /// The spread of lightness: the distance between its 5th and its 95th percentile, 0 to 1.
    pub contrast: f32,
    /// `dark`, `medium` or `bright`.
    pub level: String,
    /// True if there are no colours but greys.
    pub greyscale: bool,
}

/// Kind of picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Kind {
    /// `photo`, `document`, `screenshot`, `chart` or `drawing`.
    pub name: String,
    /// Confidence, 0 to 1.
    pub confidence: f32,
}

/// Candidate subject of the whole picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tag {
    /// One of the 1,000 classes of ImageNet.
    pub label: String,
    /// Confidence, 0 to 1.
    pub confidence: f32,
}

/// The result of `/image/analyze`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Analysis {
    /// Identifier for questions about this picture.
    pub image_id: String,
    /// Description in prose: each sentence says what one of the other fields holds; or where a language model that
    /// sees was asked, what it made of the picture and the fields.
    pub description: String,
    /// Kind of picture.
    pub kind: Kind,
    /// The things in it, the surest first.
    pub objects: Vec<Object>,
    /// Number of objects of each label.
    pub counts: BTreeMap<String, u32>,
    /// Candidate subjects of the whole picture, the likeliest first.
    pub tags: Vec<Tag>,
    /// The colours that cover most of it, the largest share first.
    pub colours: Vec<ColourShare>,
    /// Its light.
    pub light: Light,
    /// All text in it.
    pub text: String,
    /// The same in parts.
    pub lines: Vec<TextLine>,
    /// Regions that look like lines and were not read: another script, too faint, or out of time.
    #[serde(default)]
    pub unread: Vec<UnreadLine>,
    /// Reason why some text was not read; absent when everything was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// Provenance of the description's wording, where a language model was asked to rephrase it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrasing: Option<Phrasing>,
    /// The picture.
    pub picture: PictureFacts,
}

/// The JSON body of `/image/chat`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PictureQuestion {
    /// The question.
    #[cfg_attr(feature = "schema", schemars(length(min = 1), regex(pattern = r"\S")))]
    pub message: String,
    /// The picture it is about; without it, the last one of the session.
    #[serde(default)]
    pub image_id: Option<String>,
}

/// The JSON body of `/image/forget`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PictureToForget {
    /// The picture; without it, the last one of the session.
    #[serde(default)]
    pub image_id: Option<String>,
}

/// The result of `/image/forget`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PictureForgotten {
    /// The picture of which nothing is kept any more.
    pub image_id: String,
}

/// Evidence for an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Evidence {
    /// A line of text.
    Text {
        /// Recognised text.
        text: String,
        /// Confidence, 0 to 1.
        confidence: f32,
        /// Bounding box.
        #[serde(rename = "box")]
        area: Area,
    },
    /// A thing.
    Object {
        /// Label.
        label: String,
        /// Confidence, 0 to 1.
        confidence: f32,
        /// Bounding box.
        #[serde(rename = "box")]
        area: Area,
    },
    /// A field of the analysis.
    Fact {
        /// The field's name, such as `light`.
        field: String,
        /// Its value, for a person.
        value: String,
    },
}

/// The result of `/image/chat`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PictureAnswer {
    /// The picture that was asked about.
    pub image_id: String,
    /// The answer, or that nothing that was found answers the question.
    pub answer: String,
    /// True if what was found answers the question.
    pub answered: bool,
    /// Evidence for the answer.
    pub evidence: Vec<Evidence>,
    /// Provenance of the answer's wording, where a language model was asked to rephrase it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrasing: Option<Phrasing>,
}
