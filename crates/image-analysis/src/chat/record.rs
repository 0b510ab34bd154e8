//! What is kept of a picture for questions about it: what was found, and nothing of the picture itself.

use quartet_api::image::{ColourShare, Kind, Light, Object, PictureFacts, TextLine};
use serde::{Deserialize, Serialize};

/// What is kept. A part that was not looked for is absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The picture.
    pub picture: PictureFacts,
    /// Its colours.
    pub colours: Vec<ColourShare>,
    /// Its light.
    pub light: Light,
    /// Its text.
    pub lines: Option<Vec<TextLine>>,
    /// How many lines there may be beside them that could not be read.
    #[serde(default)]
    pub unread: usize,
    /// Its things.
    pub objects: Option<Vec<Seen>>,
    /// What sort of picture it is.
    pub kind: Option<Kind>,
    /// The whole description.
    pub description: Option<String>,
}

/// A thing and its colour.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// The thing.
    pub object: Object,
    /// The commonest colour in its middle.
    pub colour: Option<String>,
}
