//! Pages without text: drawn, so that somebody else can read the picture.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use hayro_syntax::page::Page;

/// Points of a page to pixels of its picture: 200 to the inch, at which print of usual size is read best.
const SCALE: f32 = 200.0 / 72.0;
/// The most pixels on the longer side.
const LONGER: f32 = 2_400.0;

/// A page as a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageImage {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    /// Red, green and blue of each pixel, row by row.
    pub pixels: Vec<u8>,
}

/// A line that was recognised.
#[derive(Debug, Clone, PartialEq)]
pub struct RecognisedLine {
    /// What it says.
    pub text: String,
    /// Its middle, in pixels from the left and from the top.
    pub centre: (f64, f64),
    /// How long it is in the direction of reading, in pixels.
    pub length: f64,
    /// How high it is, in pixels.
    pub height: f64,
    /// The direction of reading, in radians clockwise from rightwards.
    pub angle: f64,
}

/// What was recognised in a picture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecognisedPage {
    /// The lines, in any order.
    pub lines: Vec<RecognisedLine>,
    /// How many places look like lines and could not be read.
    pub unread: usize,
    /// How sure the lines are on average, 0 to 1.
    pub confidence: f32,
    /// Whether the time was up before everything was read.
    pub stopped: bool,
}

/// Reads the text in pictures.
pub trait Ocr {
    /// Reads a picture of a page.
    ///
    /// # Errors
    /// A sentence that says why it was not read.
    fn read(&self, picture: PageImage) -> Result<RecognisedPage, String>;
}

/// Draws a page on white.
pub fn render<'a>(page: &'a Page<'a>, cache: &RenderCache<'a>) -> Option<PageImage> {
    let (width, height) = page.render_dimensions();
    let longer = width.max(height);
    // What is drawn here was walked through before, and was within the limits.
    let scale = SCALE.min(LONGER / longer);
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
