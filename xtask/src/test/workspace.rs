//! The workspace's crates and their tests, by the names that people give.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::command;
use crate::crates::{ENGINE_CRATE, EXAMPLE, GUESTS};
use crate::project::Project;

/// The crate of the suites.
pub const SUITES: &str = "quartet-tests";

/// The answer of `cargo metadata`.
#[derive(Deserialize)]
pub struct Workspace {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
    /// The manifest does not say `test = false`.
    #[serde(default)]
    test: bool,
}

/// Tests that a name stands for.
#[derive(Debug, PartialEq, Eq)]
pub enum Named {
    /// A suite against the whole service.
    Suite(String),
    /// The tests of a crate.
    Crate(String),
}

impl Workspace {
    /// Asks cargo.
    ///
    /// # Errors
    /// When cargo cannot be asked.
    pub fn read(project: &Project) -> Result<Self> {
        let mut cargo = project.cargo("metadata");
        cargo.args(["--format-version", "1", "--no-deps"]);
        serde_json::from_str(&command::output(&mut cargo)?).context("cargo's metadata")
    }

    /// The suites.
    pub fn suites(&self) -> Vec<&str> {
        self.test_targets(|package| package == SUITES)
    }

    /// Tests beside the unit tests of the crates: the files of their folders `tests`.
    pub fn integration_tests(&self) -> Vec<&str> {
        self.test_targets(|package| package != SUITES)
    }

    /// The files of a crate's folder `tests`.
    pub fn tests_of(&self, package: &str) -> Vec<&str> {
        self.test_targets(|other| other == package)
    }

    /// The programs that have unit tests, but for the engine of the language model, which is compiled by itself.
    pub fn tested_programs(&self) -> Vec<&str> {
        self.targets("bin", |package| package != ENGINE_CRATE[1])
    }

    fn test_targets(&self, belongs: impl Fn(&str) -> bool) -> Vec<&str> {
        self.targets("test", belongs)
    }

    /// The targets of one kind that have tests, by name.
    fn targets(&self, kind: &str, belongs: impl Fn(&str) -> bool) -> Vec<&str> {
        let packages = self.packages.iter().filter(|package| belongs(&package.name));
        let targets = packages.flat_map(|package| &package.targets);
        let tests: BTreeSet<_> = targets
            .filter(|target| target.test && target.kind.iter().any(|other| other == kind))
            .map(|target| target.name.as_str())
            .collect();
        tests.into_iter().collect()
    }

    /// The crates that have tests of their own, by their short names.
    fn crates(&self) -> impl Iterator<Item = &str> {
        let names = self.packages.iter().map(|package| package.name.as_str());
        names.filter(|name| *name != SUITES && *name != EXAMPLE && !GUESTS.contains(name))
    }

    /// Finds the tests called `name`: a suite, or a crate with or without `quartet-`.
    ///
    /// # Errors
    /// When there are none; the message lists all names.
    pub fn find(&self, name: &str) -> Result<Named> {
        if self.suites().contains(&name) {
            return Ok(Named::Suite(name.to_owned()));
        }
        if let Some(package) = self.crates().find(|package| *package == name || short(package) == name) {
            return Ok(Named::Crate(package.to_owned()));
        }
        let crates: Vec<_> = self.crates().map(short).collect();
        bail!(
            "there are no tests called {name}\n  suites: {}\n  crates: {}",
            self.suites().join(", "),
            crates.join(", ")
        )
    }
}

/// A crate's name as people say it.
fn short(package: &str) -> &str {
    package.strip_prefix("quartet-").unwrap_or(package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_suites_or_crates() {
        let metadata = serde_json::json!({"packages": [
            {"name": "quartet-tests", "targets": [
                {"name": "quartet_tests", "kind": ["lib"], "test": true}, {"name": "swap", "kind": ["test"], "test": true},
                {"name": "edge", "kind": ["test"], "test": true},
            ]},
            {"name": "quartet-ocr", "targets": [{"name": "quartet_ocr", "kind": ["lib"], "test": true}]},
            {"name": "quartet-edge", "targets": []},
            {"name": "quartet-preinit", "targets": [
                {"name": "snapshot", "kind": ["test"], "test": true}, {"name": "quartet-preinit", "kind": ["bin"], "test": false},
                {"name": "quartet-dictionary", "kind": ["bin"], "test": true},
            ]},
            {"name": "quartet-llm-engine", "targets": [{"name": "quartet-llm", "kind": ["bin"], "test": true}]},
            {"name": "xtask", "targets": []},
        ]});
        let workspace: Workspace = serde_json::from_value(metadata).expect("it is like cargo's");
        assert_eq!(workspace.suites(), ["edge", "swap"]);
        assert_eq!(workspace.integration_tests(), ["snapshot"]);
        assert_eq!(workspace.tested_programs(), ["quartet-dictionary"]);
        let found = |name: &str| workspace.find(name).expect("it is there");
        assert_eq!(found("swap"), Named::Suite("swap".to_owned()));
        assert_eq!(found("edge"), Named::Suite("edge".to_owned()));
        assert_eq!(found("quartet-edge"), Named::Crate("quartet-edge".to_owned()));
        assert_eq!(found("ocr"), Named::Crate("quartet-ocr".to_owned()));
        assert_eq!(found("xtask"), Named::Crate("xtask".to_owned()));
        let error = workspace
            .find("tests")
            .expect_err("it has no tests of its own")
            .to_string();
        assert!(
            error.contains("edge, swap") && error.contains("ocr, edge, preinit, llm-engine, xtask"),
            "{error}"
        );
    }
}
