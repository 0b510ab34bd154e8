//! `cargo xtask reproduce`: builds the last commit again, in a clone of its own, and compares what `dist` makes there with a
//! release: file by file, those inside of archives, too. Nothing may differ.

mod compare;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::command;
use crate::project::Project;

/// The clone, in the cache: a folder whose path has another length, and not below the repository, whose configuration cargo
/// would read for both.
const CLONE: &str = "reproduce/another-folder/quartet";

/// Builds again and compares with the `release` in a folder, by default what `dist` has made in the target folder.
///
/// # Errors
/// When there is no release, something cannot be built, or anything differs.
pub fn run(project: &Project, release: Option<PathBuf>) -> Result<()> {
    let release = release.unwrap_or_else(|| project.target.join("dist"));
    ensure!(
        release.join("SHA256SUMS").is_file(),
        "{} has no SHA256SUMS: name the folder of a release, or make one with `cargo xtask dist`",
        release.display()
    );
    let changed = command::output(project.command("git").args(["status", "--porcelain"]))?;
    if !changed.is_empty() {
        eprintln!("reproduce: built is the last commit, without what is not committed:\n{changed}");
    }
    let again = build(project)?;
    let work = again.join("compared");
    let differences = compare::releases(&release, &again, &work)?;
    if differences.is_empty() {
        eprintln!("reproduce: all files have the same bytes");
        let clone = project.cache.join(CLONE);
        return fs::remove_dir_all(&clone).with_context(|| format!("removing {}", clone.display()));
    }
    for difference in &differences {
        println!("{difference}");
    }
    for line in other_tools(&listed_tools(&release), &listed_tools(&again)) {
        println!("{line}");
    }
    bail!("{} files differ from those in {}", differences.len(), again.display())
}

/// Builds the last commit anew and returns the folder of what came of it.
fn build(project: &Project) -> Result<PathBuf> {
    let clone = project.cache.join(CLONE);
    let _ = fs::remove_dir_all(&clone);
    let above = clone.parent().context("a clone is in a folder")?;
    fs::create_dir_all(above).with_context(|| format!("making {}", above.display()))?;
    eprintln!("reproduce: building the last commit in {}", clone.display());
    command::run(
        project
            .command("git")
            .args(["clone", "--quiet"])
            .args([&project.root, &clone]),
    )?;
    let mut dist = project.command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Whatever the configuration of a user says: nothing may be there that was compiled before.
    dist.env("CARGO_TARGET_DIR", clone.join("target"))
        .env_remove("CARGO_MANIFEST_DIR");
    command::run(dist.current_dir(&clone).args(["xtask", "dist"]))?;
    Ok(clone.join("target/dist"))
}

/// The list of programs that a release was made with; empty where it is not there.
fn listed_tools(release: &Path) -> String {
    let name = format!("quartet-{}.buildinfo", env!("CARGO_PKG_VERSION"));
    fs::read_to_string(release.join(name)).unwrap_or_default()
}

/// Programs that are of another version here, which explains differences.
fn other_tools(release: &str, here: &str) -> Vec<String> {
    let here: Vec<_> = here.lines().filter_map(|line| line.split_once(": ")).collect();
    let differ = release.lines().filter_map(|line| {
        let (program, version) = line.split_once(": ")?;
        let (_, own) = here.iter().find(|(other, own)| *other == program && *own != version)?;
        Some(format!("{program} is {own}; the release was made with {version}"))
    });
    differ.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_other_versions_are_named() {
        let release = "cc: gcc 12\ntar: 1.34\n";
        assert_eq!(
            other_tools(release, "cc: gcc 14\ntar: 1.34\n"),
            ["cc is gcc 14; the release was made with gcc 12"]
        );
        assert!(other_tools("", release).is_empty());
    }
}
