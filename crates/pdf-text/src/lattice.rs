//! Tables whose lines are drawn: cells are what lies between the lines.
//!
//! Lines that touch belong together; a group with at least two rows and two columns, most of whose cells say something, is
//! a table. (What other readers call the "lattice" method.)

use super::line::Line;
use super::page_content::Area;
use super::paragraphs;
use super::text_runs::TextRun;

/// How far lines that touch may be apart, in points.
const TOUCH: f64 = 3.0;
/// The most lines of a page for which this is done.
const RULES: usize = 3_000;
/// The most cells of a table.
const CELLS: usize = 20_000;

/// A table with drawn lines.
#[derive(Debug)]
pub struct Lattice {
    area: Area,
    /// Where rows begin and end, from the top.
    rows: Vec<f64>,
    /// Where columns begin and end, from the left.
    columns: Vec<f64>,
}

/// Takes the tables with drawn lines out of the pieces of a page, and puts one piece in place of each.
pub fn take(runs: Vec<TextRun>, rules: &[Area]) -> Vec<TextRun> {
    let mut rest = runs;
    for lattice in lattices(rules) {
        let (inside, outside): (Vec<TextRun>, Vec<TextRun>) = rest.into_iter().partition(|run| lattice.holds(run));
        rest = outside;
        match lattice.text(&inside) {
            Some(text) => rest.push(TextRun::table(text, lattice.area)),
            None => rest.extend(inside),
        }
    }
    rest
}

/// The groups of lines that may be tables.
fn lattices(rules: &[Area]) -> Vec<Lattice> {
    if rules.len() > RULES || rules.len() < 6 {
        return Vec::new();
    }
    let mut order: Vec<Area> = rules.to_vec();
    order.sort_by(|a, b| a.y0.total_cmp(&b.y0));
    let mut groups: Vec<(Area, Vec<Area>)> = Vec::new();
    for rule in order {
        let near = Area {
            x0: rule.x0 - TOUCH,
            y0: rule.y0 - TOUCH,
            x1: rule.x1 + TOUCH,
            y1: rule.y1 + TOUCH,
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
    (rows.len() >= 3 && columns.len() >= 3 && cells <= CELLS).then_some(Lattice { area, rows, columns })
}

/// Adds the ends to the places of lines, where no line is.
fn close(places: &mut Vec<f64>, from: f64, to: f64) {
    if places.first().is_none_or(|first| first - from > 2.0 * TOUCH) {
        places.insert(0, from);
    }
    if places.last().is_none_or(|last| to - last > 2.0 * TOUCH) {
        places.push(to);
    }
}

/// Where lines are that together are long enough.
fn places(lines: impl Iterator<Item = (f64, f64)>, long: f64) -> Vec<f64> {
    let mut lines: Vec<(f64, f64)> = lines.collect();
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut found: Vec<(f64, f64)> = Vec::new();
    for (place, length) in lines {
        match found.last_mut() {
            Some(last) if place - last.0 < TOUCH => last.1 += length,
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
        run.cells.is_none() && x > self.area.x0 && x < self.area.x1 && y > self.area.y0 && y < self.area.y1
    }

    /// The rows as lines with tabs between the cells, or nothing when too few cells say something.
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
