//! Raw content of a page: glyphs, ruling lines and pictures with their positions.

use compact_str::CompactString;

/// Glyph on a page, in points from its upper left corner, y growing down.
#[derive(Debug, Clone)]
pub struct Glyph {
    /// Its text; empty where the file gives none.
    pub text: CompactString,
    /// Start of its baseline.
    pub start: (f64, f64),
    /// End of its advance, where the next one would start.
    pub end: (f64, f64),
    /// Size of its font.
    pub size: f64,
    /// Direction of its line, in degrees clockwise from rightwards.
    pub direction: i16,
    /// True if it is bold.
    pub bold: bool,
    /// True if its font is monospaced.
    pub fixed: bool,
}

impl Glyph {
    /// Returns true if it is a space.
    pub fn is_space(&self) -> bool {
        self.text == " "
    }
}

/// Upright rectangle, in points.
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
    /// Its area, in square points.
    pub fn square(&self) -> f64 {
        (self.x1 - self.x0).max(0.0) * (self.y1 - self.y0).max(0.0)
    }

    /// The smallest upright rectangle around this one, turned clockwise by an angle in radians about the origin.
    pub fn turned(&self, angle: f64) -> Self {
        let (sin, cos) = angle.sin_cos();
        let corners = [
            (self.x0, self.y0),
            (self.x1, self.y0),
            (self.x0, self.y1),
            (self.x1, self.y1),
        ];
        let at = corners.map(|(x, y)| (x.mul_add(cos, -y * sin), x.mul_add(sin, y * cos)));
        let least = |of: fn(&(f64, f64)) -> f64| at.iter().map(of).fold(f64::INFINITY, f64::min);
        let most = |of: fn(&(f64, f64)) -> f64| at.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        Self {
            x0: least(|at| at.0),
            y0: least(|at| at.1),
            x1: most(|at| at.0),
            y1: most(|at| at.1),
        }
    }

    /// Intersection with another rectangle.
    pub fn common(&self, other: &Self) -> Self {
        Self {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }

    /// Smallest rectangle around both.
    pub fn with(&self, other: &Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }
}

/// Raw content of a page.
#[derive(Debug, Clone, Default)]
pub struct PageContent {
    /// Width of the page, in points.
    pub width: f64,
    /// Height of the page, in points.
    pub height: f64,
    /// Glyphs in the order in which they are drawn.
    pub glyphs: Vec<Glyph>,
    /// Ruling lines: thin lines, as tables have them.
    pub rules: Vec<Area>,
    /// Bounds and number of pixels of each picture.
    pub pictures: Vec<(Area, u64)>,
    /// True if anything else is drawn.
    pub drawn: bool,
    /// Number of glyphs that the file gives no text for.
    pub unknown: usize,
    /// Warnings about what could not be read.
    pub warnings: Vec<String>,
}
