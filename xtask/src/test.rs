//! `cargo xtask test`: all that must hold before a change lands. The rules of the tree, formatting and lints, then the
//! unit tests, then the suites against the built service.
//!
//! A part that fails does not keep the later ones from running: one run tells everything. All is compiled in the release
//! profile, in which wasmtime is compiled already.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, anyhow, bail};

use crate::build::{self, Built, COMPONENTS, ENGINE_CRATE, EXAMPLE, GUESTS, WASMTIME_CRATES};
use crate::project::{Project, WASM};
use crate::{command, provide, tidy};

/// The crate of the suites.
const SUITES: &str = "quartet-tests";

/// What the engine of inference is built with; without it, only its types would be tested.
const ENGINE: &str = "quartet-inference/engine";

/// Runs everything, or of the tests only those whose names contain one of `filters`.
///
/// # Errors
/// When a part failed; each has said why by then.
pub fn run(project: &Project, filters: &[String], lint: bool) -> Result<()> {
    let mut parts = Parts::default();
    if lint {
        parts.note("tidy", tidy::run(project));
        parts.run("rustfmt", project.cargo("fmt").args(["--all", "--check"]));
    }
    // Without a build nothing further can run.
    let built = build::run(project)?;
    let guests = build::guests(project, &built.prepared)?;
    let words = build::own(project, &built, EXAMPLE)?;
    let probes = provide::probes(project, &built)?;
    if lint {
        clippy(project, &built, &mut parts);
    }

    let mut host = project.cargo("test");
    host.args(["--release", "--no-fail-fast"])
        .args(WASMTIME_CRATES)
        .env("QUARTET_PROBE", &probes.plain)
        .env("QUARTET_PROBE_COMPOSED", &probes.composed);
    let mut others = project.cargo("test");
    others
        .args(["--release", "--no-fail-fast", "--workspace", "--features", ENGINE])
        .args(without_wasmtime())
        .args(["--exclude", SUITES]);
    let mut engine = project.cargo("test");
    engine.args(["--release", "--no-fail-fast"]).args(ENGINE_CRATE);
    match &built.tools {
        Some(tools) => tools.name_in(&mut engine),
        None => parts.note("the language model's engine", Err(anyhow!("it was not built"))),
    }
    let mut suites = project.cargo("test");
    suites
        .args(["--release", "--no-fail-fast", "--package", SUITES])
        .env("QUARTET_GUESTS", &guests)
        .env("QUARTET_WORDS", words)
        .env("QUARTET_COMPOSED", &probes.components);
    for (name, tests) in [
        ("unit tests", &mut others),
        ("tests of the host", &mut host),
        ("tests of the language model's engine", &mut engine),
        ("suites", &mut suites),
    ] {
        built.name_in(tests);
        parts.run(name, tests.arg("--").args(filters));
    }
    if filters.is_empty() {
        example(project, &built, &guests, &mut parts);
    }
    parts.verdict()
}

/// The voice in JavaScript, by the commands of `docs/write-a-component.md`. Where npm is not there, or cannot fetch the
/// compiler of components, it is left out, and said to be.
fn example(project: &Project, built: &Built, guests: &Path, parts: &mut Parts) {
    let folder = project.root.join("examples/morse");
    let npm = |arguments: &[&str]| {
        let mut npm = Command::new("npm");
        command::run(npm.args(arguments).current_dir(&folder))
    };
    if let Err(error) = npm(&["install", "--no-audit", "--no-fund"]) {
        eprintln!("test: the example in JavaScript is left out: {error:#}");
        return;
    }
    parts.note("the example in JavaScript", npm(&["run", "build"]));
    let mut suite = project.cargo("test");
    suite
        .args([
            "--release",
            "--package",
            SUITES,
            "--test",
            "swap",
            "own::",
            "--",
            "--ignored",
        ])
        .env("QUARTET_GUESTS", guests)
        .env("QUARTET_MORSE", folder.join("tts.wasm"));
    built.name_in(&mut suite);
    parts.run("the example in JavaScript", &mut suite);
}

/// Clippy on everything that runs natively, the components' own modules with it, and on the components as WebAssembly.
fn clippy(project: &Project, built: &Built, parts: &mut Parts) {
    let mut host = project.cargo("clippy");
    host.args(["--release", "--all-targets"]).args(WASMTIME_CRATES);
    let mut others = project.cargo("clippy");
    others
        .args(["--release", "--all-targets", "--workspace", "--features", ENGINE])
        .args(without_wasmtime());
    let mut engine = project.cargo("clippy");
    engine.args(["--release", "--all-targets"]).args(ENGINE_CRATE);
    if let Some(tools) = &built.tools {
        tools.name_in(&mut engine);
    }
    let mut components = project.cargo("clippy");
    components.args(["--profile", "component", "--target", WASM]);
    components.args(
        GUESTS
            .iter()
            .chain([&EXAMPLE])
            .flat_map(|package| ["--package", package]),
    );
    components.args(provide::PACKAGES.iter().flat_map(|package| ["--package", package]));
    for component in COMPONENTS {
        components.args(["--package", component.package]);
    }
    let all = [
        ("clippy", &mut others),
        ("clippy on the host", &mut host),
        ("clippy on the language model's engine", &mut engine),
        ("clippy on WebAssembly", &mut components),
    ];
    for (name, clippy) in all {
        built.prepared.name_in(clippy);
        parts.run(name, clippy.args(["--", "--deny", "warnings"]));
    }
}

/// Arguments that leave out of the workspace the crates with wasmtime or llama.cpp in them, which are always compiled by
/// themselves, and the components of the suites, which exist as WebAssembly only.
fn without_wasmtime() -> impl Iterator<Item = &'static str> {
    let packages = WASMTIME_CRATES.into_iter().filter(|argument| *argument != "--package");
    packages
        .chain(GUESTS)
        .chain([EXAMPLE, ENGINE_CRATE[1]])
        .flat_map(|package| ["--exclude", package])
}

/// What has been run, and which of it failed.
#[derive(Default)]
struct Parts {
    failed: Vec<&'static str>,
}

impl Parts {
    /// Runs one part.
    fn run(&mut self, name: &'static str, part: &mut Command) {
        eprintln!("test: {name}");
        let result = command::run(part);
        self.note(name, result);
    }

    /// Takes down how one part went.
    fn note(&mut self, name: &'static str, result: Result<()>) {
        if let Err(error) = result {
            eprintln!("error: {name}: {error:#}");
            self.failed.push(name);
        }
    }

    /// The result of all parts.
    fn verdict(self) -> Result<()> {
        if !self.failed.is_empty() {
            bail!("failed: {}", self.failed.join(", "));
        }
        eprintln!("test: all parts passed");
        Ok(())
    }
}
