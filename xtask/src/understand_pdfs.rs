//! `cargo xtask understand-pdfs`: how good summaries and answers are, beside others. It builds the programs that score them,
//! sets up Python with the packages of `eval/pdf/requirements.txt` in the cache, and runs `eval/pdf/understand.py`.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Result;

use crate::project::Project;
use crate::{command, native, python};

/// The folder of the script and of the list of its packages.
const FOLDER: &str = "eval/pdf";

/// Builds, then runs the script. `flags` are added to the script's own.
///
/// # Errors
/// When something cannot be built or installed, or the script fails.
pub fn run(project: &Project, flags: &[OsString]) -> Result<()> {
    for scorer in ["pdf_questions", "pdf_summaries", "pdf_chat"] {
        native::program(project, scorer)?;
    }
    let cache = project.cache.join("pdf");
    let list = project.root.join(FOLDER).join("requirements.txt");
    let python = python::environment(project, &cache, &list, "other readers of PDFs, and other summarizers")?;
    command::run(
        project
            .command(python)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("QUARTET_MODELS", project.target.join("models"))
            .arg(Path::new(FOLDER).join("understand.py"))
            .arg("--programs")
            .arg(project.target.join("release"))
            .arg("--cache")
            .arg(&cache)
            .args(flags),
    )
}
