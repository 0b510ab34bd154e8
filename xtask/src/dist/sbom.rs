//! The list of all crates that are inside of the programs and components, in CycloneDX 1.5.
//!
//! Made of `cargo metadata` and the lock file: `cargo-cyclonedx` and `cargo-sbom` write a list a crate and know nothing of
//! one package with programs of this machine and components of another target in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::release::{Release, date};
use crate::project::{Project, WASM};
use crate::{build, command, digest};

/// The programs' crates.
const PROGRAMS: [&str; 2] = ["quartet-host", "quartet-llm-engine"];

/// Writes the list and returns its file.
///
/// # Errors
/// When cargo cannot be asked, or the file cannot be written.
pub fn write(project: &Project, release: &Release) -> Result<PathBuf> {
    let rustc = command::output(project.command("rustc").arg("-vV"))?;
    let machine = rustc
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .context("rustc does not say its host")?;
    let components = build::components(project)?;
    let components: Vec<_> = components.iter().map(|component| component.package.as_str()).collect();
    let mut crates = BTreeSet::new();
    for (platform, roots) in [(machine, &PROGRAMS[..]), (WASM, &components)] {
        let mut cargo = project.cargo("metadata");
        cargo.args(["--format-version", "1", "--locked", "--filter-platform", platform]);
        cargo.args(["--features", "quartet-llm-engine/engine"]);
        let metadata = serde_json::from_str(&command::output(&mut cargo)?).context("cargo's metadata")?;
        crates.extend(inside(&metadata, roots));
    }
    let lock = fs::read_to_string(project.root.join("Cargo.lock")).context("reading Cargo.lock")?;
    let list = list(
        &release.version,
        &date(release.epoch, "%Y-%m-%dT%H:%M:%SZ")?,
        &crates,
        &sums(&lock)?,
    );
    let file = release.folder.join(format!("quartet-{}.cdx.json", release.version));
    fs::write(&file, format!("{list:#}\n")).with_context(|| format!("writing {}", file.display()))?;
    Ok(file)
}

/// A crate: name, version, licence, and whether it comes from the registry.
type Crate = (String, String, String, bool);

/// The crates that these are made of, along the dependencies that end up in what is built.
pub fn inside(metadata: &Value, roots: &[&str]) -> BTreeSet<Crate> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages: BTreeMap<_, _> = list(&metadata["packages"])
        .into_iter()
        .map(|package| (text(&package["id"]), package))
        .collect();
    let nodes: BTreeMap<_, _> = list(&metadata["resolve"]["nodes"])
        .into_iter()
        .map(|node| (text(&node["id"]), node))
        .collect();
    let root = |package: &Value| roots.contains(&package["name"].as_str().unwrap_or_default());
    let mut waiting: Vec<String> = packages
        .iter()
        .filter(|(_, package)| root(package))
        .map(|(id, _)| id.clone())
        .collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if !seen.insert(id.clone()) {
            continue;
        }
        for dependency in nodes.get(&id).map(|node| list(&node["deps"])).unwrap_or_default() {
            // A normal dependency has no kind; those of tests and of build scripts are not inside.
            if list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null()) {
                waiting.push(text(&dependency["pkg"]));
            }
        }
    }
    let found = seen.iter().filter_map(|id| packages.get(id));
    found
        .map(|package| {
            let published = !package["source"].is_null();
            (
                text(&package["name"]),
                text(&package["version"]),
                text(&package["license"]),
                published,
            )
        })
        .collect()
}

/// SHA-256 of the published crates, by name and version, as the lock file has them.
pub fn sums(lock: &str) -> Result<BTreeMap<(String, String), String>> {
    let table: toml::Table = lock.parse().context("Cargo.lock")?;
    let packages = table
        .get("package")
        .and_then(toml::Value::as_array)
        .context("Cargo.lock has no package")?;
    let text = |package: &toml::Value, key: &str| Some(package.get(key)?.as_str()?.to_owned());
    let sums = packages.iter().filter_map(|package| {
        let name = (text(package, "name")?, text(package, "version")?);
        Some((name, text(package, "checksum")?))
    });
    Ok(sums.collect())
}

fn list(version: &str, date: &str, crates: &BTreeSet<Crate>, sums: &BTreeMap<(String, String), String>) -> Value {
    let components: Vec<_> = crates
        .iter()
        .map(|(name, version, licence, published)| {
            let purl = format!("pkg:cargo/{name}@{version}");
            let mut component = json!({
                "type": "library",
                "bom-ref": purl,
                "name": name,
                "version": version,
                "licenses": [{"expression": licence.replace('/', " OR ")}],
            });
            if *published {
                component["purl"] = purl.into();
            }
            if let Some(sum) = sums.get(&(name.clone(), version.clone())) {
                component["hashes"] = json!([{"alg": "SHA-256", "content": sum}]);
            }
            component
        })
        .collect();
    // A number of its own for every content, and the same for the same.
    let number = digest::of(format!("{version} {components:?}").as_bytes());
    let serial = format!(
        "{}-{}-5{}-8{}-{}",
        &number[..8],
        &number[8..12],
        &number[13..16],
        &number[17..20],
        &number[20..32]
    );
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": format!("urn:uuid:{serial}"),
        "version": 1,
        "metadata": {
            "timestamp": date,
            "component": {"type": "application", "bom-ref": "quartet", "name": "quartet", "version": version},
        },
        "components": components,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_linked_is_listed_and_what_only_builds_or_tests_is_not() {
        let package = |name: &str, source: Value| json!({"id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0", "source": source});
        let kind = |kind: Value| json!([{"kind": kind}]);
        let metadata = json!({
            "packages": [package("host", Value::Null), package("a", "registry".into()), package("b", "registry".into()), package("c", "registry".into())],
            "resolve": {"nodes": [
                {"id": "host", "deps": [{"pkg": "a", "dep_kinds": kind(Value::Null)}, {"pkg": "c", "dep_kinds": kind("dev".into())}]},
                {"id": "a", "deps": [{"pkg": "b", "dep_kinds": kind("build".into())}]},
            ]},
        });
        let crates = inside(&metadata, &["host"]);
        let names: Vec<_> = crates.iter().map(|(name, ..)| name.as_str()).collect();
        assert_eq!(names, ["a", "host"]);
        let lock = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"abc\"\n";
        let list = list("0.1.0", "2023-11-14T22:13:20Z", &crates, &sums(lock).unwrap());
        assert_eq!(list["components"][0]["hashes"][0]["content"], "abc");
        assert_eq!(list["components"][0]["purl"], "pkg:cargo/a@1.0.0");
        assert_eq!(list["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert!(
            list["components"][1].get("purl").is_none(),
            "our own are not in the registry"
        );
        assert_eq!(
            list["serialNumber"].as_str().map(str::len),
            Some("urn:uuid:".len() + 36)
        );
    }
}
