//! A running service for the commands that ask it.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use anyhow::{Context, Result};

use crate::build::Built;
use crate::project::Project;

/// The host's words before its address.
const ANNOUNCEMENT: &str = "quartet: listening on ";

/// A host on a free port. It ends with the value.
pub struct Service {
    host: Child,
    /// Its address, as in `http://127.0.0.1:8080`.
    pub address: String,
}

impl Service {
    /// Starts the host and waits until it listens. It logs warnings to the terminal, or everything as JSON to the file `log`.
    ///
    /// # Errors
    /// When it cannot be started or ends before it listens.
    pub fn start(project: &Project, built: &Built, log: Option<&Path>) -> Result<Self> {
        let mut host = project.command(&built.host);
        host.args([
            "serve",
            "--offline",
            "--listen",
            "127.0.0.1:0",
            "--requests-per-minute",
            "1000000",
        ])
        .arg("--components")
        .arg(&built.components)
        .arg("--models")
        .arg(&built.models)
        .stdout(Stdio::piped());
        match log {
            None => host.args(["--log", "warn"]),
            Some(path) => {
                let file = File::create(path).with_context(|| format!("making the log {}", path.display()))?;
                host.args(["--log-format", "json"]).stderr(file)
            }
        };
        let mut host = host.spawn().context("cannot start the host")?;
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

    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.host.id()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Either fails only when it has ended already.
        let _ = self.host.kill();
        let _ = self.host.wait();
    }
}
