//! Scaling, with the crate `fast_image_resize`: its filters take every pixel into account when they
//! make a picture smaller, and it uses the vector instructions of WebAssembly.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U8x3;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};

use super::Picture;

impl Picture {
    /// Scales the picture to a width and height, which may change its proportions.
    pub fn resized(&self, width: usize, height: usize) -> Picture {
        let (width, height) = (width.max(1), height.max(1));
        if (width, height) == (self.width, self.height) {
            return self.clone();
        }
        // Of a type that is known here: an image of any type has the filters of all types compiled in, 318 kB of code.
        let source = TypedImageRef::<U8x3>::from_buffer(self.width as u32, self.height as u32, &self.pixels)
            .expect("a picture has three bytes a pixel");
        let mut pixels = vec![0; width * height * 3];
        let mut target = TypedImage::<U8x3>::from_buffer(width as u32, height as u32, &mut pixels)
            .expect("the buffer has three bytes a pixel");
        let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Bilinear));
        Resizer::new()
            .resize_typed(&source, &mut target, &options)
            .expect("a whole picture is scaled, and none of it cropped");
        Picture { width, height, pixels }
    }

    /// Crops an upright part that lies inside the picture.
    pub fn part(&self, left: usize, top: usize, width: usize, height: usize) -> Picture {
        let rows = self.pixels.chunks_exact(self.width * 3).skip(top).take(height);
        Picture {
            width,
            height,
            pixels: rows
                .flat_map(|row| &row[left * 3..(left + width) * 3])
                .copied()
                .collect(),
        }
    }

    /// Scales the picture down, in its proportions, to at most so many pixels.
    pub fn at_most(self, pixels: usize) -> Picture {
        let area = self.width * self.height;
        if area <= pixels {
            return self;
        }
        let factor = (pixels as f64 / area as f64).sqrt();
        let side = |length: usize| ((length as f64 * factor) as usize).max(1);
        self.resized(side(self.width), side(self.height))
    }
}
