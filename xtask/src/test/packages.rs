//! OpenAI's packages for the suite `doors`, which asks the service by them. Where one cannot be had, its test is not run,
//! and says so.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::project::Project;
use crate::{command, python};

/// The suite that asks the service by packages of others.
pub const SUITE: &str = "doors";

/// The packages, where they are there.
#[derive(Debug, Default)]
pub struct Packages {
    /// The interpreter that has the one for Python.
    python: Option<PathBuf>,
    /// The folder in which node finds the one for JavaScript.
    javascript: Option<PathBuf>,
}

impl Packages {
    /// Fetches what is missing.
    pub fn fetch(project: &Project) -> Self {
        let found = |language: &str, found: Result<PathBuf>| {
            found
                .inspect_err(|error| eprintln!("test: the package for {language} is left out: {error:#}"))
                .ok()
        };
        let folder = project.root.join("tests/doors/packages");
        let list = folder.join("requirements.txt");
        let cache = project.cache.join("openai");
        let npm = command::run(
            Command::new("npm")
                .args(["install", "--no-audit", "--no-fund"])
                .current_dir(&folder),
        );
        Self {
            python: found(
                "Python",
                python::environment(project, &cache, &list, "OpenAI's package"),
            ),
            javascript: found("JavaScript", npm.map(|()| folder)),
        }
    }

    /// Tells `tests` where they are.
    pub fn name_in(&self, tests: &mut Command) {
        for (variable, place) in [
            ("QUARTET_OPENAI_PYTHON", &self.python),
            ("QUARTET_OPENAI_JAVASCRIPT", &self.javascript),
        ] {
            match place {
                Some(place) => tests.env(variable, place),
                None => tests.env_remove(variable),
            };
        }
    }
}
