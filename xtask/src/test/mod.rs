//! `cargo xtask test`: all that must hold before a change lands. The rules of the tree, formatting and lints, then the
//! unit tests, then the suites against the built service. With a name, one suite or the tests of one crate.
//!
//! A part that fails does not keep the later ones from running: one run tells everything. All is compiled in the release
//! profile, in which wasmtime is compiled already, and selected so that each dependency is compiled once
//! ([`native::select`]).

mod counts;
mod failures;
pub mod packages;
mod parts;
mod unoptimised;
mod workspace;

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::thread;

use anyhow::{Result, anyhow};

use self::packages::Packages;
use self::parts::Parts;
use self::workspace::{Named, Workspace};
use crate::build::{self, Built, EngineBuild};
use crate::crates::{ENGINE_CRATE, ENGINE_PROFILE, EXAMPLE, GUESTS, WASMTIME_CRATES};
use crate::project::{Project, WASM};
use crate::provide::Probes;
use crate::setup;
use crate::{command, docs, models, native, provide, tidy};

/// The most tests of a suite that run at the same time: each starts a service, which has all processors for itself.
const MAX_TEST_THREADS: usize = 8;

/// Suites whose tests wait for time to pass more than they compute: twice as many of theirs run at the same time.
const WAITING_SUITES: [&str; 5] = ["edge", "faults", "fleet", "observe", "swap"];

/// Components and files that tests are told of.
struct Fixtures {
    guests: PathBuf,
    /// The component of the example of a capability of one's own.
    words: PathBuf,
    /// Absent where no test asks for graphs.
    probes: Option<Probes>,
    /// The voice in JavaScript, where npm could build it.
    morse: Option<PathBuf>,
}

impl Fixtures {
    /// Builds the components. Those with an engine composed in take the longest, and only some tests need them.
    fn build(project: &Project, built: &Built, with_probes: bool) -> Result<Self> {
        let guests = build::guests(project, &built.prepared)?;
        Ok(Self {
            guests,
            words: build::own(project, built, EXAMPLE)?,
            probes: with_probes.then(|| provide::probes(project, built)).transpose()?,
            morse: None,
        })
    }

    /// Tells `tests` where everything is.
    fn name_in(&self, built: &Built, tests: &mut Command) {
        built.name_in(tests);
        tests
            .env("QUARTET_GUESTS", &self.guests)
            .env("QUARTET_WORDS", &self.words)
            .env_remove("QUARTET_MORSE");
        if let Some(probes) = &self.probes {
            tests
                .env("QUARTET_PROBE", &probes.plain)
                .env("QUARTET_PROBE_COMPOSED", &probes.composed)
                .env("QUARTET_COMPOSED", &probes.components);
        }
        if let Some(morse) = &self.morse {
            tests.env("QUARTET_MORSE", morse);
        }
    }
}

