//! Reading order: columns one after the other, rows from above, a row from left to right.
//!
//! A page is cut at empty bands, as in the XY-cut, but not at every one: the lines of a receipt or a table stand in
//! columns too, and are read across. A gap is between columns where the lines on both sides fill their side.

use crate::bidi;
use crate::geometry::{Bounds, Point};
use crate::reading::Line;

/// Least number of lines of a column.
const MIN_COLUMN_LINES: usize = 3;
/// Least median length of a column's lines, in heights of a line.
const MIN_COLUMN_LINE_ASPECT: f32 = 5.0;
/// Least share of the column's width that its median line fills.
const MIN_COLUMN_FILL: f32 = 0.5;
/// Least width of a gap between columns, in heights of a line. Boxes are wider than their letters, so that on the page
/// it is about one height.
const MIN_COLUMN_GAP: f32 = 0.6;
/// Distance of rows, in heights of a line, above which they are different blocks.
const MIN_BLOCK_GAP: f32 = 1.1;
/// Least vertical overlap of lines of one row, as a share of the lower one's height.
const MIN_ROW_OVERLAP: f32 = 0.5;
/// Most strips in which columns are searched for at once: the search is quadratic.
const MAX_SEARCHED_STRIPS: usize = 250;

/// Line with its bounds on the upright page.
struct Placed {
    line: Line,
    at: Bounds,
}

/// Sorts the lines of a picture that must be turned by `turn` quarters clockwise, and numbers blocks and rows.
pub fn in_order(lines: Vec<Line>, turn: usize) -> Vec<Line> {
    let upright = turn as f32 * std::f32::consts::FRAC_PI_2;
    let tilt = upright + tilt(&lines, upright);
    let placed: Vec<Placed> = lines
        .into_iter()
        .filter_map(|line| {
            let at = Bounds::around(line.place.corners().map(|corner: Point| corner.turned(tilt)))?;
            Some(Placed { line, at })
        })
        .collect();
    let mut ordered = Ordered::default();
    ordered.region(placed);
    ordered.lines
}

/// Rotation that sets the lines of a page level, in radians: minus the median of their angles, weighted by length.
fn tilt(lines: &[Line], upright: f32) -> f32 {
    use std::f32::consts::PI;
    let mut angles: Vec<(f32, f32)> = lines
        .iter()
        .map(|line| {
            (
                (line.place.angle + upright + PI).rem_euclid(2.0 * PI) - PI,
                line.place.width,
            )
        })
        .filter(|(angle, _)| angle.abs() < PI / 6.0)
        .collect();
    angles.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half: f32 = angles.iter().map(|(_, length)| length).sum::<f32>() / 2.0;
    let mut sum = 0.0;
    let median = angles.iter().find(|(_, length)| {
        sum += length;
        sum >= half
    });
    -median.map_or(0.0, |(angle, _)| *angle)
}

#[derive(Default)]
struct Ordered {
    lines: Vec<Line>,
    blocks: usize,
    rows: usize,
}

impl Ordered {
    fn region(&mut self, placed: Vec<Placed>) {
        let mut strips = strips(placed);
        let mut first = 0;
        let mut rows: Vec<Placed> = Vec::new();
        while first < strips.len() {
            let last = strips.len().min(first + MAX_SEARCHED_STRIPS);
            // The longest run of strips that is set in columns.
            let found = (first + 1..=last)
                .rev()
                .find_map(|end| Some((end, gap(&strips[first..end])?)));
            let Some((end, gap)) = found else {
                rows.append(&mut strips[first]);
                first += 1;
                continue;
            };
            self.block(std::mem::take(&mut rows));
            let run = strips[first..end].iter_mut().flat_map(std::mem::take);
            let (left, right) = run.partition(|placed| placed.at.centre().x < gap);
            self.region(left);
            self.region(right);
            first = end;
        }
        self.block(rows);
    }

    /// Adds lines that are read across.
    fn block(&mut self, placed: Vec<Placed>) {
        let mut before: Option<Bounds> = None;
        for row in rows(placed) {
            let Some(at) = row.iter().map(|placed| placed.at).reduce(|a, b| a.with(&b)) else {
                continue;
            };
            let height = row.iter().map(|placed| placed.at.height()).fold(0.0, f32::max);
            let apart =
                before.is_none_or(|before| at.top - before.bottom > MIN_BLOCK_GAP * height.min(before.height()));
            self.blocks += usize::from(apart);
            self.rows += 1;
            before = Some(at);
            for mut placed in row {
                placed.line.block = self.blocks;
                placed.line.row = self.rows;
                self.lines.push(placed.line);
            }
        }
    }
}

/// Groups lines into bands from above, with nothing between the bands.
fn strips(mut placed: Vec<Placed>) -> Vec<Vec<Placed>> {
    placed.sort_by(|a, b| a.at.top.total_cmp(&b.at.top));
    let mut strips: Vec<Vec<Placed>> = Vec::new();
    let mut bottom = f32::NEG_INFINITY;
    for placed in placed {
        // Boxes are somewhat higher than their letters: that they touch says nothing.
        let slack = placed.at.height() * 0.25;
        let (top, end) = (placed.at.top + slack, placed.at.bottom - slack);
        match strips.last_mut() {
            Some(strip) if top < bottom => {
                strip.push(placed);
                bottom = bottom.max(end);
            }
            _ => {
                strips.push(vec![placed]);
                bottom = end;
            }
        }
    }
    strips
}

