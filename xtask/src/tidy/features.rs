//! Each dependency is compiled once. Cargo chooses the features of a dependency by all that is built together, and a test
//! build has the dependencies of tests besides: when one of those turns on a feature of something that wasmtime uses, cargo
//! compiles wasmtime a second time, for minutes. What cargo would compile it tells itself, as a graph of units
//! (`--unit-graph`, an unstable option, for which a variable lets the stable compiler pass).

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;

use crate::crates::WASMTIME_CRATES;
use crate::project::Project;
use crate::{command, native};

/// Crates that are named where units differ; the others follow from the first few.
const NAMED_CRATES: usize = 8;

/// Compares what is compiled for the service with what is compiled for the tests, and returns what differs among the crates
/// of others.
///
/// # Errors
/// When cargo cannot be asked.
pub fn check(project: &Project) -> Result<Vec<String>> {
    let mut service = project.cargo("build");
    service.args(["--release"]).args(WASMTIME_CRATES);
    let mut tests = project.cargo("test");
    native::select(tests.args(["--release"])).args(["--lib", "--bins"]);
    Ok(twice(&graph(&mut service)?, &graph(&mut tests)?))
}

/// All that a command of cargo would compile.
#[derive(Deserialize)]
struct Graph {
    units: Vec<Unit>,
}

/// One call of the compiler.
#[derive(Deserialize)]
struct Unit {
    pkg_id: String,
    target: Value,
    profile: Value,
    platform: Option<String>,
    mode: String,
    features: Vec<String>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    index: usize,
}

fn graph(cargo: &mut Command) -> Result<Graph> {
    cargo
        .args(["-Z", "unstable-options", "--unit-graph"])
        .env("RUSTC_BOOTSTRAP", "1");
    serde_json::from_str(&command::output(cargo)?).context("cargo's graph of units")
}

impl Unit {
    /// True if it is somebody else's.
    fn is_foreign(&self) -> bool {
        !self.pkg_id.starts_with("path+")
    }

    /// Its name and version, as cargo writes them at the end of an identifier.
    fn name(&self) -> &str {
        self.pkg_id.rsplit('#').next().unwrap_or(&self.pkg_id)
    }

    /// All about it but its dependencies.
    fn own(&self) -> String {
        let Self {
            pkg_id,
            target,
            profile,
            platform,
            mode,
            features,
            ..
        } = self;
        format!("{pkg_id} {target} {profile} {platform:?} {mode} {features:?}")
    }
}

impl Graph {
    /// For each unit a number that two units share only where they are the same, with all that they depend on.
    fn fingerprints(&self) -> Vec<u64> {
        let mut known = vec![None; self.units.len()];
        (0..self.units.len())
            .map(|at| self.fingerprint(at, &mut known))
            .collect()
    }

    fn fingerprint(&self, at: usize, known: &mut Vec<Option<u64>>) -> u64 {
        if let Some(number) = known[at] {
            return number;
        }
        let unit = &self.units[at];
        let mut below: Vec<u64> = unit
            .dependencies
            .iter()
            .map(|dependency| self.fingerprint(dependency.index, known))
            .collect();
        below.sort_unstable();
        let mut hasher = DefaultHasher::new();
        (unit.own(), below).hash(&mut hasher);
        let number = hasher.finish();
        known[at] = Some(number);
        number
    }
}

/// Foreign crates of `service` that `tests` compile again.
fn twice(service: &Graph, tests: &Graph) -> Vec<String> {
    let there: BTreeSet<u64> = tests.fingerprints().into_iter().collect();
    let again: Vec<&Unit> = service
        .units
        .iter()
        .zip(service.fingerprints())
        .filter(|(unit, fingerprint)| unit.is_foreign() && !there.contains(fingerprint))
        .map(|(unit, _)| unit)
        .collect();
    if again.is_empty() {
        return Vec::new();
    }
    let own: BTreeSet<String> = tests.units.iter().map(Unit::own).collect();
    // Those that differ by themselves are why the others do.
    let reasons: BTreeSet<String> = again
        .iter()
        .filter(|unit| !own.contains(&unit.own()))
        .map(|unit| {
            let others = tests.units.iter().filter(|other| other.pkg_id == unit.pkg_id);
            let others: BTreeSet<String> = others.map(|other| other.features.join(",")).collect();
            let others: Vec<String> = others.into_iter().collect();
            format!(
                "{} ({}, tests: {})",
                unit.name(),
                unit.features.join(","),
                others.join(" or ")
            )
        })
        .collect();
    let reasons: Vec<String> = reasons.into_iter().take(NAMED_CRATES).collect();
    vec![format!(
        "{} crates are compiled twice, because the tests want other features of {}; make a dependency of quartet-host ask for \
         the same ones",
        again.len(),
        reasons.join("; ")
    )]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A graph of a program, a crate that it uses, and one that this uses with these features.
    fn graph_with(features: &[&str]) -> Graph {
        let unit = |id: &str, features: &[&str], dependencies: &[usize]| {
            let dependencies: Vec<Value> = dependencies.iter().map(|index| json!({ "index": index })).collect();
            json!({
                "pkg_id": id, "target": {"name": "lib"}, "profile": {"opt_level": "3"}, "platform": null, "mode": "build",
                "features": features, "dependencies": dependencies,
            })
        };
        let units = [
            unit("path+file:///host#0.1.0", &[], &[1]),
            unit("registry+https://index#wasmtime@48.0.0", &["cache"], &[2]),
            unit("registry+https://index#serde_core@1.0.0", features, &[]),
        ];
        serde_json::from_value(json!({ "units": units })).unwrap()
    }

    #[test]
    fn what_is_compiled_twice_is_named_with_its_reason() {
        let (service, tests) = (graph_with(&["std"]), graph_with(&["default", "std"]));
        assert_eq!(
            twice(&service, &tests),
            [
                "2 crates are compiled twice, because the tests want other features of serde_core@1.0.0 (std, tests: \
              default,std); make a dependency of quartet-host ask for the same ones"
            ]
        );
        assert!(twice(&service, &graph_with(&["std"])).is_empty());
    }
}