/// Runs everything.
///
/// # Errors
/// When cargo cannot be asked what there is. Parts that fail say so, and are in the exit code.
pub fn run(project: &Project, lint: bool) -> Result<ExitCode> {
    let workspace = Workspace::read(project)?;
    let unoptimised = unoptimised::arguments(project)?;
    let mut parts = Parts::default();
    // What waits for others begins first.
    let engine = EngineBuild::begin(project);
    let packages = packages::Coming::begin(project);
    if parts.run("set-up", || setup::run(project)).is_none() {
        return Ok(parts.verdict());
    }
    let coming = models::Coming::begin(project);
    if lint {
        parts.run("tidy", || tidy::run(project));
        parts.command("rustfmt", project.cargo("fmt").args(["--all", "--check"]));
    }
    // Without a build nothing further can run.
    let Some(built) = parts.run("build", || build::run_beside(project, engine)) else {
        return Ok(parts.verdict());
    };
    // The engine that is composed in is compiled on one processor for long.
    let fixtures = thread::scope(|scope| {
        let beside = scope.spawn(|| Fixtures::build(project, &built, true));
        parts.run("generated documentation", || docs::check(project, &built.host));
        if lint {
            clippy(project, &built, &mut parts);
        }
        parts.run("components of the tests", || {
            let fixtures = beside.join();
            fixtures.map_err(|_| anyhow!("building the components of the tests panicked"))?
        })
    });
    let Some(mut fixtures) = fixtures else {
        return Ok(parts.verdict());
    };
    fixtures.morse = morse(project, &mut parts);
    parts.run("language models", || coming.wait());
    let Some(packages) = parts.run("packages of the suites", || packages.wait()) else {
        return Ok(parts.verdict());
    };

    let mut tests = |name: &str, selected: &mut Command| {
        fixtures.name_in(&built, selected);
        parts.tests(name, selected);
    };
    let mut units = native_tests(project);
    units.args(&unoptimised).args(UNOPTIMISED_HOST).arg("--lib");
    // By name: of all programs, cargo would compile the host's library once more, for one without tests.
    for program in workspace.tested_programs() {
        units.args(["--bin", program]);
    }
    tests("unit tests", &mut units);
    // By themselves, because cargo builds the programs of their crates, too: the host that is served among them.
    let mut integration = native_tests(project);
    integration.args(&unoptimised);
    for test in workspace.integration_tests() {
        integration.args(["--test", test]);
    }
    tests("integration tests of crates", &mut integration);
    let mut examples = native_tests(project);
    tests(
        "examples in the documentation",
        examples.args(&unoptimised).arg("--doc"),
    );
    let mut engine = engine_tests(project);
    if let Some(tools) = &built.tools {
        tools.name_in(&mut engine);
        tests("tests of the language model's engine", &mut engine);
    }
    for suite in workspace.suites() {
        let mut suite_tests = suite_tests(project, suite);
        packages.name_in(suite, &mut suite_tests);
        tests(suite, &mut suite_tests);
    }
    if built.tools.is_none() {
        parts.run("the language model's engine", || {
            Err::<(), _>(anyhow!("it was not built"))
        });
    }
    Ok(parts.verdict())
}

/// Runs one suite, or the tests of one crate; with `filters`, those whose names contain one of them.
///
/// # Errors
/// When nothing has this name, or something cannot be built.
pub fn run_named(project: &Project, name: &str, filters: &[String]) -> Result<ExitCode> {
    let workspace = Workspace::read(project)?;
    let named = workspace.find(name)?;
    let mut parts = Parts::default();
    let fixtures = |parts: &mut Parts, with_probes| {
        let built = parts.run("build", || build::run(project))?;
        let fixtures = parts.run("components of the tests", || {
            Fixtures::build(project, &built, with_probes)
        })?;
        Some((built, fixtures))
    };
    let mut tests = match &named {
        Named::Suite(suite) => suite_tests(project, suite),
        Named::Crate(package) => crate_tests(project, &workspace, package, !filters.is_empty()),
    };
    match named {
        Named::Suite(suite) => {
            let Some((built, fixtures)) = fixtures(&mut parts, suite == "conformance") else {
                return Ok(parts.verdict());
            };
            fixtures.name_in(&built, &mut tests);
            Packages::fetch(project, &suite).name_in(&mut tests);
        }
        // With a filter only unit tests run, which need no components.
        Named::Crate(package) if package == HOST && filters.is_empty() => {
            let Some((built, fixtures)) = fixtures(&mut parts, true) else {
                return Ok(parts.verdict());
            };
            fixtures.name_in(&built, &mut tests);
        }
        Named::Crate(package) => {
            let Some(prepared) = parts.run("set-up", || setup::run(project)) else {
                return Ok(parts.verdict());
            };
            prepared.name_in(&mut tests);
            if package == ENGINE_CRATE[1] {
                setup::llama::ensure(project)?.name_in(&mut tests);
            }
        }
    }
    parts.tests(name, tests.arg("--").args(filters));
    Ok(parts.verdict())
}

/// The crate of the host.
const HOST: &str = WASMTIME_CRATES[1];

/// The host's own code is not optimised for its unit tests, which are compiled in a quarter of the time then. The suites
/// ask the host that is served, which is.
const UNOPTIMISED_HOST: [&str; 2] = ["--config", "profile.release.package.quartet-host.opt-level=0"];

/// The tool that wasmtime is in, too.
const PREINIT: &str = WASMTIME_CRATES[3];

fn test_command(project: &Project) -> Command {
    let mut cargo = project.cargo("test");
    cargo.arg("--no-fail-fast");
    cargo
}

