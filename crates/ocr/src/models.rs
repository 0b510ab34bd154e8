//! Names of the models, and pictures as their input tensors.

use quartet_inference::{Data, GraphError, Tensor};

use crate::picture::Picture;

/// Text detection: PP-OCR.
pub const TEXT_DETECTION: &str = "ocr-detection";
/// Text recognition: PP-OCR.
pub const TEXT_RECOGNITION: &str = "ocr-recognition";
/// Recognition of Cyrillic: Tesseract's network for the script, as those that follow.
pub const TEXT_CYRILLIC: &str = "ocr-cyrillic";
/// Recognition of Korean.
pub const TEXT_HANGUL: &str = "ocr-hangul";
/// Recognition of Devanagari.
pub const TEXT_DEVANAGARI: &str = "ocr-devanagari";
/// Recognition of Arabic letters.
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

/// Normalisation of colours for the input of a model.
pub struct Normalization {
    /// Value subtracted from each channel, in the order of the model's planes, with 1 for full light.
    pub mean: [f32; 3],
    /// Value by which the rest is divided.
    pub deviation: [f32; 3],
    /// True if the planes are blue, green, red.
    pub blue_first: bool,
}

/// Normalisation of PP-OCR: −1 to 1, blue first.
pub const PP_OCR: Normalization = Normalization {
    mean: [0.5; 3],
    deviation: [0.5; 3],
    blue_first: true,
};

/// Normalised picture as three planes, one a channel.
pub fn planes(picture: &Picture, normalization: &Normalization) -> Vec<f32> {
    let mut planes = Vec::with_capacity(picture.pixels().len());
    for plane in 0..3 {
        let channel = if normalization.blue_first { 2 - plane } else { plane };
        let (mean, deviation) = (normalization.mean[plane], normalization.deviation[plane]);
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

/// Creates an input tensor.
///
/// # Errors
/// When the shape does not fit, which would be a defect.
pub fn tensor(shape: Vec<usize>, data: Data) -> Result<Tensor, GraphError> {
    Tensor::new(shape, data).map_err(|error| GraphError::InvalidInput(error.to_string()))
}
