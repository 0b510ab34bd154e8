//! Python with the packages of a list, in a virtual environment of the cache.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::command;
use crate::project::Project;

/// The interpreter of a virtual environment in the folder `cache` that has the packages of the file `list`. It is made
/// anew when the list changes or it does not start; `what` tells the person who waits what is installed then.
///
/// # Errors
/// When there is no Python, or a package cannot be had.
pub fn environment(project: &Project, cache: &Path, list: &Path, what: &str) -> Result<PathBuf> {
    fs::create_dir_all(cache).with_context(|| format!("making the folder {}", cache.display()))?;
    // Two runs at the same time must not install into the same folder. The system unlocks when the value goes.
    let lock = File::create(cache.join("python.lock")).context("making the lock of the Python environment")?;
    lock.lock().context("waiting for another run")?;

    let wanted = fs::read_to_string(list).with_context(|| format!("reading {}", list.display()))?;
    let environment = cache.join("python");
    let (base, python) = if cfg!(windows) {
        ("python", environment.join("Scripts").join("python.exe"))
    } else {
        ("python3", environment.join("bin").join("python"))
    };
    let installed = environment.join("installed.txt");
    // A Python that was upgraded or removed leaves an environment behind that does not start, or finds no packages.
    let starts = || {
        let tried = project.command(&python).args(["-c", "import pip"]).output();
        tried.is_ok_and(|tried| tried.status.success())
    };
    if fs::read_to_string(&installed).is_ok_and(|installed| installed == wanted) && starts() {
        return Ok(python);
    }
    eprintln!("python: installing {what}");
    command::run(project.command(base).args(["-m", "venv", "--clear"]).arg(&environment))?;
    command::run(
        project
            .command(&python)
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--requirement",
            ])
            .arg(list),
    )?;
    fs::write(&installed, wanted).with_context(|| format!("writing {}", installed.display()))?;
    Ok(python)
}
