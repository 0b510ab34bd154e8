//! The models by name, and the colours that they take.

pub use quartet_ocr::models::{Normalization, planes, tensor};

/// The everyday things in a picture: NanoDet, trained on COCO.
pub const OBJECT_DETECTION: &str = "object-detection";
/// What a whole picture shows: EfficientNet-Lite, trained on ImageNet.
pub const IMAGE_TAGS: &str = "image-tags";
/// All of them, with those that read.
pub fn all() -> impl Iterator<Item = &'static str> {
    quartet_ocr::models::ALL
        .into_iter()
        .chain([OBJECT_DETECTION, IMAGE_TAGS])
}

/// The averages of the photographs of ImageNet, blue first.
pub const NANODET: Normalization = Normalization {
    mean: [103.53 / 255.0, 116.28 / 255.0, 123.675 / 255.0],
    deviation: [57.375 / 255.0, 57.12 / 255.0, 58.395 / 255.0],
    blue_first: true,
};

/// Nearly −1 to 1, red first.
pub const EFFICIENTNET: Normalization = Normalization {
    mean: [127.0 / 255.0; 3],
    deviation: [128.0 / 255.0; 3],
    blue_first: false,
};
