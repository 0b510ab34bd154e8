//! Text of tables: rows as lines, with tabs between the cells.

use super::line::Line;
use super::page_content::Area;
use super::text_runs::TextRun;

/// Text of a table. Its rows are between the lines that are drawn, or without any the lines of its text, where lines
/// with an empty first cell continue the row above.
pub fn text(runs: Vec<TextRun>, rules: &[Area]) -> String {
    let columns = columns(&runs);
    if runs.is_empty() {
        return String::new();
    }
    let area = runs.iter().map(|run| run.area).reduce(|a, b| a.with(&b));
    let drawn = area.map(|area| separators(&area, rules)).unwrap_or_default();
    let ruled = drawn.len() >= 3;
    let mut lines = rows(runs);
    let mut out: Vec<Vec<String>> = Vec::new();
    let mut band = usize::MAX;
    let first_cells = lines
        .iter()
        .filter(|row| row.iter().any(|run| column(run, &columns) == 0))
        .count();
    let labelled = first_cells * 10 >= lines.len() * 3 && first_cells < lines.len();
    for row in &mut lines {
        let y = row.iter().map(|run| run.y).fold(f64::INFINITY, f64::min);
        let now = drawn.iter().filter(|rule| **rule < y).count();
        let mut cells = vec![String::new(); columns.len().max(1)];
        let mut grouped: Vec<Vec<TextRun>> = vec![Vec::new(); cells.len()];
        for run in row.drain(..) {
            let at = column(&run, &columns);
            grouped[at].push(run);
        }
        for (cell, runs) in cells.iter_mut().zip(grouped) {
            if let Some(line) = Line::new(runs) {
                *cell = line.text.split_whitespace().collect::<Vec<_>>().join(" ");
            }
        }
        let goes_on = if ruled {
            now == band
        } else {
            labelled && cells[0].is_empty()
        };
        match out.last_mut() {
            Some(last) if goes_on => last.iter_mut().zip(cells).for_each(|(cell, more)| join(cell, &more)),
            _ => out.push(cells),
        }
        band = now;
    }
    let lines: Vec<String> = out
        .into_iter()
        .map(|cells| cells.join("\t").trim_end().to_owned())
        .collect();
    lines.join("\n")
}

/// Appends text to a cell.
fn join(cell: &mut String, more: &str) {
    if more.is_empty() {
        return;
    }
    let unspaced = |c: Option<char>| c.is_some_and(super::characters::is_unspaced);
    let together = cell.is_empty() || (unspaced(cell.chars().next_back()) && unspaced(more.chars().next()));
    if !together {
        cell.push(' ');
    }
    cell.push_str(more);
}

/// Heights of the lines that are drawn through most of the table.
fn separators(area: &Area, rules: &[Area]) -> Vec<f64> {
    let mut found: Vec<(f64, f64)> = rules
        .iter()
        .filter(|rule| rule.y1 - rule.y0 < 2.5 && rule.y0 > area.y0 - 20.0 && rule.y1 < area.y1 + 20.0)
        .map(|rule| {
            (
                rule.y0,
                rule.common(&Area {
                    y0: rule.y0,
                    y1: rule.y1,
                    ..*area
                })
                .x1 - rule.x0.max(area.x0),
            )
        })
        .filter(|(_, width)| *width > 0.0)
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Lines are often drawn cell by cell.
    let mut heights = Vec::new();
    for same in found.chunk_by(|a, b| b.0 - a.0 < 1.5) {
        let width: f64 = same.iter().map(|(_, width)| width).sum();
        if width > 0.5 * (area.x1 - area.x0) {
            heights.push(same[0].0);
        }
    }
    heights
}

/// Groups text runs into rows, from top to bottom.
fn rows(mut runs: Vec<TextRun>) -> Vec<Vec<TextRun>> {
    runs.sort_by(|a, b| a.y.total_cmp(&b.y));
    let mut rows: Vec<Vec<TextRun>> = Vec::new();
    for run in runs {
        match rows.last_mut() {
            Some(row) if run.y - row[0].y < 0.4 * run.size.max(row[0].size) => row.push(run),
            _ => rows.push(vec![run]),
        }
    }
    rows
}

/// Left and right edges of the columns: those of the text runs, without the few that go over several.
fn columns(runs: &[TextRun]) -> Vec<(f64, f64)> {
    let mut spans: Vec<(f64, f64)> = runs.iter().map(|run| (run.area.x0, run.area.x1)).collect();
    spans.sort_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)));
    let narrow = spans.len() - spans.len() / 12;
    let mut columns: Vec<(f64, f64)> = Vec::new();
    for span in &spans[..narrow] {
        add(&mut columns, *span);
    }
    for span in &spans[narrow..] {
        if columns
            .iter()
            .filter(|column| column.0 < span.1 && column.1 > span.0)
            .count()
            < 2
        {
            add(&mut columns, *span);
        }
    }
    columns.sort_by(|a, b| a.0.total_cmp(&b.0));
    columns
}

/// Adds a span to columns, and merges those that it touches.
fn add(columns: &mut Vec<(f64, f64)>, mut span: (f64, f64)) {
    columns.retain(|column| {
        let apart = column.0 > span.1 || column.1 < span.0;
        if !apart {
            span = (span.0.min(column.0), span.1.max(column.1));
        }
        apart
    });
    columns.push(span);
}

/// Index of the column that a text run begins in.
fn column(run: &TextRun, columns: &[(f64, f64)]) -> usize {
    columns
        .iter()
        .rposition(|column| column.0 <= run.area.x0 + 0.5)
        .unwrap_or(0)
}
