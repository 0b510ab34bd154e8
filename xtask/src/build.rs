//! `cargo xtask build`: the host, and the components it serves, into the target folder.
//!
//! - `release/quartet`: the host.
//! - `release/quartet-llm`: the engine of the language model, which the host runs as a process of its own.
//! - `components/<name>.wasm`: the components, snapshotted after their initialisation.
//! - `guests/*.wasm`: components for the tests only.
//!
//! The engine and the components are compiled beside the host: cargo keeps the profiles apart, and the host's large crates
//! wait for one another. The engine is begun first, because it needs nothing that the set-up waits for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{self, JoinHandle, ScopedJoinHandle};

use anyhow::{Context, Result, anyhow};
use quartet_llm_engine::processors::Processors;
use serde::Deserialize;

use crate::crates::{ABSENT, ENGINE_CRATE, ENGINE_PROFILE, EXAMPLE, GUESTS, PROBE, WASMTIME_CRATES};
use crate::project::{Project, WASM};
use crate::setup::llama::{self, Accelerator, Tools};
use crate::setup::{self, Prepared};
use crate::{command, digest, native};

/// A component of the service: a folder of `components` with a crate and a `capability.toml`.
#[derive(Debug, PartialEq, Eq)]
pub struct Component {
    /// The file in the components folder is called this, with `.wasm`.
    pub name: String,
    /// Its crate.
    pub package: String,
}

/// The manifest of a crate, as far as it is needed.
#[derive(Deserialize)]
struct Manifest {
    package: Package,
}

#[derive(Deserialize)]
struct Package {
    name: String,
}

/// Finds the components of the service, by name.
///
/// # Errors
/// When a folder or a manifest cannot be read.
pub fn components(project: &Project) -> Result<Vec<Component>> {
    let folder = project.root.join("components");
    let mut components = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        let manifest = path.join("Cargo.toml");
        if !manifest.is_file() || !path.join("capability.toml").is_file() {
            continue;
        }
        let reading = || format!("reading {}", manifest.display());
        let text = fs::read_to_string(&manifest).with_context(reading)?;
        let crate_manifest: Manifest = toml::from_str(&text).with_context(reading)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        components.push(Component {
            name,
            package: crate_manifest.package.name,
        });
    }
    components.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(components)
}

/// Results of a build.
pub struct Built {
    /// Results of the set-up.
    pub prepared: Prepared,
    /// The tools that the engine of the language model is compiled with, where it could be.
    pub tools: Option<Tools>,
    /// The host's program.
    pub host: PathBuf,
    /// The program that snapshots components.
    preinit: PathBuf,
    /// The folder of the components.
    pub components: PathBuf,
    /// The components of the service, which are in it.
    pub served: Vec<Component>,
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

/// The engine of the language model, while it is compiled beside something else.
pub struct EngineBuild(Option<JoinHandle<Option<Tools>>>);

impl EngineBuild {
    /// Begins to compile it.
    pub fn begin(project: &Project) -> Self {
        let project = project.clone();
        Self(Some(thread::spawn(move || engine(&project))))
    }

