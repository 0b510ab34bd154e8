//! Running headers and footers: lines near the edges that come again from page to page, but for their numbers.

use rustc_hash::FxHashMap;

use super::layout::{PageLayout, Part};
use super::line::Line;

/// Least number of pages on which a line must be at the same height.
const MIN_REPEATED_PAGES: usize = 3;
/// Share of the height of the page, at its top and bottom, in which headers and footers are searched for.
const EDGE_HEIGHT_SHARE: f64 = 0.14;
/// Largest distance of a line from its usual height, in points.
const HEIGHT_TOLERANCE_POINTS: f64 = 3.0;

/// Moves lines that repeat from the parts of the pages to their headers and footers.
pub fn separate(layouts: &mut [PageLayout]) {
    let mut texts: FxHashMap<(String, bool), Vec<f64>> = FxHashMap::default();
    let mut heights: FxHashMap<(i64, bool), usize> = FxHashMap::default();
    for layout in layouts.iter() {
        let mut seen: Vec<(i64, bool)> = Vec::new();
        let body = extent(layout);
        for (line, top) in edges(layout) {
            texts.entry((key(&line.text), top)).or_default().push(line.y);
            // Lines that stand alone at the edge of the text.
            if alone(line, top, body) {
                seen.push((slot(line.y), top));
            }
        }
        seen.dedup();
        seen.into_iter().for_each(|at| *heights.entry(at).or_default() += 1);
    }
    let pages = layouts.len();
    for layout in layouts.iter_mut() {
        let height = layout.height;
        let body = extent(layout);
        let (mut headers, mut footers) = (Vec::new(), Vec::new());
        for part in &mut layout.parts {
            let Part::Lines(lines) = part else { continue };
            lines.retain(|line| {
                let Some(top) = edge(line, height) else { return true };
                let same = texts.get(&(key(&line.text), top)).map_or(0, |found| {
                    found
                        .iter()
                        .filter(|y| (**y - line.y).abs() < HEIGHT_TOLERANCE_POINTS)
                        .count()
                });
                let usual: usize = (-1..=1)
                    .filter_map(|near| heights.get(&(slot(line.y) + near, top)))
                    .sum();
                let placed = pages >= 8 && usual * 10 >= pages * 6 && alone(line, top, body);
                let outermost = if top {
                    line.y < body[1] + 1.0
                } else {
                    line.y > body[2] - 1.0
                };
                let repeats = outermost && same >= MIN_REPEATED_PAGES;
                if !repeats && !placed {
                    return true;
                }
                let found = if top { &mut headers } else { &mut footers };
                found.push(line.clone());
                false
            });
        }
        layout
            .parts
            .retain(|part| !matches!(part, Part::Lines(lines) if lines.is_empty()));
        layout.headers.append(&mut headers);
        layout.footers.append(&mut footers);
    }
}

/// Text of a line with one sign for all numbers.
fn key(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        let c = if c.is_numeric() { '#' } else { c };
        if !(c == '#' && out.ends_with('#')) {
            out.push(c);
        }
    }
    // The numbers of the first pages.
    if !out.is_empty() && out.chars().all(|c| matches!(c, 'i' | 'v' | 'x' | 'l')) {
        "#".into()
    } else {
        out
    }
}

fn slot(y: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "a place on a page")]
    let slot = (y / HEIGHT_TOLERANCE_POINTS).round() as i64;
    slot
}

/// Edge that a line is near: true for the top, false for the bottom, none for neither.
fn edge(line: &Line, height: f64) -> Option<bool> {
    if line.y < height * EDGE_HEIGHT_SHARE {
        Some(true)
    } else if line.y > height * (1.0 - EDGE_HEIGHT_SHARE) {
        Some(false)
    } else {
        None
    }
}

fn lines(layout: &PageLayout) -> impl Iterator<Item = &Line> {
    layout.parts.iter().flat_map(|part| match part {
        Part::Lines(lines) => lines.as_slice(),
        _ => &[],
    })
}

fn edges(layout: &PageLayout) -> impl Iterator<Item = (&Line, bool)> {
    lines(layout).filter_map(|line| edge(line, layout.height).map(|top| (line, top)))
}

/// Heights of the outermost lines at the top and at the bottom, and of those next to them.
fn extent(layout: &PageLayout) -> [f64; 4] {
    let mut all: Vec<f64> = lines(layout).map(|line| line.y).collect();
    all.sort_by(f64::total_cmp);
    all.dedup_by(|b, a| (*b - *a).abs() < 1.0);
    let at = |index: usize| all.get(index).copied().unwrap_or(f64::NAN);
    [
        at(0),
        at(1),
        at(all.len().wrapping_sub(2)),
        at(all.len().wrapping_sub(1)),
    ]
}

/// Returns true if a line is the outermost one, with more than the usual distance to the next.
fn alone(line: &Line, top: bool, [first, second, last_but_one, last]: [f64; 4]) -> bool {
    if top {
        (line.y - first).abs() < 1.0 && second - line.y > 1.7 * line.size
    } else {
        (line.y - last).abs() < 1.0 && line.y - last_but_one > 1.7 * line.size
    }
}
