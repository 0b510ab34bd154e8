//! Versions of the programs that a release is made with, beside it: whoever builds it again compares these first.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::release::Release;
use crate::command;
use crate::project::Project;

/// The programs; `ldd` is of glibc.
const PROGRAMS: [&str; 11] = [
    "rustc", "cargo", "cc", "c++", "ld", "strip", "ldd", "git", "tar", "gzip", "dpkg-deb",
];

/// Writes the list and returns its file. CMake and libclang are not in it: their versions are those of the tree.
///
/// # Errors
/// When a program does not run, or the file cannot be written.
pub fn write(project: &Project, release: &Release) -> Result<PathBuf> {
    let mut list = String::new();
    for program in PROGRAMS {
        let printed = command::output(project.command(program).arg("--version").env("LC_ALL", "C"))?;
        list += &format!("{program}: {}\n", printed.lines().next().unwrap_or_default());
    }
    let file = release.folder.join(format!("quartet-{}.buildinfo", release.version));
    fs::write(&file, list).with_context(|| format!("writing {}", file.display()))?;
    Ok(file)
}
