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

/// The crates that are compiled to WebAssembly here.
pub const PACKAGES: [&str; 2] = [PROVIDER, PROBE];

/// The graph that the probe is tried with, the smallest.
const PROBED: &str = "ocr-orientation";

/// The component that asks for a graph, as it is and with the engine composed in, for the tests of the host.
pub struct Probes {
    /// It asks its host.
    pub plain: PathBuf,
    /// It asks the engine inside.
    pub composed: PathBuf,
}

/// Builds both.
///
/// # Errors
/// When the model is missing, or something cannot be compiled or composed.
pub fn probes(project: &Project, built: &Built) -> Result<Probes> {
    let folder = project.target.join("probes");
    fs::create_dir_all(&folder).with_context(|| format!("making the folder {}", folder.display()))?;
    let plain = folder.join("probe.wasm");
    let compiled = build::compile(project, &built.prepared, &[PROBE])?;
    fs::copy(&compiled[0], &plain).context("copying the probe")?;
    let composed = folder.join("composed.wasm");
    compose(project, built, &plain, &[PROBED], &composed)?;
    Ok(Probes { plain, composed })
}

/// Puts `component` together with an engine that has `graphs` inside.
fn compose(project: &Project, built: &Built, component: &Path, graphs: &[&str], output: &Path) -> Result<()> {
    let files: Vec<_> = graphs
        .iter()
        .map(|graph| built.models.join(format!("{graph}.onnx")))
        .collect();
    if let Some(missing) = files.iter().find(|file| !file.is_file()) {
        bail!(
            "{} is missing: get it with `cargo xtask models {}`",
            missing.display(),
            graphs.join(" ")
        );
    }
    let mut cargo = build::compiler(project, &built.prepared, &[PROVIDER]);
    command::run(cargo.env("QUARTET_PROVIDED_GRAPHS", std::env::join_paths(&files)?))?;
    let provider = build::compiled(project, PROVIDER);
    let mut composer = project.cargo("run");
    composer.args(["--quiet", "--release", "--package", COMPOSER, "--"]);
    command::run(composer.args([component, provider.as_path(), output]))
}
