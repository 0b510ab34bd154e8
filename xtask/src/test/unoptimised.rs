//! Crates that tests run natively for seconds, and that take minutes to optimise: all of the workspace that the host does not have. The
//! service has what they become as WebAssembly, which is compiled at full speed.

use std::collections::BTreeSet;

use anyhow::Result;

use super::workspace::SUITES;
use crate::crates::WASMTIME_CRATES;
use crate::native;
use crate::project::Project;

/// Arguments for cargo by which those crates are not optimised. What the host is made of is compiled as it is served, once.
///
/// # Errors
/// When cargo cannot be asked.
pub fn arguments(project: &Project) -> Result<Vec<String>> {
    let all = native::crates(project, "normal,build,dev", native::select)?;
    let host = native::crates(project, "normal,build", |cargo| cargo.args(WASMTIME_CRATES))?;
    let host = names(&host);
    let others = names(&all)
        .into_iter()
        .filter(|name| !host.contains(name) && *name != SUITES);
    Ok(others
        .flat_map(|name| {
            [
                "--config".to_owned(),
                format!("profile.release.package.{name}.opt-level=0"),
            ]
        })
        .collect())
}

/// The names of crates of which a version and features follow.
fn names(crates: &BTreeSet<String>) -> BTreeSet<&str> {
    crates.iter().filter_map(|line| line.split(' ').next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_not_optimised_and_the_host_is() {
        let arguments = arguments(&Project::find().expect("a project")).expect("cargo's answer");
        let has = |name: &str| arguments.contains(&format!("profile.release.package.{name}.opt-level=0"));
        for name in ["quartet-chat", "hayro", "espeak-ng"] {
            assert!(has(name), "{name}");
        }
        for name in [
            "quartet-host",
            "wasmtime",
            "cranelift-codegen",
            "serde_json",
            SUITES,
            "",
        ] {
            assert!(!has(name), "{name}");
        }
    }
}
