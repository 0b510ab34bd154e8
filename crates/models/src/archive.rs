//! Downloaded files and archives.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command;

/// The first file in a folder that a client was to put one into.
///
/// # Errors
/// When there is none.
pub fn only_file(folder: &Path) -> Result<PathBuf> {
    Ok(fs::read_dir(folder)?.next().context("nothing was downloaded")??.path())
}

/// Unpacks an archive of the kind that its name tells into `folder`.
///
/// # Errors
/// When it is of another kind or broken.
pub fn extract(archive: &Path, folder: &Path) -> Result<()> {
    let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let mut tool = if ends(&[".deb"]) {
        let mut tool = Command::new("dpkg-deb");
        tool.arg("--extract").arg(archive).arg(folder);
        tool
    } else if ends(&[".whl", ".zip"]) {
        // Wheels come by Python, which brings an unpacker: no other need be there.
        let mut tool = Command::new("python3");
        tool.args(["-m", "zipfile", "--extract"]).arg(archive).arg(folder);
        tool
    } else if ends(&[".tar.gz", ".tgz", ".tar.xz", ".tar.bz2"]) {
        let mut tool = Command::new("tar");
        tool.arg("--extract")
            .arg("--file")
            .arg(archive)
            .arg("--directory")
            .arg(folder);
        tool
    } else {
        bail!("{name} is no kind of archive that is known here");
    };
    command::output(&mut tool)
        .map(drop)
        .with_context(|| format!("unpacking {name}"))
}
