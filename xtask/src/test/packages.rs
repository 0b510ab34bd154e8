//! Packages of others for suites that ask the service by them, OpenAI's and clients of other services for `doors`, and those
//! that use a browser for `page`; and the store and the balancer of `fleet`. Where one cannot be had, its test is not run, and
//! says so.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::project::Project;
use crate::{command, python, setup};

/// The suite that asks the service by packages of other services.
const DOORS: &str = "doors";

/// The suite that uses the page in a browser.
const PAGE: &str = "page";

/// The suite that runs several replicas.
const FLEET: &str = "fleet";

/// The balancer, which is taken where the machine has it: its package has a dozen of others.
const BALANCER: &str = "haproxy";

/// Home Assistant, of which the suite runs the part that speaks the Wyoming protocol, out of the wheel: installed, it has
/// hundreds of other packages.
const HOME_ASSISTANT: &str = "homeassistant==2026.2.3";

/// The version of Python that the wheel asks for. That part of it runs with older ones, too.
const HOME_ASSISTANT_PYTHON: &str = "3.13.2";

/// The packages, where they are there.
#[derive(Debug, Default)]
pub struct Packages {
    /// The interpreter that has those for Python.
    python: Option<PathBuf>,
    /// Home Assistant's wheel.
    home_assistant: Option<PathBuf>,
    /// The folder in which node finds OpenAI's for JavaScript.
    javascript: Option<PathBuf>,
    /// The folder in which node finds those that use a browser.
    browser: Option<PathBuf>,
    /// The server in which replicas share their state.
    valkey: Option<PathBuf>,
    /// The balancer before them.
    balancer: Option<PathBuf>,
}

impl Packages {
    /// Fetches what a suite asks by, if it is missing.
    pub fn fetch(project: &Project, suite: &str) -> Self {
        let mut packages = Self::default();
        if suite == DOORS {
            let list = project.root.join("tests/doors/packages/requirements.txt");
            let python = python::environment(
                project,
                &project.cache.join("openai"),
                &list,
                "clients of other services",
            );
            packages.python = found("Python", python);
            if let Some(python) = &packages.python {
                packages.home_assistant = found("Home Assistant", home_assistant(project, python));
            }
            packages.javascript = found("JavaScript", of_npm(project, "tests/doors/packages"));
        }
        if suite == PAGE {
            packages.browser = found("a browser", of_npm(project, "tests/page/packages"));
        }
        if suite == FLEET {
            packages.valkey = found("Valkey", setup::valkey(project));
            packages.balancer = command::exists(BALANCER).then(|| BALANCER.into());
        }
        packages
    }

    /// Tells `tests` where they are.
    pub fn name_in(&self, tests: &mut Command) {
        for (variable, place) in [
            ("QUARTET_OPENAI_PYTHON", &self.python),
            ("QUARTET_HOME_ASSISTANT", &self.home_assistant),
            ("QUARTET_OPENAI_JAVASCRIPT", &self.javascript),
            ("QUARTET_BROWSER_PACKAGES", &self.browser),
            ("QUARTET_VALKEY", &self.valkey),
            ("QUARTET_HAPROXY", &self.balancer),
        ] {
            match place {
                Some(place) => tests.env(variable, place),
                None => tests.env_remove(variable),
            };
        }
    }
}

fn found(whom: &str, found: Result<PathBuf>) -> Option<PathBuf> {
    found
        .inspect_err(|error| eprintln!("test: the package for {whom} is left out: {error:#}"))
        .ok()
}

/// Fetches the wheel of Home Assistant, 51 MB, if it is missing.
fn home_assistant(project: &Project, python: &Path) -> Result<PathBuf> {
    let folder = project.cache.join(HOME_ASSISTANT.replace("==", "-"));
    let wheel = || {
        let files = fs::read_dir(&folder).ok()?.flatten().map(|entry| entry.path());
        files
            .into_iter()
            .find(|file| file.extension().is_some_and(|extension| extension == "whl"))
    };
    if let Some(wheel) = wheel() {
        return Ok(wheel);
    }
    eprintln!("python: fetching Home Assistant");
    command::run(
        project
            .command(python)
            .args([
                "-m",
                "pip",
                "download",
                "--quiet",
                "--disable-pip-version-check",
                "--no-deps",
            ])
            .args([
                "--only-binary",
                ":all:",
                "--python-version",
                HOME_ASSISTANT_PYTHON,
                "--dest",
            ])
            .arg(&folder)
            .arg(HOME_ASSISTANT),
    )?;
    wheel().with_context(|| format!("{} has no wheel", folder.display()))
}

/// Installs the packages that a folder lists.
fn of_npm(project: &Project, folder: &str) -> Result<PathBuf> {
    let folder = project.root.join(folder);
    command::run(
        Command::new("npm")
            .args(["install", "--no-audit", "--no-fund"])
            .current_dir(&folder),
    )?;
    Ok(folder)
}
