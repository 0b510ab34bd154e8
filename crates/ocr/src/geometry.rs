//! Points, rectangles at any angle, and the smallest one around a set of points.

/// Point, in pixels from the left and from the top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Distance from the left.
    pub x: f32,
    /// Distance from the top.
    pub y: f32,
}

impl Point {
    /// Creates a point.
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    /// Rotates the point about the origin by an angle in radians, clockwise as seen.
    pub fn turned(self, angle: f32) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self::new(self.x * cos - self.y * sin, self.x * sin + self.y * cos)
    }
}

/// Rotated rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RotatedRect {
    /// Its middle.
    pub centre: Point,
    /// The length of the side along `angle`.
    pub width: f32,
    /// The length of the other side.
    pub height: f32,
    /// Angle of the side that is `width` long, in radians, clockwise as seen.
    pub angle: f32,
}

impl RotatedRect {
    /// The corners: that at the start of the upper long side first, then clockwise as seen.
    pub fn corners(&self) -> [Point; 4] {
        let (w, h) = (self.width / 2.0, self.height / 2.0);
        [(-w, -h), (w, -h), (w, h), (-w, h)].map(|(x, y)| {
            let corner = Point::new(x, y).turned(self.angle);
            Point::new(corner.x + self.centre.x, corner.y + self.centre.y)
        })
    }

    /// Smallest upright rectangle around it.
    pub fn bounds(&self) -> Bounds {
        Bounds::around(self.corners()).unwrap_or(Bounds {
            left: self.centre.x,
            top: self.centre.y,
            right: self.centre.x,
            bottom: self.centre.y,
        })
    }

    /// The rectangle in a picture that is scaled by `x` and `y`.
    pub fn scaled(&self, x: f32, y: f32) -> Self {
        let along = Point::new(self.angle.cos() * x, self.angle.sin() * y);
        let across = Point::new(-self.angle.sin() * x, self.angle.cos() * y);
        Self {
            centre: Point::new(self.centre.x * x, self.centre.y * y),
            width: self.width * along.x.hypot(along.y),
            height: self.height * across.x.hypot(across.y),
            angle: along.y.atan2(along.x),
        }
    }

    /// The same rectangle seen from another of its sides: its angle is turned by `quarters` quarter turns clockwise.
    pub fn seen_from(&self, quarters: usize) -> Self {
        let (width, height) = match quarters % 2 {
            0 => (self.width, self.height),
            _ => (self.height, self.width),
        };
        Self {
            centre: self.centre,
            width,
            height,
            angle: self.angle + quarters as f32 * std::f32::consts::FRAC_PI_2,
        }
    }
}

/// Upright rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// X coordinate of its left side.
    pub left: f32,
    /// Y coordinate of its upper side.
    pub top: f32,
    /// X coordinate of its right side.
    pub right: f32,
    /// Y coordinate of its lower side.
    pub bottom: f32,
}

impl Bounds {
    /// Smallest rectangle around points, if there are any.
    pub fn around(points: impl IntoIterator<Item = Point>) -> Option<Self> {
        points.into_iter().fold(None, |bounds: Option<Self>, point| {
            let of_point = Self {
                left: point.x,
                top: point.y,
                right: point.x,
                bottom: point.y,
            };
            Some(bounds.map_or(of_point, |bounds| bounds.with(&of_point)))
        })
    }

