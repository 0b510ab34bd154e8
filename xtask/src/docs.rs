//! `cargo xtask docs`: the parts of the documentation that are made of the program itself, the reference of all settings and
//! the table of operations. `cargo xtask test` compares them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use quartet_api::operations::OPERATIONS;

use crate::project::Project;
use crate::{build, command};

/// The reference of all settings, as the host prints it.
const CONFIGURATION: &str = "docs/configuration.md";

/// The page with the table of operations.
const API: &str = "docs/api.md";

/// Marks around the table of operations.
const BEGIN: &str = "<!-- generated: operations -->\n";
const END: &str = "<!-- end -->";

/// Builds the host and writes what is out of date.
///
/// # Errors
/// When something cannot be built, or a page has no marks.
pub fn run(project: &Project) -> Result<()> {
    for (page, text) in outdated(project, &build::run(project)?.host)? {
        eprintln!("docs: writing {page}");
        fs::write(project.root.join(page), text).with_context(|| format!("writing {page}"))?;
    }
    Ok(())
}

/// Checks that all is up to date.
///
/// # Errors
/// When it is not, or a page has no marks.
pub fn check(project: &Project, host: &Path) -> Result<()> {
    let outdated = outdated(project, host)?;
    let pages: Vec<_> = outdated.iter().map(|(page, _)| *page).collect();
    ensure!(
        pages.is_empty(),
        "{} differs from the program: run `cargo xtask docs`",
        pages.join(" and ")
    );
    Ok(())
}

/// Pages that differ from what the program says, with the text that they should have.
fn outdated(project: &Project, host: &Path) -> Result<Vec<(&'static str, String)>> {
    let read = |page: &str| fs::read_to_string(project.root.join(page)).unwrap_or_default();
    let mut reference = Command::new(host);
    // Settings of whoever runs this are not the defaults.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("QUARTET_") {
            reference.env_remove(name);
        }
    }
    let reference = command::output(reference.args(["config", "--reference"]))?;
    let api = read(API);
    let operations = replaced(&api, &operations()).with_context(|| format!("in {API}"))?;
    let mut outdated = Vec::new();
    if read(CONFIGURATION) != reference {
        outdated.push((CONFIGURATION, reference));
    }
    if api != operations {
        outdated.push((API, operations));
    }
    Ok(outdated)
}

/// A page with other text between the marks.
fn replaced(page: &str, text: &str) -> Result<String> {
    let Some((before, rest)) = page.split_once(BEGIN) else {
        bail!("there is no line `{}`", BEGIN.trim_end());
    };
    let (_, after) = rest
        .split_once(END)
        .with_context(|| format!("there is no line `{END}` after it"))?;
    Ok(format!("{before}{BEGIN}{text}{END}{after}"))
}

/// All operations, in the contract's order.
fn operations() -> String {
    let mut table = String::from("| operation | answer |\n|---|---|\n");
    for operation in OPERATIONS {
        // A `String` takes everything.
        let _ = writeln!(
            table,
            "| `{} {}` | {} |",
            operation.method.name(),
            operation.path,
            operation.summary
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_is_replaced() {
        let page = format!("# API\n{BEGIN}old\n{END}\nmore\n");
        let new = replaced(&page, "new\n").expect("it has marks");
        assert_eq!(new, format!("# API\n{BEGIN}new\n{END}\nmore\n"));
        assert!(replaced("# API\n", "new").is_err());
        assert!(replaced(BEGIN, "new").is_err());
    }

    #[test]
    fn every_operation_has_a_row() {
        let table = operations();
        assert_eq!(table.lines().count(), OPERATIONS.len() + 2);
        assert!(table.contains("| `POST /api/v1/tts/generate` | "), "{table}");
    }
}
