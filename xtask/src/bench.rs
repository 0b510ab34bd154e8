//! `cargo xtask bench`: builds the service and runs the benchmark program of the suites against it.

use std::ffi::OsString;

use anyhow::Result;

use crate::project::Project;
use crate::{build, command, native, provide};

/// Builds, then runs the program `bench` of the crate `quartet-eval` with `flags`.
///
/// # Errors
/// When something cannot be built or the benchmark fails.
pub fn run(project: &Project, flags: &[OsString]) -> Result<()> {
    let built = build::run(project)?;
    let mut bench = project.command(native::program(project, "bench")?);
    bench.args(flags);
    built.name_in(&mut bench);
    let composed = provide::elsewhere(project, &built)?;
    bench.env("QUARTET_FOR_WASMTIME", composed.join("wasmtime/quartet.wasm"));
    command::run(&mut bench)
}
