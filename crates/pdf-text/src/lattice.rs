//! Tables with drawn lines ("lattice" method): the cells are the areas between the lines.
//!
//! Lines that touch belong together; a group with at least two rows and two columns, most of whose cells have text, is
//! a table.

use super::line::Line;
use super::page_content::Area;
use super::paragraphs;
use super::text_runs::TextRun;

/// Largest distance of lines that touch, in points.
const TOUCH_TOLERANCE_POINTS: f64 = 3.0;
/// Most ruling lines of a page that is searched for tables.
const MAX_RULES: usize = 3_000;
/// Most cells of a table.
const MAX_CELLS: usize = 20_000;

/// Table with drawn lines.
#[derive(Debug)]
pub struct Lattice {
    area: Area,
    /// Boundaries of the rows, from the top.
    rows: Vec<f64>,
    /// Boundaries of the columns, from the left.
    columns: Vec<f64>,
}

/// Replaces the text runs of each table with drawn lines by one that stands for the table.
pub fn take(runs: Vec<TextRun>, rules: &[Area]) -> Vec<TextRun> {
    let mut rest = runs;
    for lattice in lattices(rules) {
        let (inside, outside): (Vec<TextRun>, Vec<TextRun>) = rest.into_iter().partition(|run| lattice.holds(run));
        rest = outside;
        match lattice.text(&inside) {
            Some(text) => rest.push(TextRun::of_table(text, lattice.area)),
            None => rest.extend(inside),
        }
    }
    rest
}

/// Finds groups of lines that may be tables.
fn lattices(rules: &[Area]) -> Vec<Lattice> {
    if rules.len() > MAX_RULES || rules.len() < 6 {
        return Vec::new();
    }
    let mut order: Vec<Area> = rules.to_vec();
    order.sort_by(|a, b| a.y0.total_cmp(&b.y0));
    let mut groups: Vec<(Area, Vec<Area>)> = Vec::new();
    for rule in order {
        let near = Area {
            x0: rule.x0 - TOUCH_TOLERANCE_POINTS,
            y0: rule.y0 - TOUCH_TOLERANCE_POINTS,
            x1: rule.x1 + TOUCH_TOLERANCE_POINTS,
            y1: rule.y1 + TOUCH_TOLERANCE_POINTS,
        };
        let mut whole = (rule, vec![rule]);
        // Touching the box of a group is not yet touching its lines, but there are few tables in one another.
        groups.retain_mut(|(area, members)| {
            let common = area.common(&near);
            let touches = common.x0 <= common.x1
                && common.y0 <= common.y1
                && members.iter().any(|member| {
                    let common = member.common(&near);
                    common.x0 <= common.x1 && common.y0 <= common.y1
                });
            if touches {
                whole.0 = whole.0.with(area);
                whole.1.append(members);
            }
            !touches
        });
        groups.push(whole);
    }
    let mut found: Vec<Lattice> = groups
        .into_iter()
        .filter_map(|(area, rules)| lattice(area, &rules))
        .collect();
    found.sort_by(|a, b| a.area.square().total_cmp(&b.area.square()));
    found
}

fn lattice(area: Area, rules: &[Area]) -> Option<Lattice> {
    let (width, height) = (area.x1 - area.x0, area.y1 - area.y0);
    let flat = |rule: &&Area| rule.x1 - rule.x0 > rule.y1 - rule.y0;
    let mut rows = places(
        rules.iter().filter(flat).map(|rule| (rule.y0, rule.x1 - rule.x0)),
        0.4 * width,
    );
    let mut columns = places(
        rules
            .iter()
            .filter(|rule| !flat(rule))
            .map(|rule| (rule.x0, rule.y1 - rule.y0)),
        0.4 * height,
    );
    // Many tables are open at their sides.
    close(&mut rows, area.y0, area.y1);
    close(&mut columns, area.x0, area.x1);
    let cells = rows.len().saturating_sub(1) * columns.len().saturating_sub(1);
    (rows.len() >= 3 && columns.len() >= 3 && cells <= MAX_CELLS).then_some(Lattice { area, rows, columns })
}

/// Adds the ends to the positions of lines, where no line is.
fn close(places: &mut Vec<f64>, from: f64, to: f64) {
    if places
        .first()
        .is_none_or(|first| first - from > 2.0 * TOUCH_TOLERANCE_POINTS)
    {
        places.insert(0, from);
    }
    if places
        .last()
        .is_none_or(|last| to - last > 2.0 * TOUCH_TOLERANCE_POINTS)
    {
        places.push(to);
    }
}

/// Positions of lines that together are long enough.
fn places(lines: impl Iterator<Item = (f64, f64)>, long: f64) -> Vec<f64> {
    let mut lines: Vec<(f64, f64)> = lines.collect();
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut found: Vec<(f64, f64)> = Vec::new();
    for (place, length) in lines {
        match found.last_mut() {
            Some(last) if place - last.0 < TOUCH_TOLERANCE_POINTS => last.1 += length,
            _ => found.push((place, length)),
        }
    }
    found
        .into_iter()
        .filter(|(_, length)| *length >= long)
        .map(|(place, _)| place)
        .collect()
}

impl Lattice {
    fn holds(&self, run: &TextRun) -> bool {
        let (x, y) = (f64::midpoint(run.area.x0, run.area.x1), run.y - 0.3 * run.size);
        run.table.is_none() && x > self.area.x0 && x < self.area.x1 && y > self.area.y0 && y < self.area.y1
    }

    /// Text of the table, its rows as lines with tabs between the cells; none if too few cells have text.
    fn text(&self, runs: &[TextRun]) -> Option<String> {
        let columns = self.columns.len() - 1;
        let mut cells: Vec<Vec<TextRun>> = vec![Vec::new(); (self.rows.len() - 1) * columns];
        for run in runs {
            let place =
                |lines: &[f64], at: f64| lines.partition_point(|line| *line <= at).clamp(1, lines.len() - 1) - 1;
            let row = place(&self.rows, run.y - 0.3 * run.size);
            // By where it begins: long words stand out of narrow cells to the right.
            let column = place(&self.columns, run.area.x0 + 0.3 * run.size);
            cells[row * columns + column].push(run.clone());
        }
        let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
        let rows_of_several = cells
            .chunks(columns)
            .filter(|row| row.iter().filter(|cell| !cell.is_empty()).count() > 1)
            .count();
        if filled * 3 < cells.len() || rows_of_several < 2 {
            return None;
        }
        let text = |cell: Vec<TextRun>| {
            let lines: Vec<Line> = paragraphs::lines(cell);
            paragraphs::joined(&lines, &|_| false)
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        };
        let mut rows = Vec::new();
        let mut cells = cells.into_iter();
        for _ in 1..self.rows.len() {
            let row: Vec<String> = cells.by_ref().take(columns).map(text).collect();
            if row.iter().any(|cell| !cell.is_empty()) {
                rows.push(row.join("\t").trim_end().to_owned());
            }
        }
        Some(rows.join("\n"))
    }
}
