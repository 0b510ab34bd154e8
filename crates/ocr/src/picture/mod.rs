//! Pictures in memory, in eight-bit RGB: cropping and scaling.

mod sample;
mod scale;

/// Upright picture in memory.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    width: usize,
    height: usize,
    /// Red, green and blue of each pixel, row by row from the top.
    pixels: Vec<u8>,
}

impl Picture {
    /// Creates a picture of `width` × `height` pixels; none where the bytes are not three for each of them.
    pub fn new(width: usize, height: usize, pixels: Vec<u8>) -> Option<Self> {
        let right = width > 0 && height > 0 && width.checked_mul(height)?.checked_mul(3)? == pixels.len();
        right.then_some(Self { width, height, pixels })
    }

    /// Width in pixels; at least 1.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Height in pixels; at least 1.
    pub const fn height(&self) -> usize {
        self.height
    }

    /// Red, green and blue of each pixel, row by row from the top.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// Red, green and blue of each pixel, by value.
    pub fn into_pixels(self) -> Vec<u8> {
        self.pixels
    }

    /// Red, green and blue of a pixel.
    pub fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let start = (y * self.width + x) * 3;
        [self.pixels[start], self.pixels[start + 1], self.pixels[start + 2]]
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({} × {})", self.width, self.height)
    }
}
