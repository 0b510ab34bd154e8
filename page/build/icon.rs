//! The icon of the page: one drawing, as SVG for browsers, and as PNG for systems that install the page and take no SVG.
//!
//! It is drawn when the page is built: a picture in the tree would be one that no review can read.

use std::fmt::Write as _;
use std::io;

use tiny_skia::{Color, LineCap, Paint, PathBuilder, Pixmap, Stroke, Transform};

/// Width and height of the drawing.
const SIZE: f32 = 64.0;

/// Colours of the ground and of the lines, in red, green and blue.
const GROUND: [u8; 3] = [0x20, 0x54, 0x4f];
const INK: [u8; 3] = [0xf7, 0xf6, 0xf2];

/// Width of the lines, whose ends are round.
const LINE_WIDTH: f32 = 5.0;

/// The lines, which are upright: their x, upper and lower y. All lie in the circle of 80 % that systems which cut icons into
/// a shape of their own leave whole.
const LINES: [(f32, f32, f32); 4] = [
    (17.0, 26.0, 38.0),
    (27.0, 19.0, 45.0),
    (37.0, 24.0, 40.0),
    (47.0, 29.0, 35.0),
];

/// The icon as SVG.
pub fn svg() -> String {
    let [ground, ink] = [GROUND, INK].map(|[red, green, blue]| format!("#{red:02x}{green:02x}{blue:02x}"));
    let mut path = String::new();
    for (x, upper, lower) in LINES {
        let _ = write!(path, "M{x} {upper}V{lower}");
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIZE} {SIZE}\">\
         <rect width=\"{SIZE}\" height=\"{SIZE}\" fill=\"{ground}\"/>\
         <path d=\"{path}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"{LINE_WIDTH}\" stroke-linecap=\"round\"/></svg>\n"
    )
}

/// The icon as PNG, so many pixels wide and high.
pub fn png(pixels: u16) -> io::Result<Vec<u8>> {
    let side = u32::from(pixels);
    let mut picture = Pixmap::new(side, side).ok_or(io::ErrorKind::InvalidInput)?;
    let [red, green, blue] = GROUND;
    picture.fill(Color::from_rgba8(red, green, blue, u8::MAX));
    let mut path = PathBuilder::new();
    for (x, upper, lower) in LINES {
        path.move_to(x, upper);
        path.line_to(x, lower);
    }
    let path = path.finish().ok_or(io::ErrorKind::InvalidInput)?;
    let mut paint = Paint::default();
    let [red, green, blue] = INK;
    paint.set_color_rgba8(red, green, blue, u8::MAX);
    let stroke = Stroke {
        width: LINE_WIDTH,
        line_cap: LineCap::Round,
        ..Stroke::default()
    };
    let scale = f32::from(pixels) / SIZE;
    picture.stroke_path(&path, &paint, &stroke, Transform::from_scale(scale, scale), None);
    picture.encode_png().map_err(io::Error::other)
}
