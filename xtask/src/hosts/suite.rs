//! The conformance suite against a host that runs.

use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::known::Running;
use crate::project::Project;
use crate::{command, native};

/// Tests of Quartet's own host, which start it themselves with settings of their own.
const OWN: [&str; 10] = [
    "host::",
    "rate::",
    "an_engine_composed_in",
    "a_model_that_is_missing",
    "chat::without_a_model",
    "chat::a_search_answers_with_sources_in_twelve",
    "chat::every_way_in_which",
    "chat::a_search_server_that",
    "chat::pages_lead_neither",
    "chat::who_leaves",
];

/// The suite, ready to be run.
pub struct Suite<'a> {
    project: &'a Project,
}

/// Names of the tests that passed and failed.
#[derive(Default)]
pub struct Results {
    /// Names of tests.
    pub passed: Vec<String>,
    /// Names of tests.
    pub failed: Vec<String>,
}

impl<'a> Suite<'a> {
    /// Compiles it.
    ///
    /// # Errors
    /// When it cannot be compiled.
    pub fn build(project: &'a Project) -> Result<Self> {
        let suite = Self { project };
        command::run(suite.cargo().arg("--no-run"))?;
        Ok(suite)
    }

    fn cargo(&self) -> Command {
        let mut cargo = self.project.cargo("test");
        native::select(cargo.args(["--quiet", "--release"])).args(["--test", "conformance"]);
        cargo
    }

    /// Runs what applies to any host. `encyclopedia` is the host and port where services were told to search, and where
    /// the suite puts one.
    ///
    /// # Errors
    /// When it does not run to its end.
    pub fn run(&self, service: &Running, few: &Running, encyclopedia: &str, ours: bool) -> Result<Results> {
        let mut cargo = self.cargo();
        cargo
            .env("QUARTET_BASE_URL", format!("http://{}", service.address))
            .env("QUARTET_LIMITED_URL", format!("http://{}", few.address))
            .env("QUARTET_ENCYCLOPEDIA", encyclopedia)
            .args(["--", "--format", "pretty", "--test-threads", "2"]);
        for name in OWN {
            cargo.args(["--skip", name]);
        }
        let ran = cargo.output().context("cannot start cargo")?;
        let said = String::from_utf8_lossy(&ran.stdout);
        let mut results = Results::default();
        for line in said.lines() {
            let Some((name, verdict)) = line.strip_prefix("test ").and_then(|line| line.split_once(" ... ")) else {
                continue;
            };
            match verdict {
                "ok" => results.passed.push(name.to_owned()),
                _ => results.failed.push(name.to_owned()),
            }
        }
        ensure!(
            said.contains("test result:") && !results.passed.is_empty(),
            "the suite did not run: {}{said}",
            String::from_utf8_lossy(&ran.stderr)
        );
        if !results.failed.is_empty() || !ours {
            eprintln!("{said}");
        }
        Ok(results)
    }
}
