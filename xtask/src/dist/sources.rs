//! The complete corresponding source of the speech component, which is under the GPL: this tree at its last commit, and
//! every crate that is linked into the component, as published.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::files::{Content, Tree, tarball};
use super::release::Release;
use super::sbom;
use crate::command;
use crate::project::{Project, WASM};

/// The crate of the component.
const COMPONENT: &str = "quartet-tts";

/// Writes the archive and returns its file.
///
/// # Errors
/// When git or cargo cannot be asked, or a crate is not where cargo keeps what it fetched.
pub fn write(project: &Project, release: &Release) -> Result<PathBuf> {
    let work = release.folder.join("sources");
    fs::create_dir_all(&work)?;
    let own = work.join("quartet.tar");
    let mut git = project.command("git");
    command::output(
        git.args(["archive", "--format=tar", "--prefix=quartet/", "--output"])
            .arg(&own)
            .arg("HEAD"),
    )?;
    let mut tree = Tree::default();
    tree.add("quartet.tar", Content::Of(own));
    let mut cargo = project.cargo("metadata");
    cargo.args(["--format-version", "1", "--locked", "--filter-platform", WASM]);
    let metadata: serde_json::Value =
        serde_json::from_str(&command::output(&mut cargo)?).context("cargo's metadata")?;
    let linked = sbom::inside(&metadata, &[COMPONENT]);
    for (name, version, ..) in linked.iter().filter(|(.., published)| *published) {
        let file = format!("{name}-{version}.crate");
        tree.add(
            format!("crates/{file}"),
            Content::Of(fetched(&metadata, name, version, &file)?),
        );
    }
    let name = format!("quartet-tts-{}-source", release.version);
    let archive = release.folder.join(format!("{name}.tar.gz"));
    tarball(&tree, &name, release.epoch, &work, &archive)?;
    fs::remove_dir_all(&work)?;
    Ok(archive)
}

/// The published crate in cargo's own cache: `registry/cache/<registry>` beside `registry/src/<registry>/<name>-<version>`.
fn fetched(metadata: &serde_json::Value, name: &str, version: &str, file: &str) -> Result<PathBuf> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let manifest = packages
        .filter(|package| package["name"] == name && package["version"] == version)
        .find_map(|package| package["manifest_path"].as_str());
    let unpacked = manifest.and_then(|manifest| Path::new(manifest).parent());
    let registry = unpacked
        .and_then(Path::parent)
        .context("a crate lies in its registry's folder")?;
    let folder = registry.file_name().context("a registry has a name")?;
    let found = registry
        .ancestors()
        .nth(2)
        .map(|above| above.join("cache").join(folder).join(file));
    found
        .filter(|file| file.is_file())
        .with_context(|| format!("{file} is not where cargo keeps what it fetched"))
}
