//! `cargo xtask read-pdfs`: how well and how fast PDFs are read, beside other readers. It builds our reader as a program and
//! starts the service, sets up Python with the packages of `eval/pdf/requirements.txt` in the cache, and runs
//! `eval/pdf/compare.py`.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Result;

use crate::project::Project;
use crate::service::Service;
use crate::{build, command, native, python};

/// The folder of the script and of the list of its packages.
const FOLDER: &str = "eval/pdf";

/// Builds, then runs the script. `flags` are added to the script's own.
///
/// # Errors
/// When something cannot be built or installed, or the script fails.
pub fn run(project: &Project, flags: &[OsString]) -> Result<()> {
    let reader = native::example(project, "pdf_text")?;
    let built = build::run(project)?;
    let service = Service::start(project, &built, None)?;
    let cache = project.cache.join("pdf");
    let list = project.root.join(FOLDER).join("requirements.txt");
    let python = python::environment(project, &cache, &list, "other readers of PDFs")?;
    command::run(
        project
            .command(python)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .arg(Path::new(FOLDER).join("compare.py"))
            .arg("--reader")
            .arg(reader)
            .args(["--service", &service.address])
            .arg("--cache")
            .arg(&cache)
            .args(flags),
    )
}
