//! `cargo xtask replicas`: builds the service, gets the store that replicas share, and runs a program that measures what several
//! of them cost.

use std::env;
use std::ffi::OsString;

use anyhow::{Context, Result};

use crate::project::Project;
use crate::test::packages::BALANCER;
use crate::{build, command, native, setup};

/// Builds, then runs the program `replicas` of the crate `quartet-eval` with `flags`.
///
/// # Errors
/// When something cannot be built, no store or no files can be had, or the program fails.
pub fn run(project: &Project, flags: &[OsString]) -> Result<()> {
    let built = build::run(project)?;
    let guests = build::guests(project, &built.prepared)?;
    let files = env::join_paths(setup::traffic_files(project)).context("naming the folders of the files")?;
    let mut replicas = project.command(native::program(project, "replicas")?);
    replicas
        .args(flags)
        .env(setup::TRAFFIC_FILES, files)
        .env("QUARTET_GUESTS", guests)
        .env("QUARTET_VALKEY", setup::valkey(project)?);
    if command::exists(BALANCER) {
        replicas.env("QUARTET_HAPROXY", BALANCER);
    }
    built.name_in(&mut replicas);
    command::run(&mut replicas)
}
