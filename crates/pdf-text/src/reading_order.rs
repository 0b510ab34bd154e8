//! Reading order: columns, and tables, which look like columns.
//!
//! The page is cut where a white strip runs down between text runs: a maximal white rectangle in the sense of Breuel
//! ("Two geometric algorithms for layout analysis", 2002), here only upright ones between lines that would cross it.
//! Text above the strip is read first, then the left side, the right side and what is below; each part is cut again
//! in the same way (the recursive X-Y cut of Nagy and Seth, 1984, with strips that need not go through the whole page).
//! If the lines on both sides stand in rows and are short, the strip is not between columns but inside a table.

use super::page_content::Area;
use super::text_runs::TextRun;

/// Part of a page.
#[derive(Debug)]
pub enum Region {
    /// Running text.
    Text(Vec<TextRun>),
    /// Table, given by its text runs.
    Table(Vec<TextRun>),
    /// Table with drawn lines, given by its text and its bounds.
    Cells(String, Area),
}

/// White strip between text runs.
#[derive(Debug, Clone, Copy)]
struct Strip {
    x: f64,
    top: f64,
    bottom: f64,
    score: f64,
}

/// Most text runs for which strips are searched for; beyond, a page is no text that has an order.
const MAX_RUNS: usize = 4_000;
/// Deepest recursion of cuts.
const MAX_CUT_DEPTH: usize = 12;

/// Cuts a page into parts in reading order. `mirrored` is true if its columns follow from right to left.
pub fn arrange(runs: Vec<TextRun>, mirrored: bool) -> Vec<Region> {
    let mut regions = Vec::new();
    if runs.len() > MAX_RUNS {
        regions.push(Region::Text(runs));
    } else {
        cut(runs, mirrored, 0, &mut regions);
    }
    regions
}

fn cut(runs: Vec<TextRun>, mirrored: bool, depth: usize, regions: &mut Vec<Region>) {
    if runs.is_empty() {
        return;
    }
    let Some(strip) = (if depth < MAX_CUT_DEPTH { widest(&runs) } else { None }) else {
        leaf(runs, regions);
        return;
    };
    let (mut above, mut below, mut left, mut right) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for run in runs {
        if run.y < strip.top {
            above.push(run);
        } else if run.y > strip.bottom {
            below.push(run);
        } else if run.area.x1 <= strip.x {
            left.push(run);
        } else {
            right.push(run);
        }
    }
    cut(above, mirrored, depth + 1, regions);
    if is_table(&left, &right) {
        left.append(&mut right);
        regions.push(Region::Table(left));
    } else {
        let (first, second) = if mirrored { (right, left) } else { (left, right) };
        cut(first, mirrored, depth + 1, regions);
        cut(second, mirrored, depth + 1, regions);
    }
    cut(below, mirrored, depth + 1, regions);
}

/// Adds a part that is not cut any further: its text, and the tables in it.
fn leaf(mut runs: Vec<TextRun>, regions: &mut Vec<Region>) {
    let mut tables: Vec<TextRun> = Vec::new();
    runs.retain_mut(|run| {
        let table = run.table.is_some();
        if table {
            tables.push(run.clone());
        }
        !table
    });
    tables.sort_by(|a, b| a.area.y0.total_cmp(&b.area.y0));
    for table in tables {
        let (above, below): (Vec<TextRun>, Vec<TextRun>) =
            runs.into_iter().partition(|run| run.y < table.area.y0 + 1.0);
        runs = below;
        if !above.is_empty() {
            regions.push(Region::Text(above));
        }
        regions.extend(table.table.map(|text| Region::Cells(text, table.area)));
    }
    if !runs.is_empty() {
        regions.push(Region::Text(runs));
    }
}

