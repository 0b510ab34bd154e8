//! Object that the detector found.

use quartet_ocr::geometry::Bounds;

use super::labels;

/// Object that the detector found.
#[derive(Debug, Clone, PartialEq)]
pub struct DetectedObject {
    /// Class: an index of [`labels::COCO`].
    pub class: usize,
    /// Confidence, 0 to 1.
    pub confidence: f32,
    /// Bounding box, in the picture's pixels.
    pub bounds: Bounds,
    /// More exact name than that of the class, where the second look gave one.
    pub finer: Option<&'static str>,
}

impl DetectedObject {
    /// Name of its class.
    pub fn label(&self) -> &'static str {
        labels::COCO.get(self.class).copied().unwrap_or("thing")
    }
}
