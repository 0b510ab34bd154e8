//! Pictures as files for models that take pictures.

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder};

use super::Picture;

/// Longest side of an encoded picture, in pixels: larger pictures are scaled down.
const MAX_SIDE_PIXELS: usize = 1024;
/// Quality of the JPEG, 1 to 100.
const JPEG_QUALITY: u8 = 85;

/// Encodes a picture as JPEG, scaled down to at most 1,024 pixels a side; none where the encoder fails.
pub fn jpeg(picture: &Picture) -> Option<Vec<u8>> {
    let longer = picture.width().max(picture.height());
    let side = |side: usize| (side * MAX_SIDE_PIXELS / longer).max(1);
    let shown = if longer > MAX_SIDE_PIXELS {
        picture.resized(side(picture.width()), side(picture.height()))
    } else {
        picture.clone()
    };
    let (width, height) = (u32::try_from(shown.width()).ok()?, u32::try_from(shown.height()).ok()?);
    let mut data = Vec::new();
    JpegEncoder::new_with_quality(&mut data, JPEG_QUALITY)
        .write_image(shown.pixels(), width, height, ExtendedColorType::Rgb8)
        .ok()?;
    Some(data)
}