    /// Waits for it, and returns the tools that it was compiled with, where it could be.
    fn wait(mut self) -> Result<Option<Tools>> {
        let compiled = self.0.take().map_or(Ok(None), JoinHandle::join);
        compiled.map_err(|_| anyhow!("compiling the engine panicked"))
    }
}

impl Drop for EngineBuild {
    /// Leaves no compiler behind when something else fails.
    fn drop(&mut self) {
        if let Some(compiling) = self.0.take() {
            let _ = compiling.join();
        }
    }
}

/// Sets up, then builds whatever is not up to date.
///
/// # Errors
/// When something cannot be set up, compiled or snapshotted.
pub fn run(project: &Project) -> Result<Built> {
    run_beside(project, EngineBuild::begin(project))
}

/// The same beside an engine that was begun before.
///
/// # Errors
/// As [`run`].
pub fn run_beside(project: &Project, engine: EngineBuild) -> Result<Built> {
    let prepared = setup::run(project)?;
    let served = components(project)?;
    let packages: Vec<_> = served.iter().map(|component| component.package.as_str()).collect();
    let compiled = thread::scope(|scope| {
        let beside = scope.spawn(|| compile(project, &prepared, &packages));
        let host = host(project, &prepared);
        let beside = beside
            .join()
            .map_err(|_| anyhow!("compiling the components panicked"))?;
        host.and(beside)
    })?;
    let tools = engine.wait()?;
    let components = project.target.join("components");
    fs::create_dir_all(&components).with_context(|| format!("making the folder {}", components.display()))?;
    let built = Built {
        models: prepared.models.clone(),
        prepared,
        tools,
        host: native::release_file(project, "quartet"),
        preinit: native::release_file(project, "quartet-preinit"),
        components,
        served,
    };
    let finished = |component: &Component| built.components.join(&component.name).with_extension("wasm");
    // An initialisation runs on one processor.
    thread::scope(|scope| {
        let components = built.served.iter().zip(&compiled);
        let snapshots: Vec<_> = components
            .map(|(component, compiled)| {
                let (finished, built) = (finished(component), &built);
                scope.spawn(move || snapshot(project, built, compiled, &finished))
            })
            .collect();
        let mut ended = snapshots.into_iter().map(ScopedJoinHandle::join);
        ended.try_for_each(|ended| ended.map_err(|_| anyhow!("making a snapshot panicked"))?)
    })?;
    Ok(built)
}

/// Builds the host.
fn host(project: &Project, prepared: &Prepared) -> Result<()> {
    let mut host = project.cargo("build");
    host.args(["--release"]).args(WASMTIME_CRATES);
    prepared.name_in(&mut host);
    command::run(&mut host)
}

/// Builds the engine of the language model, where it can be.
fn engine(project: &Project) -> Option<Tools> {
    try_engine(project)
        .inspect_err(|error| {
            eprintln!("build: without its engine the built-in language model does not write, and says so: {error:#}");
        })
        .ok()
}

fn try_engine(project: &Project) -> Result<Tools> {
    let tools = llama::ensure(project)?;
    let mut engine = project.cargo("build");
    engine
        .args(ENGINE_PROFILE)
        .args(["--bins", "--examples"])
        .args(ENGINE_CRATE);
    engine.arg("--target-dir").arg(llama::target_folder(project));
    tools.name_in(&mut engine);
    command::run(&mut engine)?;
    put_beside_host(project)?;
    Ok(tools)
}

/// Builds the engine for other processors than this, in a folder of its own, and returns its file.
///
/// # Errors
/// When it cannot be built.
pub fn engine_for(project: &Project, processors: Processors) -> Result<PathBuf> {
    let tools = llama::ensure(project)?.for_processors(processors);
    let folder = project.target.join(processors.name());
    let mut engine = project.cargo("build");
    engine
        .args(ENGINE_PROFILE)
        .args(["--bin", "quartet-llm"])
        .args(ENGINE_CRATE);
    tools.name_in(&mut engine);
    command::run(engine.arg("--target-dir").arg(&folder))?;
    Ok(folder.join(ENGINE_PROFILE[1]).join("quartet-llm"))
}

/// Builds the engine for graphics processors, in a folder of its own, and returns its file: beside the host, as
/// `quartet-llm-cuda` or `quartet-llm-vulkan`.
///
/// # Errors
/// When it cannot be built, for want of what the backend needs.
pub fn accelerated_engine(project: &Project, accelerator: Accelerator) -> Result<PathBuf> {
    let feature = accelerator.feature();
    let tools = llama::ensure(project)?.for_accelerator(accelerator);
    let folder = project.target.join(feature);
    let mut engine = project.cargo("build");
    engine.args(ENGINE_PROFILE).args(["--bin", "quartet-llm"]);
    engine.args(ENGINE_CRATE[..2].iter());
    engine.args(["--features", &format!("quartet-llm-engine/{feature}")]);
    tools.name_in(&mut engine);
    command::run(engine.arg("--target-dir").arg(&folder))?;
    let compiled = folder.join(ENGINE_PROFILE[1]).join("quartet-llm");
    let beside = native::release_file(project, &format!("quartet-llm-{feature}"));
    replace(&compiled, &beside)?;
    Ok(beside)
}

/// Copies the engine to where the host looks for it. The file is replaced and not written to: it may be running.
fn put_beside_host(project: &Project) -> Result<()> {
    let compiled = native::engine_file(project, "quartet-llm");
    let beside = native::release_file(project, "quartet-llm");
    if beside.is_file() && digest::of_file(&beside)? == digest::of_file(&compiled)? {
        return Ok(());
    }
    replace(&compiled, &beside)
}

/// Puts a copy of a program in another's place, which may be running.
fn replace(program: &Path, place: &Path) -> Result<()> {
    let folder = place.parent().context("a program has no folder")?;
    fs::create_dir_all(folder).with_context(|| format!("making the folder {}", folder.display()))?;
    let copy = place.with_extension("new");
    fs::copy(program, &copy).with_context(|| format!("copying {}", program.display()))?;
    fs::rename(&copy, place).with_context(|| format!("replacing {}", place.display()))
}

/// Builds everything, and a component of one's own.
///
/// # Errors
/// As for [`run`].
pub fn run_with_own(project: &Project, package: &str) -> Result<()> {
    let built = run(project)?;
    compile(project, &built.prepared, &[package])?;
    let finished = own(project, &built, package)?;
    eprintln!("component: it is {}", finished.display());
    Ok(())
}

/// Snapshots a component of one's own that was compiled, and returns the finished file.
///
/// # Errors
/// When it cannot be snapshotted.
pub fn own(project: &Project, built: &Built, package: &str) -> Result<PathBuf> {
    let folder = project.target.join("own");
    fs::create_dir_all(&folder).with_context(|| format!("making the folder {}", folder.display()))?;
    let finished = folder.join(package).with_extension("wasm");
    snapshot(project, built, &compiled(project, package), &finished)?;
    Ok(finished)
}

/// Builds the components of the suites and returns their folder. They are served as they are compiled: what they do must
/// happen at a request, not at a snapshot. The example, and what tests of the host ask for graphs with, are compiled, too.
///
/// # Errors
/// When they cannot be compiled or copied.
pub fn guests(project: &Project, prepared: &Prepared) -> Result<PathBuf> {
    let folder = project.target.join("guests");
    fs::create_dir_all(&folder).with_context(|| format!("making the folder {}", folder.display()))?;
    // Together with the service's components, which are compiled by now: so they have the same dependencies.
    let served = components(project)?;
    let service = served.iter().map(|component| component.package.as_str());
    let all: Vec<_> = service.chain(GUESTS).chain([EXAMPLE, PROBE, ABSENT]).collect();
    compile(project, prepared, &all)?;
    for package in GUESTS {
        let compiled = compiled(project, package);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_a_crate_and_a_capability_is_a_component() {
        let project = Project::find().unwrap();
        let found = components(&project).unwrap();
        let names: Vec<_> = found.iter().map(|component| component.name.as_str()).collect();
        assert_eq!(names, ["chat", "image", "pdf", "tts"]);
        assert_eq!(found[3].package, "quartet-tts");
    }
}
