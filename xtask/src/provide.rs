//! Components that bring their own engine for graphs: for hosts that do not compute graphs themselves.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::build::{self, Built};
use crate::command;
use crate::project::Project;

/// The engine as a component.
const PROVIDER: &str = "quartet-inference-provider";

/// The crate that puts components together.
const COMPOSER: &str = "quartet-compose";

/// The component that asks for graphs, for tests.
const PROBE: &str = "quartet-inference-probe";

/// What stands for a language model where the host has none.
const ABSENT: &str = "quartet-language-model-absent";

/// The crates that are compiled to WebAssembly here.
pub const PACKAGES: [&str; 3] = [PROVIDER, PROBE, ABSENT];

/// The graphs inside of the engine: the one that the probe is tried with, and those of pictures. Not the one for meanings:
/// it would make each component twice as large, and in a sandbox a passage takes seconds.
const GRAPHS: [&str; 9] = [
    "ocr-orientation",
    "ocr-detection",
    "ocr-recognition",
    "ocr-arabic",
    "ocr-cyrillic",
    "ocr-devanagari",
    "ocr-hangul",
    "object-detection",
    "image-tags",
];

/// Components that ask for graphs, for the tests.
pub struct Probes {
    /// A small one that asks its host.
    pub plain: PathBuf,
    /// The same with the engine composed in.
    pub composed: PathBuf,
    /// The folder of the service's components, with the engine composed into those that need it.
    pub components: PathBuf,
}

/// Builds them.
///
/// # Errors
/// When the model is missing, or something cannot be compiled or composed.
pub fn probes(project: &Project, built: &Built) -> Result<Probes> {
    let folder = project.target.join("probes");
    fs::create_dir_all(&folder).with_context(|| format!("making the folder {}", folder.display()))?;
    let plain = folder.join("probe.wasm");
    let compiled = build::compile(project, &built.prepared, &[PROBE])?;
    fs::copy(&compiled[0], &plain).context("copying the probe")?;
    let provider = provider(project, built)?;
    let composed = folder.join("composed.wasm");
    compose(project, &plain, &provider, &composed)?;
    Ok(Probes {
        plain,
        composed,
        components: components(project, built, &provider)?,
    })
}

/// Builds everything, and the components for other hosts.
///
/// # Errors
/// As for [`probes`].
pub fn run(project: &Project) -> Result<()> {
    let built = build::run(project)?;
    let provider = provider(project, &built)?;
    let folder = components(project, &built, &provider)?;
    eprintln!("compose: the components are in {}", folder.display());
    Ok(())
}

/// Makes a folder of components that need no graphs and no language model of their host.
fn components(project: &Project, built: &Built, provider: &Path) -> Result<PathBuf> {
    let folder = project.target.join("composed");
    fs::create_dir_all(&folder).with_context(|| format!("making the folder {}", folder.display()))?;
    for needing in ["image.wasm", "pdf.wasm"] {
        compose(
            project,
            &built.components.join(needing),
            provider,
            &folder.join(needing),
        )?;
    }
    let absent = build::compile(project, &built.prepared, &[ABSENT])?;
    compose(
        project,
        &built.components.join("chat.wasm"),
        &absent[0],
        &folder.join("chat.wasm"),
    )?;
    fs::copy(built.components.join("tts.wasm"), folder.join("tts.wasm")).context("copying the speech component")?;
    Ok(folder)
}

/// Builds the engine with all [`GRAPHS`] inside.
fn provider(project: &Project, built: &Built) -> Result<PathBuf> {
    let files: Vec<_> = GRAPHS
        .iter()
        .map(|graph| built.models.join(format!("{graph}.onnx")))
        .collect();
    if let Some(missing) = files.iter().find(|file| !file.is_file()) {
        bail!(
            "{} is missing: get it with `cargo xtask models {}`",
            missing.display(),
            GRAPHS.join(" ")
        );
    }
    let mut cargo = build::compiler(project, &built.prepared, &[PROVIDER]);
    command::run(cargo.env("QUARTET_PROVIDED_GRAPHS", std::env::join_paths(&files)?))?;
    Ok(build::compiled(project, PROVIDER))
}

/// Puts a component together with the engine.
fn compose(project: &Project, component: &Path, provider: &Path, output: &Path) -> Result<()> {
    let mut composer = project.cargo("run");
    composer.args(["--quiet", "--release", "--package", COMPOSER, "--"]);
    command::run(composer.args([component, provider, output]))
}
