//! The service is compiled at full speed: crates that the release profile optimises less, because only tests run them
//! natively, are not in it.

use std::fs;

use anyhow::{Context, Result};

use crate::crates::{ENGINE_CRATE, WASMTIME_CRATES};
use crate::native;
use crate::project::Project;

/// The optimisation of the release profile, of which exceptions have less.
const FULL: i64 = 3;

/// Looks for exceptions of the release profile in the host and in the language model's engine, and returns them.
///
/// # Errors
/// When the manifest cannot be read, or cargo cannot be asked.
pub fn check(project: &Project) -> Result<Vec<String>> {
    let manifest = fs::read_to_string(project.root.join("Cargo.toml")).context("reading the workspace's manifest")?;
    let exceptions = exceptions(&manifest.parse().context("the workspace's manifest")?);
    let mut found = Vec::new();
    for selection in [WASMTIME_CRATES, ENGINE_CRATE] {
        let linked = native::crates(project, "normal", |cargo| cargo.args(selection))?;
        let names = linked.iter().filter_map(|line| line.split(' ').next());
        let slow = names.filter(|name| exceptions.iter().any(|exception| exception == name));
        found.extend(slow.map(|name| {
            format!("Cargo.toml: the release profile optimises {name} less, but the service has it: take it out of the exceptions")
        }));
    }
    Ok(found)
}

/// Names of the packages that are optimised less than the rest.
fn exceptions(manifest: &toml::Table) -> Vec<String> {
    let packages = ["profile", "release", "package"]
        .iter()
        .try_fold(manifest, |table, key| table.get(*key)?.as_table());
    // A level for size is no number.
    let less = |value: &toml::Value| {
        let level = value.get("opt-level");
        level.is_some_and(|level| level.as_integer().is_none_or(|level| level < FULL))
    };
    packages
        .into_iter()
        .flatten()
        .filter(|(_, profile)| less(profile))
        .map(|(name, _)| name.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_are_packages_with_less() {
        let manifest = "[profile.release]\nopt-level = 3\n[profile.release.package.a]\nopt-level = 3\n\
                        [profile.release.package]\nb = { opt-level = 1 }\nd = { codegen-units = 1 }\ne = { opt-level = \"s\" }\n[profile.dev.package.c]\nopt-level = 1\n";
        assert_eq!(exceptions(&manifest.parse().unwrap()), ["b", "e"]);
        assert!(exceptions(&toml::Table::new()).is_empty());
    }
}