/// Tests among all native crates; which of them is added.
fn native_tests(project: &Project) -> Command {
    let mut cargo = test_command(project);
    native::select(cargo.arg("--release"));
    cargo
}

fn suite_tests(project: &Project, suite: &str) -> Command {
    let mut cargo = native_tests(project);
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let threads = if WAITING_SUITES.contains(&suite) {
        2 * processors
    } else {
        processors
    };
    cargo
        .args(["--test", suite])
        .env("RUST_TEST_THREADS", threads.min(MAX_TEST_THREADS).to_string());
    cargo
}

fn engine_tests(project: &Project) -> Command {
    let mut cargo = test_command(project);
    cargo.args(ENGINE_PROFILE).args(ENGINE_CRATE).args(["--lib", "--bins"]);
    cargo
}

/// The tests of one crate; for `one_change`, of the host's the unit tests alone, whose program is one and not three. What
/// changes is compiled in small parts that are kept, and not as for a release: after a change of one line that takes
/// seconds instead of a minute.
fn crate_tests(project: &Project, workspace: &Workspace, package: &str, one_change: bool) -> Command {
    if package == ENGINE_CRATE[1] {
        return engine_tests(project);
    }
    let mut cargo = test_command(project);
    cargo.arg("--release");
    match package {
        HOST if one_change => cargo.args(WASMTIME_CRATES).args(UNOPTIMISED_HOST).arg("--lib"),
        HOST => cargo.args(WASMTIME_CRATES).arg("--lib"),
        PREINIT => cargo.args(WASMTIME_CRATES),
        "quartet-inference" => cargo.args(["--package", package, "--features", "onnxruntime", "--tests"]),
        _ => cargo.args(["--package", package, "--tests"]),
    };
    if [HOST, PREINIT].contains(&package) && !one_change {
        for test in workspace.tests_of(package) {
            cargo.args(["--test", test]);
        }
    }
    cargo.env("CARGO_INCREMENTAL", "1");
    cargo
}

/// Builds the voice in JavaScript, by the commands of `docs/write-a-component.md`. Where npm is not there, or cannot fetch
/// the compiler of components, its test is not run, and says so.
fn morse(project: &Project, parts: &mut Parts) -> Option<PathBuf> {
    let folder = project.root.join("examples/morse");
    let npm = |arguments: &[&str]| command::run(Command::new("npm").args(arguments).current_dir(&folder));
    if let Err(error) = npm(&["install", "--no-audit", "--no-fund"]) {
        eprintln!("test: the example in JavaScript is left out: {error:#}");
        return None;
    }
    parts.run("the example in JavaScript", || npm(&["run", "build"]))?;
    Some(folder.join("tts.wasm"))
}

/// Clippy on everything that runs natively, the components' own modules with it, and on the components as WebAssembly.
fn clippy(project: &Project, built: &Built, parts: &mut Parts) {
    let mut native = project.cargo("clippy");
    native::select(native.args(["--release", "--all-targets"]));
    let mut engine = project.cargo("clippy");
    engine.args(ENGINE_PROFILE).arg("--all-targets").args(ENGINE_CRATE);
    if let Some(tools) = &built.tools {
        tools.name_in(&mut engine);
    }
    let mut components = project.cargo("clippy");
    components.args(["--profile", "component", "--target", WASM]);
    let service = built.served.iter().map(|component| component.package.as_str());
    for package in service.chain(GUESTS).chain([EXAMPLE]).chain(provide::PACKAGES) {
        components.args(["--package", package]);
    }
    // With the selection of clippy, so that dependencies are checked once.
    let mut documentation = project.cargo("doc");
    native::select(documentation.args(["--release", "--no-deps", "--lib"])).env("RUSTDOCFLAGS", "--deny warnings");
    built.prepared.name_in(&mut documentation);
    for (name, clippy) in [
        ("clippy", &mut native),
        ("clippy on the language model's engine", &mut engine),
        ("clippy on WebAssembly", &mut components),
    ] {
        built.prepared.name_in(clippy);
        parts.command(name, clippy.args(["--", "--deny", "warnings"]));
    }
    parts.command("rustdoc", &mut documentation);
}
