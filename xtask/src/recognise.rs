//! `cargo xtask recognise`: what a recogniser that is not ours hears of the service's speech. It builds and starts the
//! service, sets up Python with the packages of `tests/recogniser/requirements.txt` in the cache, and runs
//! `tests/recogniser/recognise.py`, which judges.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use anyhow::{Context, Result};

use crate::build::{self, Built};
use crate::command;
use crate::project::Project;

/// The folder of the script and of the list of its packages.
const FOLDER: &str = "tests/recogniser";

/// What the host prints before its address.
const ANNOUNCEMENT: &str = "quartet: listening on ";

/// Builds, then runs the script against the service. `flags` are added to the script's own: languages, and what its
/// `--help` lists.
///
/// # Errors
/// When something cannot be built, installed or started, or the script fails.
pub fn run(project: &Project, flags: &[OsString]) -> Result<()> {
    let built = build::run(project)?;
    let cache = project.cache.join("recogniser");
    let python = python(project, &cache)?;
    let service = Service::start(project, &built)?;
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

/// The interpreter of a virtual environment that has the packages. It is made anew when the list of them changes.
fn python(project: &Project, cache: &Path) -> Result<PathBuf> {
    fs::create_dir_all(cache).with_context(|| format!("making the folder {}", cache.display()))?;
    // Two runs at the same time must not install into the same folder. The system unlocks when the value goes.
    let lock = File::create(cache.join("python.lock")).context("making the lock of the Python environment")?;
    lock.lock().context("waiting for another run")?;

    let list = project.root.join(FOLDER).join("requirements.txt");
    let wanted = fs::read_to_string(&list).with_context(|| format!("reading {}", list.display()))?;
    let environment = cache.join("python");
    let (base, python) = if cfg!(windows) {
        ("python", environment.join("Scripts").join("python.exe"))
    } else {
        ("python3", environment.join("bin").join("python"))
    };
    let installed = environment.join("installed.txt");
    if fs::read_to_string(&installed).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    eprintln!("recognise: installing the recogniser, about 1 GB");
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
            .arg(&list),
    )?;
    fs::write(&installed, wanted).with_context(|| format!("writing {}", installed.display()))?;
    Ok(python)
}

/// A host on a free port. It ends with the value.
struct Service {
    host: Child,
    /// Its address, as in `http://127.0.0.1:8080`.
    address: String,
}

impl Service {
    /// Starts the host and waits until it listens.
    fn start(project: &Project, built: &Built) -> Result<Self> {
        let mut host = project
            .command(&built.host)
            .args(["serve", "--listen", "127.0.0.1:0", "--requests-per-minute", "1000000"])
            .args(["--log", "warn", "--components"])
            .arg(&built.components)
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the host")?;
        let output = host.stdout.take().context("the host has no output")?;
        let mut service = Self {
            host,
            address: String::new(),
        };
        let announced = BufReader::new(output)
            .lines()
            .map_while(Result::ok)
            .find_map(|line| Some(line.strip_prefix(ANNOUNCEMENT)?.trim().to_owned()));
        service.address = announced.context("the host ended without an address")?;
        Ok(service)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Either fails only when it has ended already.
        let _ = self.host.kill();
        let _ = self.host.wait();
    }
}
