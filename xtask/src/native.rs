//! Crates that run on this machine, compiled together. Cargo chooses the features of a dependency by all crates that
//! are selected; with one selection for tools, tests and lints, each dependency is compiled once, and not once for each
//! of them. The host by itself ([`crate::crates::WASMTIME_CRATES`]) gets the same features, which `cargo xtask tidy`
//! checks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::command;
use crate::crates::{ENGINE_CRATE, ENGINE_PROFILE, EXAMPLE, GUESTS};
use crate::project::Project;
use crate::setup::llama;

/// The engines of graphs, without which only their types would be tested.
const INFERENCE_ENGINE: &str = "quartet-inference/onnxruntime";

/// Adds the selection to a command of cargo. Outside of it are the crates with llama.cpp, which are compiled by
/// themselves, and components that exist as WebAssembly only.
pub fn select(cargo: &mut Command) -> &mut Command {
    cargo.args(["--workspace", "--features", INFERENCE_ENGINE]);
    for package in GUESTS.iter().chain([&EXAMPLE, &ENGINE_CRATE[1]]) {
        cargo.args(["--exclude", package]);
    }
    cargo
}

/// All crates of a selection along the given kinds of dependencies, each with its version and its features.
///
/// # Errors
/// When cargo cannot be asked.
pub fn crates(
    project: &Project,
    edges: &str,
    select: impl for<'a> Fn(&'a mut Command) -> &'a mut Command,
) -> Result<BTreeSet<String>> {
    let mut cargo = project.cargo("tree");
    select(&mut cargo).args([
        "--edges",
        edges,
        "--prefix",
        "none",
        "--no-dedupe",
        "--format",
        "{p} {f}",
    ]);
    let printed = command::output(&mut cargo)?;
    Ok(printed.lines().map(|line| line.trim_end().to_owned()).collect())
}

/// Builds a program of the workspace and returns its file.
///
/// # Errors
/// When it cannot be compiled.
pub fn program(project: &Project, name: &str) -> Result<PathBuf> {
    build(project, &["--bin", name])?;
    Ok(release_file(project, name))
}

/// Builds an example of the workspace and returns its file.
///
/// # Errors
/// When it cannot be compiled.
pub fn example(project: &Project, name: &str) -> Result<PathBuf> {
    build(project, &["--example", name])?;
    Ok(release_file(project, &format!("examples/{name}")))
}

fn build(project: &Project, targets: &[&str]) -> Result<()> {
    let mut cargo = project.cargo("build");
    command::run(select(cargo.args(["--quiet", "--release"])).args(targets))
}

/// The file of a program in the release folder.
pub fn release_file(project: &Project, name: &str) -> PathBuf {
    file(&project.target.join("release"), name)
}

/// The file of a program of the crate that llama.cpp is in, after it was compiled.
pub fn engine_file(project: &Project, name: &str) -> PathBuf {
    file(&llama::target_folder(project).join(ENGINE_PROFILE[1]), name)
}

fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}
