//! What is on a page, before anything is made of it: characters and lines with their places.

use compact_str::CompactString;

/// A character on a page, in units of a point from its upper left corner, y growing down.
#[derive(Debug, Clone)]
pub struct Glyph {
    /// What it says; empty when the file does not say.
    pub text: CompactString,
    /// Where its baseline begins.
    pub start: (f64, f64),
    /// Where the next one would begin.
    pub end: (f64, f64),
    /// The height of its font.
    pub size: f64,
    /// The direction in which its line runs, in degrees clockwise from rightwards.
    pub direction: i16,
    /// Whether it is bold.
    pub bold: bool,
    /// Whether all letters of its font have the same width.
    pub fixed: bool,
}

impl Glyph {
    /// Whether it is a space.
    pub fn is_space(&self) -> bool {
        self.text == " "
    }
}

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// Left.
    pub x0: f64,
    /// Top.
    pub y0: f64,
    /// Right.
    pub x1: f64,
    /// Bottom.
    pub y1: f64,
}

impl Area {
    /// Its size.
    pub fn square(&self) -> f64 {
        (self.x1 - self.x0).max(0.0) * (self.y1 - self.y0).max(0.0)
    }

    /// What it has in common with another.
    pub fn common(&self, other: &Self) -> Self {
        Self {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }

    /// The smallest that holds both.
    pub fn with(&self, other: &Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }
}

/// What is on a page.
#[derive(Debug, Clone, Default)]
pub struct PageContent {
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// Its characters in the order in which they are drawn.
    pub glyphs: Vec<Glyph>,
    /// Its thin lines, as the frames of tables have them.
    pub rules: Vec<Area>,
    /// Where pictures are, and how many pixels they have.
    pub pictures: Vec<(Area, u64)>,
    /// Whether anything else is drawn.
    pub drawn: bool,
    /// How many characters the file gives no text for.
    pub unknown: usize,
    /// What could not be read.
    pub warnings: Vec<String>,
}
