//! Licences of the dependencies: each has a licence of the list, and what is under the GPL is in the speech
//! component and nowhere else, so that the host and the other components stay free of it.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde_json::Value;
use spdx::{Expression, ParseMode};

use crate::command;
use crate::project::{Project, WASM};

/// Licences that any crate here may have. Those with an exception have it in their name.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    // For data: the root certificates of webpki-roots.
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// The licence of the speech engine.
const GPL: &str = "GPL-3.0-or-later";

/// The only crates that may use what is under the [`GPL`]: the synthesis, which is therefore under it, and the component that
/// it is linked into.
const SPEECH: [&str; 2] = ["quartet-formant-synthesis", "quartet-tts"];

/// Crates under other licences, each with the only crate of ours that may use it.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    // spin-sdk needs it for its router, by routefinder, and no feature leaves it out. The MPL asks that its own files stay
    // under it and can be had: it is used unmodified, as published, and in no component but the one for Spin.
    ("quartet-llm-spin", "smartstring", "MPL-2.0+"),
];

/// Checks the dependencies of all crates, for this machine and for WebAssembly, and returns what is wrong.
///
/// # Errors
/// When cargo cannot be asked.
pub fn check(project: &Project) -> Result<Vec<String>> {
    let version = command::output(project.command("rustc").arg("-vV"))?;
    let machine = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .context("rustc does not say its host")?;
    let mut found = BTreeSet::new();
    for platform in [machine, WASM] {
        let mut cargo = project.cargo("metadata");
        cargo.args(["--format-version", "1", "--filter-platform", platform]);
        let metadata: Value = serde_json::from_str(&command::output(&mut cargo)?).context("cargo's metadata")?;
        found.extend(of_graph(&Graph::new(&metadata)?));
    }
    Ok(found.into_iter().collect())
}

/// The crates of the workspace and all they depend on.
struct Graph<'a> {
    /// By cargo's id of the package: its name and version, and its licence.
    packages: BTreeMap<&'a str, (String, Option<&'a str>)>,
    /// By id: the ids of the direct dependencies.
    dependencies: BTreeMap<&'a str, Vec<&'a str>>,
    /// The ids of the workspace's own crates.
    members: Vec<&'a str>,
}

impl<'a> Graph<'a> {
    /// Reads what `cargo metadata` prints.
    fn new(metadata: &'a Value) -> Result<Self> {
        let list = |value: &'a Value| value.as_array().context("cargo's metadata lacks a list");
        let text = |value: &'a Value| value.as_str().context("cargo's metadata lacks a text");
        let mut packages = BTreeMap::new();
        for package in list(&metadata["packages"])? {
            let name = format!("{} {}", text(&package["name"])?, text(&package["version"])?);
            packages.insert(text(&package["id"])?, (name, package["license"].as_str()));
        }
        let mut dependencies = BTreeMap::new();
        for node in list(&metadata["resolve"]["nodes"])? {
            let direct = list(&node["dependencies"])?.iter().map(text).collect::<Result<_>>()?;
            dependencies.insert(text(&node["id"])?, direct);
        }
        let members = list(&metadata["workspace_members"])?
            .iter()
            .map(text)
            .collect::<Result<_>>()?;
        Ok(Self {
            packages,
            dependencies,
            members,
        })
    }

    /// The ids of `package` and of all that it depends on.
    fn closure(&self, package: &'a str) -> BTreeSet<&'a str> {
        let mut reached = BTreeSet::from([package]);
        let mut waiting = vec![package];
        while let Some(package) = waiting.pop() {
            for next in self.dependencies.get(package).into_iter().flatten() {
                if reached.insert(next) {
                    waiting.push(next);
                }
            }
        }
        reached
    }
}

/// Licences of a graph that must not be.
fn of_graph(graph: &Graph<'_>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for member in &graph.members {
        let Some((user, _)) = graph.packages.get(member) else {
            continue;
        };
        let user_name = user.split(' ').next().unwrap_or_default();
        for package in graph.closure(member) {
            let Some((name, licence)) = graph.packages.get(package) else {
                continue;
            };
            let Some(licence) = licence else {
                found.insert(format!("{name}: names no licence"));
                continue;
            };
            let package_name = name.split(' ').next().unwrap_or_default();
            match fits(licence, user_name, package_name) {
                Ok(true) => {}
                Ok(false) => {
                    found.insert(format!("{user} depends on {name}, whose licence is {licence}"));
                }
                Err(error) => {
                    found.insert(format!("{name}: the licence {licence} cannot be read: {error}"));
                }
            }
        }
    }
    found
}

/// Returns true if the licence `expression`, in the words of SPDX, leaves a choice under which `user` may use `package`.
fn fits(expression: &str, user: &str, package: &str) -> Result<bool, spdx::ParseError> {
    // Lax: old crates write "MIT/Apache-2.0".
    let expression = Expression::parse_mode(expression, ParseMode::LAX)?;
    Ok(expression.evaluate(|requirement| {
        let name = requirement.to_string();
        ALLOWED.contains(&name.as_str())
            || SPEECH.contains(&user) && name == GPL
            || EXCEPTIONS.contains(&(user, package, name.as_str()))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions() {
        for allowed in [
            "MIT",
            "MIT/Apache-2.0",
            "(MIT OR GPL-2.0-only) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert!(
                fits(allowed, "host", "crate").expect("it is an expression"),
                "{allowed}"
            );
        }
        for refused in [
            "GPL-3.0-or-later",
            "MIT AND GPL-3.0-or-later",
            "AGPL-3.0-only",
            "GPL-2.0-only",
        ] {
            assert!(
                !fits(refused, "host", "crate").expect("it is an expression"),
                "{refused}"
            );
        }
        assert!(fits("GPL-3.0-or-later", SPEECH[0], "crate").expect("it is an expression"));
        assert!(!fits("AGPL-3.0-or-later", SPEECH[0], "crate").expect("it is an expression"));
        assert!(fits("Anything goes", "host", "crate").is_err());
    }

    #[test]
    fn an_exception_is_for_one_crate_and_its_user() {
        let fits = |user, package| fits("MPL-2.0+", user, package).expect("it is an expression");
        assert!(fits("quartet-llm-spin", "smartstring"));
        assert!(!fits("quartet-llm-spin", "another"));
        assert!(!fits("quartet-host", "smartstring"));
    }

    #[test]
    fn the_gpl_is_found_behind_other_crates() {
        let metadata = serde_json::json!({
            "packages": [
                {"id": "t", "name": "quartet-tts", "version": "1.0.0", "license": "GPL-3.0-or-later"},
                {"id": "h", "name": "host", "version": "1.0.0", "license": "MIT"},
                {"id": "m", "name": "middle", "version": "1.0.0", "license": "MIT"},
                {"id": "e", "name": "engine", "version": "1.0.0", "license": "GPL-3.0-or-later"},
            ],
            "resolve": {"nodes": [
                {"id": "t", "dependencies": ["m"]},
                {"id": "h", "dependencies": ["m"]},
                {"id": "m", "dependencies": ["e"]},
                {"id": "e", "dependencies": []},
            ]},
            "workspace_members": ["t", "h"],
        });
        let found = of_graph(&Graph::new(&metadata).expect("it is like cargo's"));
        assert_eq!(
            Vec::from_iter(found),
            ["host 1.0.0 depends on engine 1.0.0, whose licence is GPL-3.0-or-later"]
        );
    }
}
