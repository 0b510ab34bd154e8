//! Post-processing of differentiable binarisation: from a probability map to rectangles around lines.
//!
//! The model shrinks lines so that neighbours do not touch; a connected component of its map is the core of one line.
//! The core is given its smallest rectangle, which is then grown by what the training shrank it: the area over the
//! perimeter, times [`UNCLIP_RATIO`]. For rectangles that is all that general polygon clipping would come to.

use crate::geometry::{Point, RotatedRect, smallest_rectangle};

/// Probability from which on a pixel belongs to a core.
const MIN_PIXEL_PROBABILITY: f32 = 0.3;
/// Least average probability of the pixels of a core.
const MIN_CORE_PROBABILITY: f32 = 0.5;
/// Factor by which cores are grown.
const UNCLIP_RATIO: f32 = 1.6;
/// Least height of a core, in pixels; lower ones are specks.
const MIN_CORE_HEIGHT_PIXELS: f32 = 3.0;
/// Most lines of a picture; the rest is a pattern.
const MAX_LINES: usize = 1_000;

/// Finds the rectangles around lines in a map of the given width, each with the average probability of its core.
pub fn find(map: &[f32], width: usize) -> Vec<(RotatedRect, f32)> {
    let height = map.len() / width;
    let mut seen = vec![false; map.len()];
    let mut found = Vec::new();
    let mut waiting = Vec::new();
    for start in 0..map.len() {
        if seen[start] || map[start] < MIN_PIXEL_PROBABILITY {
            continue;
        }
        seen[start] = true;
        waiting.push(start);
        let mut core = Core::default();
        while let Some(index) = waiting.pop() {
            let (x, y) = (index % width, index / width);
            core.add(x, y, map[index]);
            for ny in y.saturating_sub(1)..=(y + 1).min(height - 1) {
                for nx in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                    let neighbour = ny * width + nx;
                    if !seen[neighbour] && map[neighbour] >= MIN_PIXEL_PROBABILITY {
                        seen[neighbour] = true;
                        waiting.push(neighbour);
                    }
                }
            }
        }
        found.extend(core.line());
        if found.len() == MAX_LINES {
            break;
        }
    }
    found
}

/// Pixels of one core.
#[derive(Default)]
struct Core {
    /// Leftmost and rightmost pixel of each row.
    rows: std::collections::BTreeMap<usize, (usize, usize)>,
    probability: f64,
    pixels: usize,
}

impl Core {
    fn add(&mut self, x: usize, y: usize, probability: f32) {
        let row = self.rows.entry(y).or_insert((x, x));
        row.0 = row.0.min(x);
        row.1 = row.1.max(x);
        self.probability += f64::from(probability);
        self.pixels += 1;
    }

    /// The line around the core with its probability, if it is one.
    fn line(&self) -> Option<(RotatedRect, f32)> {
        let probability = (self.probability / self.pixels.max(1) as f64) as f32;
        if probability < MIN_CORE_PROBABILITY {
            return None;
        }
        // The corners of the outermost pixels.
        let points: Vec<Point> = self
            .rows
            .iter()
            .flat_map(|(y, (left, right))| {
                let (top, left, right) = (*y as f32, *left as f32, *right as f32 + 1.0);
                [(left, top), (right, top), (left, top + 1.0), (right, top + 1.0)].map(|(x, y)| Point::new(x, y))
            })
            .collect();
        let core = smallest_rectangle(&points)?;
        if core.height < MIN_CORE_HEIGHT_PIXELS {
            return None;
        }
        let growth = core.width * core.height * UNCLIP_RATIO / (2.0 * (core.width + core.height));
        let line = RotatedRect {
            width: core.width + 2.0 * growth,
            height: core.height + 2.0 * growth,
            ..core
        };
        Some((line, probability))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cores_are_two_grown_lines_and_a_speck_is_none() {
        let (width, height) = (100, 60);
        let mut map = vec![0.0; width * height];
        for y in 0..height {
            for x in 0..width {
                let first = (10..50).contains(&x) && (10..18).contains(&y);
                let second = (20..80).contains(&x) && (30..40).contains(&y);
                let speck = x == 90 && y == 50;
                if first || second || speck {
                    map[y * width + x] = 0.9;
                }
            }
        }
        let found = find(&map, width);
        assert_eq!(found.len(), 2);
        let growth = 40.0 * 8.0 * UNCLIP_RATIO / 96.0;
        let found: Vec<RotatedRect> = found
            .into_iter()
            .map(|(line, probability)| {
                assert!((probability - 0.9).abs() < 0.001);
                line
            })
            .collect();
        assert!((found[0].width - 40.0 - 2.0 * growth).abs() < 0.01, "{found:?}");
        assert!((found[0].height - 8.0 - 2.0 * growth).abs() < 0.01, "{found:?}");
        assert_eq!(found[1].centre, Point::new(50.0, 35.0));
    }

    #[test]
    fn what_the_model_doubts_is_no_line() {
        let mut map = vec![0.0; 50 * 20];
        for y in 5..12 {
            map[y * 50 + 5..y * 50 + 40].fill(0.35);
        }
        assert!(find(&map, 50).is_empty());
    }
}
