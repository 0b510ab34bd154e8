//! Path operators (ISO 32000-2, 8.5), for the ruling lines of tables.

use hayro_font::kurbo::{Affine, Point};
use hayro_syntax::content::ops::TypedInstruction;
use hayro_syntax::object::Number;

use super::Interpreter;
use crate::page_content::Area;

/// Most ruling lines of a page.
const MAX_RULES: usize = 20_000;
/// Width of a ruling line, in points, excluded.
const MAX_RULE_WIDTH_POINTS: f64 = 2.5;
/// Length of a ruling line, in points, excluded.
const MIN_RULE_LENGTH_POINTS: f64 = 6.0;

impl Interpreter<'_, '_> {
    /// Executes a path operator; returns false if it is another operator.
    pub(super) fn path_operator(&mut self, operator: &TypedInstruction<'_, '_>) -> bool {
        use TypedInstruction as Op;
        let on_page = |matrix: &Affine, x: &Number, y: &Number| {
            let point = *matrix * Point::new(x.as_f64(), y.as_f64());
            (point.x, point.y)
        };
        let matrix = self.state.matrix;
        match operator {
            Op::MoveTo(m) => {
                self.path.pen = on_page(&matrix, &m.0, &m.1);
                self.path.first = self.path.pen;
            }
            Op::LineTo(l) => {
                let to = on_page(&matrix, &l.0, &l.1);
                if self.path.segments.len() < MAX_RULES {
                    self.path.segments.push([self.path.pen, to]);
                }
                self.path.pen = to;
            }
            Op::ClosePath(_) => {
                if self.path.segments.len() < MAX_RULES {
                    self.path.segments.push([self.path.pen, self.path.first]);
                }
                self.path.pen = self.path.first;
            }
            Op::CubicTo(c) => self.path.pen = on_page(&matrix, &c.4, &c.5),
            Op::CubicStartTo(c) => self.path.pen = on_page(&matrix, &c.2, &c.3),
            Op::CubicEndTo(c) => self.path.pen = on_page(&matrix, &c.2, &c.3),
            Op::RectPath(r) => {
                let from = on_page(&matrix, &r.0, &r.1);
                let far = matrix * Point::new(r.0.as_f64() + r.2.as_f64(), r.1.as_f64() + r.3.as_f64());
                if self.path.boxes.len() < MAX_RULES {
                    self.path.boxes.push([from, (far.x, far.y)]);
                }
            }
            Op::StrokePath(_) | Op::CloseAndStrokePath(_) => self.paint(true),
            Op::FillPathNonZero(_) | Op::FillPathNonZeroCompatibility(_) | Op::FillPathEvenOdd(_) => self.paint(false),
            Op::FillAndStrokeNonZero(_)
            | Op::FillAndStrokeEvenOdd(_)
            | Op::CloseFillAndStrokeNonZero(_)
            | Op::CloseFillAndStrokeEvenOdd(_) => self.paint(true),
            Op::EndPath(_) => self.path.clear(),
            _ => return false,
        }
        true
    }

    /// Paints the path: keeps its thin lines.
    fn paint(&mut self, stroked: bool) {
        self.page.drawn = true;
        let mut add = |a: (f64, f64), b: (f64, f64)| {
            let area = Area {
                x0: a.0.min(b.0),
                y0: a.1.min(b.1),
                x1: a.0.max(b.0),
                y1: a.1.max(b.1),
            };
            let (width, height) = (area.x1 - area.x0, area.y1 - area.y0);
            if self.page.rules.len() < MAX_RULES
                && width.min(height) < MAX_RULE_WIDTH_POINTS
                && width.max(height) > MIN_RULE_LENGTH_POINTS
            {
                self.page.rules.push(area);
            }
        };
        for [a, b] in &self.path.boxes {
            add(*a, *b);
            if stroked {
                let corners = [*a, (b.0, a.1), *b, (a.0, b.1)];
                (0..4).for_each(|corner| add(corners[corner], corners[(corner + 1) % 4]));
            }
        }
        if stroked {
            self.path.segments.iter().for_each(|[a, b]| add(*a, *b));
        }
        self.path.clear();
    }
}
