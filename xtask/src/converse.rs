//! `cargo xtask converse`: builds the service and asks it sixty questions, or has many conversations with it.

use std::ffi::OsString;

use anyhow::Result;

use crate::project::Project;
use crate::{build, command, native};

/// Builds, then runs the program `converse` of the crate `quartet-eval` with `flags`.
///
/// # Errors
/// When something cannot be built, or the conversations leave too much in memory.
pub fn run(project: &Project, flags: &[OsString]) -> Result<()> {
    let built = build::run(project)?;
    let mut converse = project.command(native::program(project, "converse")?);
    converse.args(flags);
    built.name_in(&mut converse);
    command::run(&mut converse)
}
