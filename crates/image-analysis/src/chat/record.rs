//! Record of a picture for later questions: the findings, and nothing of the picture itself.

use quartet_api::image::{ColourShare, Kind, Light, Object, PictureFacts, Tag, TextLine};
use serde::{Deserialize, Serialize};

/// Findings of a picture. A part that was not searched for is absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Size, format and orientation.
    pub picture: PictureFacts,
    /// Its colours.
    pub colours: Vec<ColourShare>,
    /// Its light.
    pub light: Light,
    /// Its text.
    pub lines: Option<Vec<TextLine>>,
    /// Number of further lines that could not be read.
    #[serde(default)]
    pub unread: usize,
    /// Its objects.
    pub objects: Option<Vec<ColouredObject>>,
    /// Its kind.
    pub kind: Option<Kind>,
    /// Things that it may show as a whole, the likeliest first.
    #[serde(default)]
    pub tags: Vec<Tag>,
    /// Its description in English.
    pub description: Option<String>,
}

/// Object with its colour.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColouredObject {
    /// The object.
    pub object: Object,
    /// Commonest colour in its middle.
    pub colour: Option<String>,
}