/// Strip that has the most lines on both sides.
fn widest(runs: &[TextRun]) -> Option<Strip> {
    if runs.len() < 4 {
        return None;
    }
    let mut order: Vec<&TextRun> = runs.iter().collect();
    order.sort_by(|a, b| a.y.total_cmp(&b.y));
    let mut sizes: Vec<f64> = runs.iter().map(|run| run.size).collect();
    sizes.sort_by(f64::total_cmp);
    let size = sizes[sizes.len() / 2];
    let mut candidates: Vec<f64> = runs.iter().map(|run| run.area.x1).collect();
    candidates.sort_by(f64::total_cmp);
    candidates.dedup_by(|b, a| *b - *a < 0.25 * size);
    let mut best: Option<Strip> = None;
    for edge in candidates {
        let x = edge + 0.3 * size;
        let mut from = 0;
        for at in 0..=order.len() {
            let crosses = order.get(at).is_none_or(|run| run.area.x0 < x && run.area.x1 > x);
            if !crosses {
                continue;
            }
            if at - from >= 4
                && let Some(strip) = strip(&order[from..at], x, size)
                && best.is_none_or(|best| strip.score > best.score)
            {
                best = Some(strip);
            }
            from = at + 1;
        }
    }
    best
}

/// Strip through lines none of which crosses `x`, when there is text on both sides of it.
fn strip(lines: &[&TextRun], x: f64, size: f64) -> Option<Strip> {
    let side = |left: bool| lines.iter().filter(move |run| (run.area.x1 <= x) == left);
    let rows = |left: bool| -> (usize, f64, f64) {
        let mut rows = 0;
        let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
        for run in side(left) {
            if run.y - last > 0.3 * size {
                rows += 1;
                last = run.y;
            }
            first = first.min(run.y);
        }
        (rows, first, last)
    };
    let ((left, left_top, left_bottom), (right, right_top, right_bottom)) = (rows(true), rows(false));
    if left < 2 || right < 2 {
        return None;
    }
    let end = side(true).map(|run| run.area.x1).fold(f64::NEG_INFINITY, f64::max);
    let start = side(false).map(|run| run.area.x0).fold(f64::INFINITY, f64::min);
    let width = (start - end) / size;
    if width < 0.9 {
        return None;
    }
    // The signs and numbers of a list are no column.
    let mut widths: Vec<f64> = side(true).map(|run| run.width_in_sizes()).collect();
    widths.sort_by(f64::total_cmp);
    let labels = widths[widths.len() / 2] < 2.2;
    if labels && side(true).filter(|run| is_label(run)).count() * 3 >= widths.len() * 2 {
        return None;
    }
    let (mut top, mut bottom) = (
        left_top.max(right_top) - 0.3 * size,
        left_bottom.min(right_bottom) + 0.3 * size,
    );
    if bottom - top < size {
        return None;
    }
    // A side that goes on alone belongs to it as long as it goes on line by line.
    for run in lines.iter().rev() {
        if run.y < top && top - run.y <= 2.2 * size {
            top = run.y - 0.1 * size;
        }
    }
    for run in lines {
        if run.y > bottom && run.y - bottom <= 2.2 * size {
            bottom = run.y + 0.1 * size;
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "lines of a page")]
    let score = left.min(right) as f64 * (1.0 + width.min(4.0) / 8.0);
    Some(Strip { x, top, bottom, score })
}

/// Returns true if a text run is the sign or the number of an item.
fn is_label(run: &TextRun) -> bool {
    let text: String = run.chars.iter().map(|ch| ch.text.as_str()).collect();
    let text = text.trim();
    let inner = text.trim_matches(|c| matches!(c, '.' | ')' | '(' | '[' | ']' | ':'));
    inner.chars().count() <= 1
        || (inner.len() < text.len() && inner.chars().all(|c| c.is_ascii_digit() || c == '.'))
        || inner.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// Returns true if the two sides of a strip are a table: most lines of the shorter side have one beside them, and one
/// side is narrower than running text is.
fn is_table(left: &[TextRun], right: &[TextRun]) -> bool {
    if left.iter().chain(right).any(|run| run.table.is_some()) {
        return false;
    }
    let (few, many) = if left.len() <= right.len() {
        (left, right)
    } else {
        (right, left)
    };
    let beside = few
        .iter()
        .filter(|run| many.iter().any(|other| (other.y - run.y).abs() < 0.25 * run.size))
        .count();
    let width = |side: &[TextRun]| {
        let mut widths: Vec<f64> = side.iter().map(TextRun::width_in_sizes).collect();
        widths.sort_by(f64::total_cmp);
        widths[widths.len() / 2]
    };
    !few.is_empty() && beside * 10 >= few.len() * 7 && width(left).min(width(right)) < 10.0
}
