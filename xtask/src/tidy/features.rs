//! That wasmtime is compiled once. Cargo chooses the features of a dependency by all that is built together, and a test
//! build has the dependencies of tests besides: when one of those turns on a feature of something that wasmtime uses,
//! cargo compiles wasmtime a second time, for minutes.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::build::WASMTIME_CRATES;
use crate::command;
use crate::project::Project;

/// Compares a build with a test build and returns the crates in which they differ.
///
/// # Errors
/// When cargo cannot be asked.
pub fn check(project: &Project) -> Result<Vec<String>> {
    let build = crates(project, "normal,build")?;
    let test = crates(project, "normal,build,dev")?;
    Ok(build
        .difference(&test)
        .map(|chosen| {
            let name = chosen.split(' ').next().unwrap_or(chosen);
            let tested = test.iter().find(|other| other.split(' ').next() == Some(name));
            let tested = tested.map_or("otherwise", |tested| tested.as_str());
            format!(
                "a build has `{chosen}`, a test build `{tested}`: wasmtime may be compiled twice; \
                 make a normal dependency of quartet-preinit ask for the same features"
            )
        })
        .collect())
}

/// All crates of a build along the given kinds of dependencies, each with its version and its features.
fn crates(project: &Project, edges: &str) -> Result<BTreeSet<String>> {
    let mut cargo = project.cargo("tree");
    cargo.args(WASMTIME_CRATES);
    cargo.args([
        "--edges",
        edges,
        "--prefix",
        "none",
        "--no-dedupe",
        "--format",
        "{p} {f}",
    ]);
    let printed = command::output(&mut cargo)?;
    Ok(printed.lines().map(|line| line.trim_end().to_owned()).collect())
}
