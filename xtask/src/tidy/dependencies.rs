//! Dependencies between the workspace's own crates: libraries know nothing of the components and hosts that use them, and
//! components nothing of each other.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::command;
use crate::project::Project;

/// Folders of crates, each with the folders whose crates theirs must not depend on.
const FORBIDDEN: &[(&str, &[&str])] = &[
    ("crates", &["adapters", "components", "host"]),
    ("components", &["components", "host"]),
];

/// Checks all crates and returns the dependencies that must not be.
///
/// # Errors
/// When cargo cannot be asked.
pub fn check(project: &Project) -> Result<Vec<String>> {
    let mut cargo = project.cargo("metadata");
    cargo.args(["--format-version", "1", "--no-deps"]);
    let metadata = serde_json::from_str(&command::output(&mut cargo)?).context("cargo's metadata")?;
    Ok(of_metadata(&metadata, &project.root))
}

fn of_metadata(metadata: &Value, root: &Path) -> Vec<String> {
    let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
    // The folder of the root that a path is in.
    let folder = |path: &Value| {
        let path = Path::new(path.as_str()?).strip_prefix(root).ok()?;
        Some(path.iter().next()?.to_string_lossy().into_owned())
    };
    let mut found = Vec::new();
    for package in list(&metadata["packages"]) {
        let own = folder(&package["manifest_path"]);
        let rule = FORBIDDEN.iter().find(|(from, _)| own.as_deref() == Some(from));
        let Some((from, forbidden)) = rule else { continue };
        for dependency in list(&package["dependencies"]) {
            // Only dependencies inside of the workspace have a path.
            let Some(to) = folder(&dependency["path"]).filter(|to| forbidden.contains(&to.as_str())) else {
                continue;
            };
            let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
            found.push(format!(
                "{} depends on {}: nothing in {from}/ may depend on {to}/",
                name(&package),
                name(&dependency)
            ));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dependencies_that_look_up_are_found() {
        let package = |name: &str, folder: &str, dependencies: &[(&str, Option<&str>)]| {
            let dependency = |(name, folder): &(&str, Option<&str>)| serde_json::json!({"name": name, "path": folder.map(|folder| format!("/r/{folder}"))});
            let dependencies: Vec<_> = dependencies.iter().map(dependency).collect();
            serde_json::json!({"name": name, "manifest_path": format!("/r/{folder}/Cargo.toml"), "dependencies": dependencies})
        };
        let metadata = serde_json::json!({"packages": [
            package("ocr", "crates/ocr", &[("serde", None), ("api", Some("crates/api")), ("pdf", Some("components/pdf"))]),
            package("pdf", "components/pdf", &[("ocr", Some("crates/ocr")), ("chat", Some("components/chat"))]),
            package("host", "host", &[("ocr", Some("crates/ocr")), ("pdf", Some("components/pdf"))]),
        ]});
        assert_eq!(
            of_metadata(&metadata, Path::new("/r")),
            [
                "ocr depends on pdf: nothing in crates/ may depend on components/",
                "pdf depends on chat: nothing in components/ may depend on components/",
            ]
        );
    }
}
