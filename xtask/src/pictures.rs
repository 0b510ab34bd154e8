//! `cargo xtask pictures`: shows the service pictures that nobody here made, and measures what it makes of them beside other
//! engines. It builds and starts the service, sets up Python with the packages of `eval/pictures/requirements.txt` in the
//! cache, and runs `eval/pictures/pictures.py`, which judges and writes `docs/pictures.md`.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::thread;

use anyhow::{Context, Result};

use crate::project::Project;
use crate::service::Service;
use crate::{build, command, native, python};

/// The folder of the script and of the list of its packages.
const FOLDER: &str = "eval/pictures";

/// Builds, then runs the script against the service. `flags` are added to the script's own: which parts to do.
///
/// # Errors
/// When something cannot be built, installed or started, or the script fails.
pub fn run(project: &Project, flags: &[OsString]) -> Result<()> {
    let built = build::run(project)?;
    let measure = native::example(project, "measure")?;
    let cache = project.cache.join("pictures");
    let list = project.root.join(FOLDER).join("requirements.txt");
    let python = python::environment(project, &cache, &list, "what pictures are compared with, about 300 MB")?;
    let output = project.target.join("pictures");
    fs::create_dir_all(&output).with_context(|| format!("making the folder {}", output.display()))?;
    let log = output.join("host.log");
    let service = Service::start(project, &built, Some(&log))?;
    // As many as the host takes where nothing else is said.
    let threads = thread::available_parallelism().map_or(1, usize::from);
    command::run(
        project
            .command(python)
            // What Python compiles would lie about in the tree.
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .arg(Path::new(FOLDER).join("pictures.py"))
            .args(["--service", &service.address])
            .args(["--process", &service.process().to_string()])
            .args(["--threads", &threads.to_string()])
            .arg("--log")
            .arg(&log)
            .arg("--models")
            .arg(&built.models)
            .arg("--measure")
            .arg(measure)
            .arg("--cache")
            .arg(&cache)
            .arg("--output")
            .arg(&output)
            .args(["--page", "docs/pictures.md"])
            .args(flags),
    )
}
