//! `cargo xtask build`: the host, and the components it serves, into the target folder.
//!
//! - `release/quartet`: the host.
//! - `release/quartet-llm`: the engine of the language model, which the host runs as a process of its own.
//! - `components/<name>.wasm`: the components, snapshotted after their initialisation.
//! - `guests/*.wasm`: components for the tests only.
//!
//! Everything wasmtime is in is built by one cargo command, the same in each task: cargo chooses the features of shared
//! dependencies by what is built together, and wasmtime must not be compiled twice.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::project::{Project, WASM};
use crate::setup::llama::{self, Tools};
use crate::setup::{self, Prepared};
use crate::{command, digest};

/// The crates that wasmtime is in: always selected together.
pub const WASMTIME_CRATES: [&str; 4] = ["--package", "quartet-host", "--package", "quartet-preinit"];

/// The crate that llama.cpp is in, with it: always selected like this, so that llama.cpp is compiled once.
pub const ENGINE_CRATE: [&str; 4] = [
    "--package",
    "quartet-llm-engine",
    "--features",
    "quartet-llm-engine/engine",
];

/// The crates of components that only the suites serve: one that breaks every rule, and one that asks the language model.
pub const GUESTS: [&str; 2] = ["quartet-misbehaving-guests", "quartet-llm-guest"];

/// The crate of the example of a capability of one's own.
pub const EXAMPLE: &str = "quartet-example-words";

/// A component of the service.
pub struct Component {
    /// The file in the components folder is called this, with `.wasm`.
    pub name: &'static str,
    /// Its crate.
    pub package: &'static str,
}

/// All components of the service.
pub const COMPONENTS: &[Component] = &[
    Component {
        name: "tts",
        package: "quartet-tts",
    },
    Component {
        name: "image",
        package: "quartet-image",
    },
    Component {
        name: "pdf",
        package: "quartet-pdf",
    },
    Component {
        name: "chat",
        package: "quartet-chat",
    },
];

/// What a build leaves behind.
pub struct Built {
    /// What the set-up says.
    pub prepared: Prepared,
    /// What the engine of the language model is compiled with, where it could be.
    pub tools: Option<Tools>,
    /// The host's program.
    pub host: PathBuf,
    /// The program that snapshots components.
    preinit: PathBuf,
    /// The folder of the components.
    pub components: PathBuf,
    /// The folder of the models.
    pub models: PathBuf,
}

impl Built {
    /// Tells `command`, a suite, where the host and the components are.
    pub fn name_in(&self, command: &mut Command) {
        self.prepared.name_in(command);
        command
            .env("QUARTET_HOST", &self.host)
            .env("QUARTET_MODELS", &self.models)
            .env("QUARTET_COMPONENTS", &self.components);
    }
}

/// Sets up, then builds whatever is not up to date.
///
/// # Errors
/// When something cannot be set up, compiled or snapshotted.
pub fn run(project: &Project) -> Result<Built> {
    let prepared = setup::run(project)?;
    let mut host = project.cargo("build");
    host.args(["--release"]).args(WASMTIME_CRATES);
    prepared.name_in(&mut host);
    command::run(&mut host)?;

    let tools = match engine(project) {
        Ok(tools) => Some(tools),
        Err(error) => {
            eprintln!("build: without its engine the built-in language model does not write, and says so: {error:#}");
            None
        }
    };

    let packages: Vec<_> = COMPONENTS.iter().map(|component| component.package).collect();
    let compiled = compile(project, &prepared, &packages)?;
    let components = project.target.join("components");
    fs::create_dir_all(&components).with_context(|| format!("making the folder {}", components.display()))?;
    let preinit = project
        .target
        .join("release")
        .join(format!("quartet-preinit{}", std::env::consts::EXE_SUFFIX));
    let host = project
        .target
        .join("release")
        .join(format!("quartet{}", std::env::consts::EXE_SUFFIX));
    let built = Built {
        models: prepared.models.clone(),
        prepared,
        tools,
        host,
        preinit,
        components,
    };
    for (component, compiled) in COMPONENTS.iter().zip(&compiled) {
        let finished = built.components.join(component.name).with_extension("wasm");
        snapshot(project, &built, compiled, &finished)?;
    }
    Ok(built)
}