    /// Smallest rectangle around this and another one.
    pub fn with(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Width, from left to right.
    pub fn width(&self) -> f32 {
        self.right - self.left
    }

    /// Height, from top to bottom.
    pub fn height(&self) -> f32 {
        self.bottom - self.top
    }

    /// Its area.
    pub fn area(&self) -> f32 {
        self.width() * self.height()
    }

    /// Its middle.
    pub fn centre(&self) -> Point {
        Point::new((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }

    /// Intersection over union with another rectangle, 0 to 1.
    pub fn overlap(&self, other: &Self) -> f32 {
        let width = (self.right.min(other.right) - self.left.max(other.left)).max(0.0);
        let height = (self.bottom.min(other.bottom) - self.top.max(other.top)).max(0.0);
        let both = width * height;
        let all = self.width() * self.height() + other.width() * other.height() - both;
        if all > 0.0 { both / all } else { 0.0 }
    }
}

/// Rectangle of the smallest area around points, with its longer side as its width and that side's angle between
/// −90° and 90°. None for no points. Points of one line give a height of 0.
pub fn smallest_rectangle(points: &[Point]) -> Option<RotatedRect> {
    let hull = hull(points);
    let first = *hull.first()?;
    let mut best: Option<(f32, RotatedRect)> = None;
    // One side of it lies on a side of the hull.
    for (index, from) in hull.iter().enumerate() {
        let to = hull[(index + 1) % hull.len()];
        let angle = match (to.x - from.x, to.y - from.y) {
            (0.0, 0.0) => 0.0,
            (x, y) => y.atan2(x),
        };
        let Some(bounds) = Bounds::around(hull.iter().map(|point| point.turned(-angle))) else {
            continue;
        };
        let area = bounds.width() * bounds.height();
        if best.as_ref().is_none_or(|(smallest, _)| area < *smallest) {
            let rectangle = RotatedRect {
                centre: bounds.centre().turned(angle),
                width: bounds.width(),
                height: bounds.height(),
                angle,
            };
            best = Some((area, rectangle));
        }
    }
    let rectangle = best.map_or(
        RotatedRect {
            centre: first,
            width: 0.0,
            height: 0.0,
            angle: 0.0,
        },
        |(_, rectangle)| rectangle,
    );
    Some(upright(rectangle))
}

/// Turns a rectangle so that its longer side is its width and runs from left to right.
fn upright(rectangle: RotatedRect) -> RotatedRect {
    use std::f32::consts::{FRAC_PI_2, PI};
    let mut rectangle = if rectangle.height > rectangle.width {
        rectangle.seen_from(1)
    } else {
        rectangle
    };
    while rectangle.angle > FRAC_PI_2 {
        rectangle.angle -= PI;
    }
    while rectangle.angle <= -FRAC_PI_2 {
        rectangle.angle += PI;
    }
    rectangle
}

/// Convex hull of points, its corners in order (Andrew's monotone chain).
fn hull(points: &[Point]) -> Vec<Point> {
    let mut points = points.to_vec();
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut hull: Vec<Point> = Vec::new();
    let right_turn = |a: Point, b: Point, c: Point| (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) <= 0.0;
    for half in 0..2 {
        let start = hull.len();
        let ordered: Box<dyn Iterator<Item = &Point>> = match half {
            0 => Box::new(points.iter()),
            _ => Box::new(points.iter().rev()),
        };
        for point in ordered {
            while hull.len() >= start + 2 && right_turn(hull[hull.len() - 2], hull[hull.len() - 1], *point) {
                hull.pop();
            }
            hull.push(*point);
        }
        // The last of this half is the first of the other.
        hull.pop();
    }
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_turned_rectangle_again() {
        for degrees in [-80.0f32, -45.0, -3.0, 0.0, 12.0, 44.0, 89.0] {
            let made = RotatedRect {
                centre: Point::new(50.0, -20.0),
                width: 40.0,
                height: 9.0,
                angle: degrees.to_radians(),
            };
            let mut points = made.corners().to_vec();
            points.push(made.centre);
            let found = smallest_rectangle(&points).unwrap();
            assert!(
                (found.width - 40.0).abs() < 0.01 && (found.height - 9.0).abs() < 0.01,
                "{found:?}"
            );
            assert!((found.angle.to_degrees() - degrees).abs() < 0.1, "{degrees}: {found:?}");
            assert!((found.centre.x - 50.0).abs() < 0.01 && (found.centre.y + 20.0).abs() < 0.01);
        }
    }

    #[test]
    fn a_single_point_and_a_line_have_rectangles() {
        assert_eq!(smallest_rectangle(&[]), None);
        assert_eq!(smallest_rectangle(&[Point::new(1.0, 2.0)]).unwrap().width, 0.0);
        let line = smallest_rectangle(&[Point::new(0.0, 0.0), Point::new(3.0, 4.0), Point::new(6.0, 8.0)]).unwrap();
        assert!((line.width - 10.0).abs() < 0.001 && line.height.abs() < 0.001);
    }

    #[test]
    fn overlap_is_a_share_of_the_whole() {
        let a = Bounds {
            left: 0.0,
            top: 0.0,
            right: 2.0,
            bottom: 1.0,
        };
        let b = Bounds {
            left: 1.0,
            top: 0.0,
            right: 3.0,
            bottom: 1.0,
        };
        assert!((a.overlap(&b) - 1.0 / 3.0).abs() < 0.001);
        assert_eq!(
            a.overlap(&Bounds {
                left: 5.0,
                right: 6.0,
                ..a
            }),
            0.0
        );
    }
}
