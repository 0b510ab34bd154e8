//! Graphics state, as far as text needs it (ISO 32000-2, 8.4 and 9.3).

use std::rc::Rc;

use hayro_font::kurbo::Affine;

use super::font::Font;

/// Graphics state: `q` saves it and `Q` restores it.
#[derive(Clone)]
pub struct State<'a> {
    /// Current transformation matrix, to points on the page.
    pub matrix: Affine,
    /// The font.
    pub font: Option<Rc<Font<'a>>>,
    /// Size of the font.
    pub size: f64,
    /// Extra space after each character.
    pub character_space: f64,
    /// Extra space after each code 32 of one byte.
    pub word_space: f64,
    /// Horizontal scale, 1 for none.
    pub stretch: f64,
    /// Leading: the distance of lines.
    pub leading: f64,
    /// Text rise: the distance from the baseline.
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

/// Path under construction, as far as it can be a ruling line of a table: straight segments and rectangles.
#[derive(Default)]
pub struct Path {
    /// Current point.
    pub pen: (f64, f64),
    /// Start of the current subpath.
    pub first: (f64, f64),
    /// Straight segments, in points on the page.
    pub segments: Vec<[(f64, f64); 2]>,
    /// Rectangles, in points on the page.
    pub boxes: Vec<[(f64, f64); 2]>,
}

impl Path {
    /// Discards the path.
    pub fn clear(&mut self) {
        self.segments.clear();
        self.boxes.clear();
    }
}
