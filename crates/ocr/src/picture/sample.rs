//! Cropping of rotated rectangles, with bilinear interpolation.

use super::Picture;
use crate::geometry::RotatedRect;

impl Picture {
    /// Crops a rotated rectangle, as an upright picture of the given size. Beyond the picture's edges its
    /// outermost pixels go on. The picture should not have many more pixels in the rectangle than are asked for: each
    /// one is made of four.
    pub fn crop(&self, rectangle: &RotatedRect, width: usize, height: usize) -> Picture {
        let (sin, cos) = rectangle.angle.sin_cos();
        let (along, across) = (rectangle.width / width as f32, rectangle.height / height as f32);
        let corner = rectangle.corners()[0];
        let mut pixels = Vec::with_capacity(width * height * 3);
        for row in 0..height {
            let down = (row as f32 + 0.5) * across;
            let (mut x, mut y) = (corner.x - down * sin - 0.5, corner.y + down * cos - 0.5);
            x += 0.5 * along * cos;
            y += 0.5 * along * sin;
            for _ in 0..width {
                pixels.extend_from_slice(&self.interpolated(x, y));
                x += along * cos;
                y += along * sin;
            }
        }
        Picture { width, height, pixels }
    }

    /// Colour at a place between pixels, interpolated bilinearly.
    fn interpolated(&self, x: f32, y: f32) -> [u8; 3] {
        let x = x.clamp(0.0, (self.width - 1) as f32);
        let y = y.clamp(0.0, (self.height - 1) as f32);
        let (left, top) = (x as usize, y as usize);
        let (right, below) = ((left + 1).min(self.width - 1), (top + 1).min(self.height - 1));
        let (dx, dy) = (x - left as f32, y - top as f32);
        let corners = [
            self.at(left, top),
            self.at(right, top),
            self.at(left, below),
            self.at(right, below),
        ];
        let weights = [(1.0 - dx) * (1.0 - dy), dx * (1.0 - dy), (1.0 - dx) * dy, dx * dy];
        std::array::from_fn(|channel| {
            let value: f32 = corners
                .iter()
                .zip(weights)
                .map(|(corner, weight)| f32::from(corner[channel]) * weight)
                .sum();
            (value + 0.5) as u8
        })
    }
}
