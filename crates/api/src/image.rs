//! Pictures: the fields and results of `/image/*`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Phrasing;

/// The name of the form's file part.
pub const FILE_PART: &str = "image";

/// The form's field with the least confidence of a thing.
pub const THRESHOLD_FIELD: &str = "threshold";

/// The form's field with the largest number of things.
pub const MAXIMUM_FIELD: &str = "maximum";

/// An upright rectangle in pixels of the upright picture, from its left and upper edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

/// What is known of every picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
#[serde(rename_all = "camelCase")]
pub struct TextLine {
    /// What it says.
    pub text: String,
    /// How sure that is, 0 to 1.
    pub confidence: f32,
    /// Where it is.
    #[serde(rename = "box")]
    pub area: Area,
    /// Its direction of reading in degrees, clockwise from left-to-right: −180 to 180.
    pub angle: f32,
    /// Lines with the same number belong together: a paragraph, a column, a table.
    pub block: u32,
    /// Lines with the same number stand beside each other.
    pub row: u32,
}

/// What looks like a line of text and was not read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UnreadLine {
    /// Where it is.
    #[serde(rename = "box")]
    pub area: Area,
    /// Its direction in degrees, clockwise from left-to-right; which of its sides is up is not known.
    pub angle: f32,
    /// How sure it is that it is text, 0 to 1: below 0.92 it may be a pattern.
    #[serde(default)]
    pub confidence: f32,
}

/// The result of `/image/extract-text`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextResult {
    /// What to ask about this picture with.
    pub image_id: String,
    /// A sentence for a person.
    pub message: String,
    /// All text in the order in which it is read: a line each row, an empty line between blocks.
    pub text: String,
    /// The same in parts.
    pub lines: Vec<TextLine>,
    /// What looks like lines and was not read: another script, too faint, or the time was up.
    #[serde(default)]
    pub unread: Vec<UnreadLine>,
    /// Why not everything was read; absent when everything was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// The average of the lines' confidences, by their length; absent without text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f32>,
    /// How far the picture must be turned clockwise for its text to stand upright: 0, 90, 180 or 270 degrees.
    pub turn: u32,
    /// The picture.
    pub picture: PictureFacts,
}

/// A thing in the picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Object {
    /// What it is: one of the 80 classes of COCO.
    pub label: String,
    /// How sure that is, 0 to 1.
    pub confidence: f32,
    /// Where it is.
    #[serde(rename = "box")]
    pub area: Area,
}

/// The result of `/image/detect-objects`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectsResult {
    /// What to ask about this picture with.
    pub image_id: String,
    /// A sentence for a person.
    pub message: String,
    /// The things, the surest first.
    pub objects: Vec<Object>,
    /// How many there are of each label.
    pub counts: BTreeMap<String, u32>,
    /// How many there are.
    pub total: u32,
    /// The confidence that a thing had to have to be listed.
    pub threshold: f32,
    /// The picture.
    pub picture: PictureFacts,
}

/// A colour and how much of the picture has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
#[serde(rename_all = "camelCase")]
pub struct Light {
    /// The average lightness, 0 (black) to 1 (white).
    pub brightness: f32,
    /// The spread of lightness: the distance between its 5th and its 95th percentile, 0 to 1.
    pub contrast: f32,
    /// `dark`, `medium` or `bright`.
    pub level: String,
    /// Whether there are no colours but greys.
    pub greyscale: bool,
}

/// What sort of picture it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Kind {
    /// `photo`, `document`, `screenshot`, `chart` or `drawing`.
    pub name: String,
    /// How sure that is, 0 to 1.
    pub confidence: f32,
}

/// What the whole picture may show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tag {
    /// One of the 1,000 classes of ImageNet.
    pub label: String,
    /// How sure that is, 0 to 1.
    pub confidence: f32,
}

/// The result of `/image/analyze`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Analysis {
    /// What to ask about this picture with.
    pub image_id: String,
    /// What a person would be told: each sentence says what one of the other fields holds; or where a language model that
    /// sees was asked, what it made of the picture and the fields.
    pub description: String,
    /// What sort of picture it is.
    pub kind: Kind,
    /// The things in it, the surest first.
    pub objects: Vec<Object>,
    /// How many there are of each label.
    pub counts: BTreeMap<String, u32>,
    /// What the whole of it may show, the likeliest first.
    pub tags: Vec<Tag>,
    /// The colours that cover most of it, the largest share first.
    pub colours: Vec<ColourShare>,
    /// Its light.
    pub light: Light,
    /// All text in it.
    pub text: String,
    /// The same in parts.
    pub lines: Vec<TextLine>,
    /// What looks like lines and was not read: another script, too faint, or the time was up.
    #[serde(default)]
    pub unread: Vec<UnreadLine>,
    /// Why not everything was read; absent when everything was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// How the description came to its words, where a language model was asked for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrasing: Option<Phrasing>,
    /// The picture.
    pub picture: PictureFacts,
}

/// The JSON body of `/image/chat`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureQuestion {
    /// The question.
    pub message: String,
    /// The picture it is about; without it, the last one of the session.
    #[serde(default)]
    pub image_id: Option<String>,
}

/// The JSON body of `/image/forget`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureToForget {
    /// The picture; without it, the last one of the session.
    #[serde(default)]
    pub image_id: Option<String>,
}

/// The result of `/image/forget`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureForgotten {
    /// The picture of which nothing is kept any more.
    pub image_id: String,
}

/// What an answer rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Evidence {
    /// A line of text.
    Text {
        /// What it says.
        text: String,
        /// How sure that is, 0 to 1.
        confidence: f32,
        /// Where it is.
        #[serde(rename = "box")]
        area: Area,
    },
    /// A thing.
    Object {
        /// What it is.
        label: String,
        /// How sure that is, 0 to 1.
        confidence: f32,
        /// Where it is.
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
#[serde(rename_all = "camelCase")]
pub struct PictureAnswer {
    /// The picture that was asked about.
    pub image_id: String,
    /// The answer, or that nothing that was found answers the question.
    pub answer: String,
    /// Whether what was found answers the question.
    pub answered: bool,
    /// What the answer rests on.
    pub evidence: Vec<Evidence>,
    /// How the answer came to its words, where a language model was asked for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrasing: Option<Phrasing>,
}
