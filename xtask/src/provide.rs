//! Components for other hosts, with what Quartet's own host gives them: the gate that counts requests, a store whose values
//! have an end, the engine for graphs, a language model or the word that there is none. Each gets of these what it imports.
//!
//! `composed/<capability>.wasm` is for Spin, with gate and store inside; engine and language model are components beside it,
//! which Spin composes in as its manifest says, so that several capabilities share the one file with all weights.
//! `composed/<host>/quartet.wasm` is everything behind one handler, with the store that this host has.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::build::{self, Built};
use crate::crates::{ABSENT, PROBE};
use crate::project::Project;
use crate::{command, native};

/// The engine as a component.
const PROVIDER: &str = "quartet-inference-provider";

/// The program that puts components together.
const COMPOSER: &str = "quartet-compose";

/// The component that has the language model of Spin write.
const WRITER: &str = "quartet-llm-spin";

/// The component that does the host's work at the edge.
const EDGE: &str = "quartet-edge";

/// All capabilities behind one handler.
const ROUTER: &str = "quartet-router";

/// Values with an end over the store of Spin.
const STORE: &str = "quartet-keyvalue-spin";

/// The hosts that get all capabilities in one component, and what gives them a store.
const WHOLES: [(&str, &str); 2] = [
    ("wasmtime", "quartet-keyvalue-files"),
    ("wasmcloud", "quartet-keyvalue-draft"),
];

/// The crates that are compiled to WebAssembly here.
pub const PACKAGES: [&str; 9] = [
    PROVIDER,
    PROBE,
    ABSENT,
    WRITER,
    EDGE,
    ROUTER,
    STORE,
    WHOLES[0].1,
    WHOLES[1].1,
];

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
    /// The folder of the service's components, with the engine composed into those that have graphs in it, and no language
    /// model.
    pub components: PathBuf,
}

/// Puts them together; [`build::guests`] has compiled what they are made of.
///
/// # Errors
/// When the model is missing, or something cannot be compiled or composed.
pub fn probes(project: &Project, built: &Built) -> Result<Probes> {
    let folder = project.target.join("probes");
    fs::create_dir_all(&folder).with_context(|| format!("making the folder {}", folder.display()))?;
    let plain = folder.join("probe.wasm");
    fs::copy(build::compiled(project, PROBE), &plain).context("copying the probe")?;
    let absent = build::compiled(project, ABSENT);
    let provider = provider(project, built)?;
    let composer = native::program(project, COMPOSER)?;
    let composed = folder.join("composed.wasm");
    compose(project, &composer, &plain, &[&provider], &composed)?;
    let components = folder.join("components");
    fs::create_dir_all(&components).with_context(|| format!("making the folder {}", components.display()))?;
    for component in &built.served {
        let file = Path::new(&component.name).with_extension("wasm");
        let providers = match has_graphs_in_the_engine(project, &component.name)? {
            true => vec![provider.as_path(), absent.as_path()],
            false => vec![absent.as_path()],
        };
        compose(
            project,
            &composer,
            &built.components.join(&file),
            &providers,
            &components.join(&file),
        )?;
    }
    Ok(Probes {
        plain,
        composed,
        components,
    })
}

/// Returns true if the engine that is composed in has a graph of this component. Speech asks for graphs that only ONNX Runtime
/// computes, and does without them.
fn has_graphs_in_the_engine(project: &Project, component: &str) -> Result<bool> {
    let file = project.root.join("components").join(component).join("capability.toml");
    let text = fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    let table: toml::Table = text.parse().with_context(|| format!("reading {}", file.display()))?;
    let graphs = table.get("graphs").and_then(toml::Value::as_array);
    let mut names = graphs.into_iter().flatten().filter_map(toml::Value::as_str);
    Ok(names.any(|name| GRAPHS.contains(&name)))
}

/// Builds everything, and the components for other hosts.
///
/// # Errors
/// As for [`probes`].
pub fn run(project: &Project) -> Result<()> {
    let folder = elsewhere(project, &build::run(project)?)?;
    eprintln!("compose: the components are in {}", folder.display());
    Ok(())
}

/// Makes the components for other hosts, and returns their folder.
///
/// # Errors
/// As for [`probes`].
pub fn elsewhere(project: &Project, built: &Built) -> Result<PathBuf> {
    let folder = project.target.join("composed");
    fs::create_dir_all(&folder).with_context(|| format!("making the folder {}", folder.display()))?;
    let engine = provider(project, built)?;
    let apart = [EDGE, ROUTER, STORE, ABSENT, WRITER];
    build::compile(project, &built.prepared, &apart)?;
    let [edge, router, store, absent, writer] = apart.map(|package| build::compiled(project, package));
    let composer = native::program(project, COMPOSER)?;
    for component in &built.served {
        let file = Path::new(&component.name).with_extension("wasm");
        compose(
            project,
            &composer,
            &built.components.join(&file),
            &[&edge, &store],
            &folder.join(&file),
        )?;
    }
    for (made, name) in [
        (&engine, "inference"),
        (&absent, "language-model-absent"),
        (&writer, "language-model-spin"),
    ] {
        let beside = folder.join(name).with_extension("wasm");
        fs::copy(made, &beside).with_context(|| format!("copying {}", made.display()))?;
    }
    let finished = folder.join("router.wasm");
    build::snapshot(project, built, &router, &finished)?;
    for (host, package) in WHOLES {
        let stores = build::compile(project, &built.prepared, &[package])?;
        let whole = folder.join(host).join("quartet.wasm");
        fs::create_dir_all(folder.join(host)).with_context(|| format!("making the folder for {host}"))?;
        let providers = [&engine, &absent, &edge, &stores[0]].map(PathBuf::as_path);
        let mut composed = composition(project, &composer, &finished, &providers, &whole);
        for component in &built.served {
            let path = built.components.join(&component.name).with_extension("wasm");
            composed
                .arg("--route")
                .arg(format!("{}={}", component.name, path.display()));
        }
        command::run(&mut composed)?;
    }
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

/// Puts a component together with those of the others that provide what it imports.
fn compose(project: &Project, composer: &Path, component: &Path, providers: &[&Path], output: &Path) -> Result<()> {
    command::run(&mut composition(project, composer, component, providers, output))
}

/// The command that does it.
fn composition(project: &Project, composer: &Path, component: &Path, providers: &[&Path], output: &Path) -> Command {
    let mut command = project.command(composer);
    command.arg(component).arg("--output").arg(output);
    for provider in providers {
        command.arg("--provide").arg(provider);
    }
    command
}
