//! The results, in the page for people. What is between two marks is written here; the rest of the page is written by hand.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::measure::Figures;
use super::suite::Results;

const BEGIN: &str = "<!-- begin: cargo xtask hosts -->\n";
const END: &str = "<!-- end: cargo xtask hosts -->";

/// The results of one host.
pub struct HostResult {
    /// Its name, with the version.
    pub name: String,
    /// Its costs.
    pub figures: Figures,
    /// Tests that passed and failed.
    pub results: Results,
}

/// Writes the results into the page.
///
/// # Errors
/// When the page is not there or has no marks.
pub fn write(page: &Path, all: &[HostResult], missing: &[&str]) -> Result<()> {
    let text = fs::read_to_string(page).with_context(|| format!("reading {}", page.display()))?;
    let (before, rest) = text
        .split_once(BEGIN)
        .context("the page has no mark of its beginning")?;
    let (_, after) = rest.split_once(END).context("the page has no mark of its end")?;
    let text = format!("{before}{BEGIN}{}{END}{after}", results(all, missing));
    fs::write(page, text).with_context(|| format!("writing {}", page.display()))
}

fn results(all: &[HostResult], missing: &[&str]) -> String {
    let mut text = String::from(
        "| host | passed | failed | what it serves | start until the first answer | first list | first speech | first sum | memory | at most |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    let megabytes = |bytes: u64| format!("{:.0} MB", bytes as f64 / 1e6);
    for HostResult { name, figures, results } in all {
        let [list, speech, sum] = figures.first.map(|time| format!("{} ms", time.as_millis()));
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {:.1} s | {list} | {speech} | {sum} | {} | {} |",
            results.passed.len(),
            results.failed.len(),
            megabytes(figures.size),
            figures.start.as_secs_f64(),
            megabytes(figures.memory.now),
            megabytes(figures.memory.most),
        );
    }
    for found in all {
        for test in &found.results.failed {
            let _ = writeln!(text, "\nFailed on {}: `{test}`.", found.name);
        }
    }
    if !missing.is_empty() {
        let _ = writeln!(text, "\nNot on the machine, and so not run: {}.", missing.join(", "));
    }
    text
}
