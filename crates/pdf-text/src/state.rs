//! The state of drawing, as far as text needs it (ISO 32000-2, 8.4 and 9.3).

use std::rc::Rc;

use hayro_font::kurbo::Affine;

use super::font::Font;

/// What `q` saves and `Q` brings back.
#[derive(Clone)]
pub struct State<'a> {
    /// From the units of the content to those of the page.
    pub matrix: Affine,
    /// The font.
    pub font: Option<Rc<Font<'a>>>,
    /// Its size.
    pub size: f64,
    /// Extra space after each character.
    pub character_space: f64,
    /// Extra space after each code 32 of one byte.
    pub word_space: f64,
    /// Horizontal scale, 1 for none.
    pub stretch: f64,
    /// Distance of lines.
    pub leading: f64,
    /// Distance from the baseline.
    pub rise: f64,
}

impl State<'_> {
    /// The state at the beginning of a page.
    pub fn new(matrix: Affine) -> Self {
        Self {
            matrix,
            font: None,
            size: 1.0,
            character_space: 0.0,
            word_space: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
        }
    }
}

/// A path that is being made, as far as it can be the line of a table: straight, along the axes.
#[derive(Default)]
pub struct Path {
    /// Where the pen is.
    pub pen: (f64, f64),
    /// Where the part began.
    pub first: (f64, f64),
    /// The straight pieces, in units of the page.
    pub segments: Vec<[(f64, f64); 2]>,
    /// Whole rectangles, in units of the page.
    pub boxes: Vec<[(f64, f64); 2]>,
}

impl Path {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.segments.clear();
        self.boxes.clear();
    }
}