/// X coordinate of the widest gap between columns, if the strips are set in columns.
fn gap(strips: &[Vec<Placed>]) -> Option<f32> {
    let mut all: Vec<Bounds> = strips.iter().flatten().map(|placed| placed.at).collect();
    if all.len() < 2 * MIN_COLUMN_LINES {
        return None;
    }
    // Below, the first and the last strip must have something on the left: what stands on the right alone is no column
    // yet.
    all.sort_by(|a, b| a.left.total_cmp(&b.left));
    let height = median(all.iter().map(Bounds::height));
    let mut right = f32::NEG_INFINITY;
    let mut gaps = Vec::new();
    for (index, at) in all.iter().enumerate() {
        if index > 0 && at.left - right >= MIN_COLUMN_GAP * height {
            gaps.push((at.left - right, index, (at.left + right) / 2.0));
        }
        right = right.max(at.right);
    }
    gaps.sort_by(|a, b| b.0.total_cmp(&a.0));
    gaps.into_iter()
        .find(|(_, index, x)| {
            let (left, right) = all.split_at(*index);
            let mut ends = [strips.first(), strips.last()].into_iter().flatten();
            is_column(left, height)
                && is_column(right, height)
                && ends.all(|strip| strips.len() == 1 || strip.iter().any(|placed| placed.at.centre().x < *x))
        })
        .map(|(_, _, x)| x)
}

/// Returns true if lines are running text of one width.
fn is_column(lines: &[Bounds], height: f32) -> bool {
    if lines.len() < MIN_COLUMN_LINES {
        return false;
    }
    let Some(all) = lines.iter().copied().reduce(|a, b| a.with(&b)) else {
        return false;
    };
    let length = median(lines.iter().map(Bounds::width));
    length >= MIN_COLUMN_LINE_ASPECT * height && length >= MIN_COLUMN_FILL * all.width()
}

fn median(values: impl Iterator<Item = f32>) -> f32 {
    let mut values: Vec<f32> = values.collect();
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Groups lines into rows from above, each from left to right, or from right to left if its script runs so.
fn rows(mut placed: Vec<Placed>) -> Vec<Vec<Placed>> {
    placed.sort_by(|a, b| a.at.centre().y.total_cmp(&b.at.centre().y));
    let mut rows: Vec<Vec<Placed>> = Vec::new();
    for placed in placed {
        let joins = |row: &&mut Vec<Placed>| {
            row.iter().all(|other| {
                let common = placed.at.bottom.min(other.at.bottom) - placed.at.top.max(other.at.top);
                let beside =
                    placed.at.left.max(other.at.left) >= placed.at.right.min(other.at.right) - placed.at.height() * 0.5;
                beside && common >= MIN_ROW_OVERLAP * placed.at.height().min(other.at.height())
            })
        };
        match rows.last_mut().filter(joins) {
            Some(row) => row.push(placed),
            None => rows.push(vec![placed]),
        }
    }
    for row in &mut rows {
        row.sort_by(|a, b| a.at.left.total_cmp(&b.at.left));
        let right_to_left = |placed: &&Placed| bidi::runs_right_to_left(&placed.line.text);
        if 2 * row.iter().filter(right_to_left).count() > row.len() {
            row.reverse();
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::RotatedRect;
    use crate::reading::Reading;

    fn line(text: &str, left: f32, top: f32, width: f32) -> Line {
        Line {
            text: text.to_owned(),
            confidence: 1.0,
            script: None,
            place: RotatedRect {
                centre: Point::new(left + width / 2.0, top + 10.0),
                width,
                height: 20.0,
                angle: 0.0,
            },
            block: 0,
            row: 0,
        }
    }

    fn text(lines: Vec<Line>, turn: usize) -> String {
        let lines = in_order(lines, turn);
        Reading {
            lines,
            turn,
            ..Reading::default()
        }
        .text()
    }

    /// A page as it looks when it lies on another of its sides.
    fn lying(lines: Vec<Line>, degrees: f32) -> Vec<Line> {
        let angle = degrees.to_radians();
        lines
            .into_iter()
            .map(|mut line| {
                line.place.centre = line.place.centre.turned(angle);
                line.place.angle += angle;
                line
            })
            .collect()
    }

    fn columns() -> Vec<Line> {
        let mut lines = vec![line("Title", 0.0, 0.0, 600.0)];
        for row in 0..4 {
            let top = 60.0 + row as f32 * 30.0;
            lines.push(line(&format!("right{row}"), 320.0, top + 4.0, 280.0));
            lines.push(line(&format!("left{row}"), 0.0, top, 280.0));
        }
        lines.push(line("Foot", 0.0, 220.0, 600.0));
        lines
    }

    #[test]
    fn columns_are_read_one_after_the_other_between_title_and_foot() {
        let expected = "Title\n\nleft0\nleft1\nleft2\nleft3\n\nright0\nright1\nright2\nright3\n\nFoot";
        assert_eq!(text(columns(), 0), expected);
        assert_eq!(text(lying(columns(), 4.0), 0), expected);
        assert_eq!(text(lying(columns(), -90.0), 1), expected);
        assert_eq!(text(lying(columns(), 183.0), 2), expected);
    }

    #[test]
    fn a_receipt_is_read_across() {
        let mut lines = Vec::new();
        for (row, (name, price)) in [("Coffee", "2.50"), ("Cake", "3.20"), ("Tea", "2.00"), ("Total", "7.70")]
            .iter()
            .enumerate()
        {
            lines.push(line(price, 400.0, row as f32 * 26.0 + 2.0, 45.0));
            lines.push(line(name, 0.0, row as f32 * 26.0, 100.0));
        }
        assert_eq!(text(lines, 0), "Coffee 2.50\nCake 3.20\nTea 2.00\nTotal 7.70");
    }

    #[test]
    fn nothing_has_an_order_too() {
        assert!(in_order(Vec::new(), 3).is_empty());
    }
}
