//! Names of the models, and the normalisation of their inputs.

pub use quartet_ocr::models::{Normalization, planes, tensor};

/// Object detection: NanoDet, trained on COCO.
pub const OBJECT_DETECTION: &str = "object-detection";
/// Classification of the whole picture: EfficientNet-Lite, trained on ImageNet.
pub const IMAGE_TAGS: &str = "image-tags";
/// All models, with those of OCR.
pub fn all() -> impl Iterator<Item = &'static str> {
    quartet_ocr::models::ALL
        .into_iter()
        .chain([OBJECT_DETECTION, IMAGE_TAGS])
}

/// Normalisation of NanoDet: the averages of the photographs of ImageNet, blue first.
pub const NANODET: Normalization = Normalization {
    mean: [103.53 / 255.0, 116.28 / 255.0, 123.675 / 255.0],
    deviation: [57.375 / 255.0, 57.12 / 255.0, 58.395 / 255.0],
    blue_first: true,
};

/// Normalisation of EfficientNet: nearly −1 to 1, red first.
pub const EFFICIENTNET: Normalization = Normalization {
    mean: [127.0 / 255.0; 3],
    deviation: [128.0 / 255.0; 3],
    blue_first: false,
};
