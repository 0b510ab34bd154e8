//! `cargo xtask recognise`: a recogniser that is not ours listens to the service's speech. It builds and starts the
//! service, sets up Python with the packages of `eval/recogniser/requirements.txt` in the cache, and runs
//! `eval/recogniser/recognise.py`, which judges.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Result;

use crate::project::Project;
use crate::service::Service;
use crate::{build, command, python};

/// The folder of the script and of the list of its packages.
const FOLDER: &str = "eval/recogniser";

/// Builds, then runs the script against the service. `flags` are added to the script's own: languages, and what its
/// `--help` lists.
///
/// # Errors
/// When something cannot be built, installed or started, or the script fails.
pub fn run(project: &Project, flags: &[OsString]) -> Result<()> {
    let built = build::run(project)?;
    let cache = project.cache.join("recogniser");
    let list = project.root.join(FOLDER).join("requirements.txt");
    let python = python::environment(project, &cache, &list, "the recogniser, about 1 GB")?;
    let service = Service::start(project, &built, None)?;
    command::run(
        project
            .command(python)
            // What Python compiles would lie about in the tree.
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .arg(Path::new(FOLDER).join("recognise.py"))
            .args(["--service", &service.address])
            .arg("--cache")
            .arg(&cache)
            .args(flags),
    )
}
