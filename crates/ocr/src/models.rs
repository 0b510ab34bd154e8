//! The models by name, and pictures as models take them.

use quartet_inference::{Data, GraphError, Tensor};

use crate::picture::Picture;

/// Where text is: the detector of PP-OCR.
pub const TEXT_DETECTION: &str = "ocr-detection";
/// What a line of text says: the recogniser of PP-OCR.
pub const TEXT_RECOGNITION: &str = "ocr-recognition";
/// What a line of Cyrillic says: Tesseract's network for the script, as those that follow.
pub const TEXT_CYRILLIC: &str = "ocr-cyrillic";
/// The same for Korean.
pub const TEXT_HANGUL: &str = "ocr-hangul";
/// The same for Devanagari.
pub const TEXT_DEVANAGARI: &str = "ocr-devanagari";
/// The same for Arabic letters.
pub const TEXT_ARABIC: &str = "ocr-arabic";
/// All of them.
pub const ALL: [&str; 6] = [
    TEXT_DETECTION,
    TEXT_RECOGNITION,
    TEXT_CYRILLIC,
    TEXT_HANGUL,
    TEXT_DEVANAGARI,
    TEXT_ARABIC,
];

/// How a model wants its colours.
pub struct Colours {
    /// What is taken off each channel, in the order of the model's planes, with 1 for full light.
    pub mean: [f32; 3],
    /// What the rest is divided by.
    pub deviation: [f32; 3],
    /// The planes are blue, green, red.
    pub blue_first: bool,
}

/// As PP-OCR takes its pictures: −1 to 1, blue first.
pub const CENTRED: Colours = Colours {
    mean: [0.5; 3],
    deviation: [0.5; 3],
    blue_first: true,
};

/// A picture as three planes, one a channel.
pub fn planes(picture: &Picture, colours: &Colours) -> Vec<f32> {
    let mut planes = Vec::with_capacity(picture.pixels().len());
    for plane in 0..3 {
        let channel = if colours.blue_first { 2 - plane } else { plane };
        let (mean, deviation) = (colours.mean[plane], colours.deviation[plane]);
        let values: [f32; 256] = std::array::from_fn(|value| (value as f32 / 255.0 - mean) / deviation);
        planes.extend(
            picture
                .pixels()
                .iter()
                .skip(channel)
                .step_by(3)
                .map(|value| values[usize::from(*value)]),
        );
    }
    planes
}

/// A tensor of ours.
///
/// # Errors
/// When the shape does not fit, which would be a defect.
pub fn tensor(shape: Vec<usize>, data: Data) -> Result<Tensor, GraphError> {
    Tensor::new(shape, data).map_err(|error| GraphError::InvalidInput(error.to_string()))
}
