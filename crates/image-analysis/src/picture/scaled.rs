//! JPEG files decoded at an eighth, a quarter or half of their size: the transform of each block gives fewer pixels, so most of
//! the work is not done. The crate `jpeg-decoder` can; the one behind `image` always makes all pixels.

use std::io::Cursor;

use jpeg_decoder::{Decoder, PixelFormat};

use super::Picture;

/// Parts of eight in which a JPEG file can be decoded, the smallest first.
const EIGHTHS: [u32; 3] = [1, 2, 4];

/// The stored picture at the smallest size with at least `enough` pixels. None where that is no smaller than the file's, the
/// colours are others than grey and RGB, or the file is damaged: then the whole has to be decoded, which says why.
pub fn decode(bytes: &[u8], enough: usize) -> Option<Picture> {
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.read_info().ok()?;
    let info = decoder.info()?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    let sizes = EIGHTHS.map(|eighths| [width, height].map(|side| (side * eighths).div_ceil(8)));
    let [smaller_width, smaller_height] = sizes
        .into_iter()
        .find(|[width, height]| *width as usize * *height as usize >= enough)?;
    let side = |side: u32| u16::try_from(side).ok();
    let (width, height) = decoder.scale(side(smaller_width)?, side(smaller_height)?).ok()?;
    let channels = match info.pixel_format {
        PixelFormat::RGB24 => 3,
        PixelFormat::L8 => 1,
        PixelFormat::L16 | PixelFormat::CMYK32 => return None,
    };
    let pixels = decoder.decode().ok()?;
    let rgb = match channels {
        1 => pixels.iter().flat_map(|grey| [*grey; 3]).collect(),
        _ => pixels,
    };
    Picture::new(usize::from(width), usize::from(height), rgb)
}