/// Builds the engine of the language model.
///
/// # Errors
/// When the tools cannot be had, or it cannot be compiled.
fn engine(project: &Project) -> Result<Tools> {
    let tools = llama::ensure(project)?;
    let mut engine = project.cargo("build");
    engine.args(["--release", "--bins", "--examples"]).args(ENGINE_CRATE);
    tools.name_in(&mut engine);
    command::run(&mut engine)?;
    Ok(tools)
}

/// Builds everything, and a component of one's own.
///
/// # Errors
/// As for [`run`].
pub fn run_with_own(project: &Project, package: &str) -> Result<()> {
    let built = run(project)?;
    let finished = own(project, &built, package)?;
    eprintln!("component: it is {}", finished.display());
    Ok(())
}

/// Builds a component of one's own and returns its file.
///
/// # Errors
/// When it cannot be compiled or snapshotted.
pub fn own(project: &Project, built: &Built, package: &str) -> Result<PathBuf> {
    let folder = project.target.join("own");
    fs::create_dir_all(&folder).with_context(|| format!("making the folder {}", folder.display()))?;
    let compiled = compile(project, &built.prepared, &[package])?;
    let finished = folder.join(package).with_extension("wasm");
    snapshot(project, built, &compiled[0], &finished)?;
    Ok(finished)
}

/// Builds the components of the suites and returns their folder. They are served as they are compiled: what they do must
/// happen at a request, not at a snapshot.
///
/// # Errors
/// When they cannot be compiled or copied.
pub fn guests(project: &Project, prepared: &Prepared) -> Result<PathBuf> {
    let folder = project.target.join("guests");
    fs::create_dir_all(&folder).with_context(|| format!("making the folder {}", folder.display()))?;
    for compiled in compile(project, prepared, &GUESTS)? {
        let name = compiled.file_name().context("a compiled component has no name")?;
        fs::copy(&compiled, folder.join(name)).with_context(|| format!("copying {}", compiled.display()))?;
    }
    Ok(folder)
}

/// Compiles `packages` to WebAssembly and returns their files, in the same order.
///
/// # Errors
/// When they cannot be compiled.
pub fn compile(project: &Project, prepared: &Prepared, packages: &[&str]) -> Result<Vec<PathBuf>> {
    command::run(&mut compiler(project, prepared, packages))?;
    Ok(packages.iter().map(|package| compiled(project, package)).collect())
}

/// The file of a component after it was compiled.
pub fn compiled(project: &Project, package: &str) -> PathBuf {
    let folder = project.target.join(WASM).join("component");
    folder.join(package.replace('-', "_")).with_extension("wasm")
}

/// The command that compiles `packages` to WebAssembly.
pub fn compiler(project: &Project, prepared: &Prepared, packages: &[&str]) -> Command {
    let mut cargo = project.cargo("build");
    cargo.args(["--profile", "component", "--target", WASM]);
    for package in packages {
        cargo.args(["--package", package]);
    }
    prepared.name_in(&mut cargo);
    cargo
}

/// Snapshots `compiled` into `finished`, unless the last snapshot was made of the same file by the same program.
///
/// # Errors
/// When the component's initialisation fails, or a file cannot be read or written.
pub fn snapshot(project: &Project, built: &Built, compiled: &Path, finished: &Path) -> Result<()> {
    let inputs = format!("{} {}\n", digest::of_file(compiled)?, digest::of_file(&built.preinit)?);
    let record = finished.with_extension("inputs");
    if finished.is_file() && fs::read_to_string(&record).is_ok_and(|recorded| recorded == inputs) {
        return Ok(());
    }
    eprintln!(
        "build: running the initialisation of {} for its snapshot",
        finished.display()
    );
    command::run(project.command(&built.preinit).arg(compiled).arg(finished))?;
    fs::write(&record, inputs).with_context(|| format!("writing {}", record.display()))
}
