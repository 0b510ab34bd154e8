//! `cargo xtask samples`: a page with a sound and a spectrogram of every voice, engine and language. It builds and starts
//! the service, sets up Python with the packages of `eval/samples/requirements.txt` in the cache, and runs
//! `eval/samples/samples.py`.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Result;

use crate::project::Project;
use crate::service::Service;
use crate::{build, command, python};

/// The folder of the script and of the list of its packages.
const FOLDER: &str = "eval/samples";

/// Builds, then runs the script against the service; the page lies in `target/samples`. `flags` are added to the script's
/// own: languages, and what its `--help` lists.
///
/// # Errors
/// When something cannot be built, installed or started, or the script fails.
pub fn run(project: &Project, flags: &[OsString]) -> Result<()> {
    let built = build::run(project)?;
    let cache = project.cache.join("samples");
    let list = project.root.join(FOLDER).join("requirements.txt");
    let python = python::environment(project, &cache, &list, "Praat and matplotlib, about 100 MB")?;
    let service = Service::start(project, &built, None)?;
    command::run(
        project
            .command(python)
            // What Python compiles would lie about in the tree.
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .arg(Path::new(FOLDER).join("samples.py"))
            .args(["--service", &service.address])
            .arg("--out")
            .arg(project.target.join("samples"))
            .args(flags),
    )
}
