//! `cargo xtask recognise`: what a recogniser that is not ours hears of the service's speech. It builds and starts the
//! service, sets up Python with the packages of `tests/recogniser/requirements.txt` in the cache, and runs
//! `tests/recogniser/recognise.py`, which judges.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use anyhow::{Context, Result};

use crate::build::{self, Built};
use crate::project::Project;
use crate::{command, python};

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
    let list = project.root.join(FOLDER).join("requirements.txt");
    let python = python::environment(project, &cache, &list, "the recogniser, about 1 GB")?;
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
