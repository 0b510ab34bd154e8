//! Rendering of scanned pages, and the interface to the OCR engine that reads them.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use hayro_syntax::page::Page;

/// Resolution of rendered pages: 200 pixels to the inch, at which print of usual size is read best.
const PIXELS_PER_POINT: f32 = 200.0 / 72.0;
/// Most pixels on the longer side.
const MAX_SIDE_PIXELS: f32 = 2_400.0;

/// Rendered page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageImage {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Red, green and blue of each pixel, row by row.
    pub pixels: Vec<u8>,
}

/// Recognised line.
#[derive(Debug, Clone, PartialEq)]
pub struct RecognisedLine {
    /// Its text.
    pub text: String,
    /// Its middle, in pixels from the left and from the top.
    pub centre: (f64, f64),
    /// Its length in the direction of reading, in pixels.
    pub length: f64,
    /// Its height, in pixels.
    pub height: f64,
    /// Direction of reading, in radians clockwise from rightwards.
    pub angle: f64,
}

/// Recognised text of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecognisedPage {
    /// The lines, in any order.
    pub lines: Vec<RecognisedLine>,
    /// Number of places that look like lines and could not be read.
    pub unread: usize,
    /// Average confidence of the lines, 0 to 1.
    pub confidence: f32,
    /// True if the time was up before everything was read.
    pub stopped: bool,
}

/// Engine that reads the text of pictures.
pub trait Ocr {
    /// Reads a picture of a page.
    ///
    /// # Errors
    /// A sentence that says why it was not read.
    fn read(&self, picture: PageImage) -> Result<RecognisedPage, String>;
}

/// Renders a page on white.
pub fn render<'a>(page: &'a Page<'a>, cache: &RenderCache<'a>) -> Option<PageImage> {
    let (width, height) = page.render_dimensions();
    let longer = width.max(height);
    // What is drawn here was walked through before, and was within the limits.
    let scale = PIXELS_PER_POINT.min(MAX_SIDE_PIXELS / longer);
    if !scale.is_finite() || width * scale < 8.0 || height * scale < 8.0 {
        return None;
    }
    let pixmap = hayro::render(
        page,
        cache,
        &InterpreterSettings::default(),
        &RenderSettings::default(),
        &PixmapSettings {
            x_scale: scale,
            y_scale: scale,
            bg_color: WHITE,
        },
    );
    let (width, height) = (u32::from(pixmap.width()), u32::from(pixmap.height()));
    let pixels = pixmap
        .data_as_u8_slice()
        .chunks_exact(4)
        .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
        .collect();
    Some(PageImage { width, height, pixels })
}
