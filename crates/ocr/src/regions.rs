//! From a map of probabilities to rectangles around lines: the post-processing of differentiable binarisation.
//!
//! The model shrinks lines so that neighbours do not touch; what hangs together in its map is the core of one line. The
//! core is given its smallest rectangle, which is then grown by what the training shrank it: the area over the
//! perimeter, times [`GROWTH`]. For rectangles that is all that general polygon clipping would come to.

use crate::geometry::{Point, Slanted, smallest_rectangle};

/// From this probability on, a pixel belongs to a core.
const CORE: f32 = 0.3;
/// A core whose pixels are less probable than this on average is none.
const LEAST: f32 = 0.5;
/// How much cores are grown.
const GROWTH: f32 = 1.6;
/// Pixels; lower cores are specks.
const LOWEST: f32 = 3.0;
/// A picture has no more lines than this; the rest is a pattern.
const MOST: usize = 1_000;

/// The rectangles around lines in a map of the given width, each with the average probability of its core.
pub fn find(map: &[f32], width: usize) -> Vec<(Slanted, f32)> {
    let height = map.len() / width;
    let mut seen = vec![false; map.len()];
    let mut found = Vec::new();
    let mut waiting = Vec::new();
    for start in 0..map.len() {
        if seen[start] || map[start] < CORE {
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
                    if !seen[neighbour] && map[neighbour] >= CORE {
                        seen[neighbour] = true;
                        waiting.push(neighbour);
                    }
                }
            }
        }
        found.extend(core.line());
        if found.len() == MOST {
            break;
        }
    }
    found
}

/// The pixels of one core.
#[derive(Default)]
struct Core {
    /// For each row from its first one on: the leftmost and the rightmost pixel.
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

    /// The line that it is the core of, if it is one, and how probable that is.
    fn line(&self) -> Option<(Slanted, f32)> {
        let probability = (self.probability / self.pixels.max(1) as f64) as f32;
        if probability < LEAST {
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
        if core.height < LOWEST {
            return None;
        }
        let growth = core.width * core.height * GROWTH / (2.0 * (core.width + core.height));
        let line = Slanted {
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
        let growth = 40.0 * 8.0 * GROWTH / 96.0;
        let found: Vec<Slanted> = found
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
