//! `cargo xtask soak` and `cargo xtask load-table`: builds the service, fetches files that other people made, and runs a
//! program that loads the service with them.

use std::env;
use std::ffi::OsString;

use anyhow::{Context, Result};

use crate::project::Project;
use crate::{build, command, native, setup};

/// Builds, then runs a program of the crate `quartet-eval` with `flags`.
///
/// # Errors
/// When something cannot be built, no files can be had, or the program finds something that is not as it must be.
pub fn run(project: &Project, program: &str, flags: &[OsString]) -> Result<()> {
    let built = build::run(project)?;
    let files = env::join_paths(setup::traffic_files(project)).context("naming the folders of the files")?;
    let mut load = project.command(native::program(project, program)?);
    load.args(flags).env(setup::TRAFFIC_FILES, files);
    built.name_in(&mut load);
    command::run(&mut load)
}
