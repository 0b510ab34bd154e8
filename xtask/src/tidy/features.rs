//! Each dependency is compiled once. Cargo chooses the features of a dependency by all that is built together, and a test
//! build has the dependencies of tests besides: when one of those turns on a feature of something that wasmtime uses, cargo
//! compiles wasmtime a second time, for minutes.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::crates::WASMTIME_CRATES;
use crate::project::Project;
use crate::{command, native};

/// Compares the host by itself with the whole workspace, both as a build and as a test build, and returns the crates in which
/// they differ.
///
/// # Errors
/// When cargo cannot be asked.
pub fn check(project: &Project) -> Result<Vec<String>> {
    let build = "normal,build";
    let test = "normal,build,dev";
    let host = |edges| crates(project, edges, |cargo| cargo.args(WASMTIME_CRATES));
    let workspace = |edges| crates(project, edges, native::select);
    let (host_build, workspace_build) = (host(build)?, workspace(build)?);
    let mut found = missing(("a build of the host", &host_build), ("its test build", &host(test)?));
    found.extend(missing(
        ("a build of the host", &host_build),
        ("one of the workspace", &workspace_build),
    ));
    found.extend(missing(
        ("a build of the workspace", &workspace_build),
        ("its test build", &workspace(test)?),
    ));
    Ok(found)
}

/// Crates that the first build has with other features than the second.
fn missing(first: (&str, &BTreeSet<String>), second: (&str, &BTreeSet<String>)) -> Vec<String> {
    let differing = first.1.difference(second.1).map(|chosen| {
        let name = chosen.split(' ').next().unwrap_or(chosen);
        let other = second.1.iter().find(|other| other.split(' ').next() == Some(name));
        let other = other.map_or("not at all", |other| other.as_str());
        format!(
            "{} has `{chosen}`, {} `{other}`: it is compiled twice, and wasmtime with it where that uses it; make a \
             dependency of quartet-preinit ask for the same features",
            first.0, second.0
        )
    });
    differing.collect()
}

/// All crates of a selection along the given kinds of dependencies, each with its version and its features.
///
/// # Errors
/// When cargo cannot be asked.
pub fn crates(
    project: &Project,
    edges: &str,
    select: impl for<'a> Fn(&'a mut std::process::Command) -> &'a mut std::process::Command,
) -> Result<BTreeSet<String>> {
    let mut cargo = project.cargo("tree");
    select(&mut cargo).args([
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_features_are_named() {
        let crates = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<BTreeSet<_>>();
        let host = crates(&["a v1.0.0 std", "b v1.0.0"]);
        let workspace = crates(&["a v1.0.0 default,std", "b v1.0.0", "c v1.0.0"]);
        let found = missing(("host", &host), ("workspace", &workspace));
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("host has `a v1.0.0 std`, workspace `a v1.0.0 default,std`"));
        assert!(missing(("host", &workspace), ("workspace", &workspace)).is_empty());
    }
}
