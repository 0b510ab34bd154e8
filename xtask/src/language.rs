//! `cargo xtask language`: measures the built-in language model through the service, beside llama.cpp by itself.

use std::ffi::OsString;

use anyhow::Result;

use crate::project::Project;
use crate::{build, command, native};

/// Builds, then runs the program `llm` of the crate `quartet-eval`. `flags`: the model's name and the
/// number of rounds, when they are not the default ones.
///
/// # Errors
/// When something cannot be built or measured.
pub fn run(project: &Project, flags: &[OsString]) -> Result<()> {
    let built = build::run(project)?;
    let guests = build::guests(project, &built.prepared)?;
    let mut measure = project.command(native::program(project, "llm")?);
    measure
        .args(flags)
        .env("QUARTET_GUESTS", guests)
        .env("QUARTET_LLAMA", native::engine_file(project, "examples/llama"));
    built.name_in(&mut measure);
    command::run(&mut measure)
}
