//! `cargo xtask models`: the models of `models.toml`, in a cache that all clones share, and linked into the target folder
//! for the host.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, anyhow, bail};
use quartet_models::curl::Curl;
use quartet_models::{Manifest, Mirror, Model, Obtainer, Shared, Ways};

use crate::progress::Terminal;
use crate::project::Project;
use crate::scratch::{Scratch, lock_cache};
use crate::{command, digest, native};

/// The program that converts.
const CONVERTER: &str = "quartet-model-convert";

/// The variable that names a mirror, as for the program itself.
const MIRROR: &str = "QUARTET_MODELS_MIRROR";

/// Without names: lists all models. With names: gets these, the default ones or not.
///
/// # Errors
/// When there is no model of a name, or one of them is not to be had.
pub fn run(project: &Project, names: &[String]) -> Result<()> {
    let manifest = Manifest::embedded()?;
    if names.is_empty() {
        for model in manifest.models() {
            println!("{}", line(project, model));
        }
        return Ok(());
    }
    let models = names
        .iter()
        .map(|name| manifest.find(name))
        .collect::<Result<Vec<_>>>()?;
    let mut failed = Vec::new();
    for model in models {
        failed.extend(get(project, &[model])?);
        // One after the other, because a host may be waiting for the first.
        link(project, &manifest)?;
    }
    if !failed.is_empty() {
        bail!("not to be had: {}", failed.join(", "));
    }
    Ok(())
}

/// Gets the models of the default configuration that are missing, but for language models; links all that are there into
/// the target folder and returns that one. A model that is not to be had keeps nobody from building and serving the rest:
/// it is named.
///
/// # Errors
/// When `models.toml` is broken or the folders cannot be written to.
pub fn ensure(project: &Project) -> Result<PathBuf> {
    ensure_those(project, |model| !model.is_language())
}

/// The same with the language models, which are most of what there is to fetch.
///
/// # Errors
/// As [`ensure`].
pub fn ensure_all(project: &Project) -> Result<PathBuf> {
    ensure_those(project, |_| true)
}

/// All models, while they are being fetched beside something else.
pub struct Coming(JoinHandle<Result<PathBuf>>);

impl Coming {
    /// Begins to fetch what is missing. Nothing that is built needs a language model, and those are most of what there is to
    /// fetch; what else is needed must be there already.
    pub fn begin(project: &Project) -> Self {
        let project = project.clone();
        Self(thread::spawn(move || ensure_all(&project)))
    }

    /// Waits until they are there.
    ///
    /// # Errors
    /// As [`ensure`].
    pub fn wait(self) -> Result<()> {
        let fetched = self.0.join().map_err(|_| anyhow!("fetching models panicked"))?;
        fetched.map(drop)
    }
}

/// The language models of the default configuration that are missing: their names, and their megabytes together.
///
/// # Errors
/// When `models.toml` is broken.
pub fn missing_language_models(project: &Project) -> Result<(Vec<String>, f64)> {
    let manifest = Manifest::embedded()?;
    let missing = |model: &&Model| model.default && model.is_language() && !cached(project, model).is_file();
    let missing: Vec<_> = manifest.models().filter(missing).collect();
    let size = missing.iter().map(|model| model.size() as f64).sum::<f64>();
    Ok((
        missing.into_iter().map(|model| model.name.clone()).collect(),
        size / 1e6,
    ))
}

fn ensure_those(project: &Project, wanted: impl Fn(&Model) -> bool) -> Result<PathBuf> {
    let manifest = Manifest::embedded()?;
    let wanted: Vec<_> = manifest
        .models()
        .filter(|model| model.default && model.is_for_here() && wanted(model))
        .collect();
    let failed = get(project, &wanted)?;
    if !failed.is_empty() {
        let names = failed.join(" ");
        eprintln!(
            "setup: these models are missing, and what needs them will say so: get them with `cargo xtask models {names}`"
        );
    }
    link(project, &manifest)
}

/// Gets what is missing of `models` and returns the names of those that are not to be had.
fn get<'a>(project: &Project, models: &[&'a Model]) -> Result<Vec<&'a str>> {
    let missing: Vec<_> = models
        .iter()
        .filter(|model| !cached(project, model).is_file())
        .collect();
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    let _lock = lock_cache(project)?;
    let scratch = Scratch::new(project)?;
    let convert = |arguments: &[OsString]| {
        let converter = native::program(project, CONVERTER)?;
        command::run(project.command(converter).args(arguments))
    };
    let ways = Ways {
        store: store(project),
        mirror: std::env::var(MIRROR)
            .ok()
            .filter(|text| !text.is_empty())
            .map(|text| Mirror::read(&text)),
        offline: false,
        web: &Curl { shows: true },
        convert: &convert,
        report: &Terminal,
    };
    let shared = Shared::default();
    let mut obtainer = Obtainer::new(&ways, &shared, &scratch.0);
    let mut failed = Vec::new();
    for model in missing {
        // Another set-up may have got it while this one waited.
        if cached(project, model).is_file() {
            continue;
        }
        if let Err(error) = obtainer.model(model) {
            eprintln!("setup: {}: {error:#}", model.name);
            failed.push(model.name.as_str());
        }
    }
    Ok(failed)
}

/// The folder of the files that all clones share, each under its digest.
fn store(project: &Project) -> PathBuf {
    project.cache.join("models")
}

/// The place of a model in it.
fn cached(project: &Project, model: &Model) -> PathBuf {
    store(project).join(&model.sha256)
}

/// Makes the folder of the models that are there, under the names that the host looks for.
fn link(project: &Project, manifest: &Manifest) -> Result<PathBuf> {
    static LINKING: Mutex<()> = Mutex::new(());
    let _alone = LINKING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = project.target.join("models");
    fs::create_dir_all(&folder).with_context(|| format!("making the folder {}", folder.display()))?;
    for model in manifest.models() {
        let (from, to) = (cached(project, model), folder.join(&model.file));
        // One that the program itself fetched into the folder is as good.
        let fetched = || fs::metadata(&to).is_ok_and(|file| file.len() == model.size());
        if !from.is_file() && fetched() && digest::of_file(&to)? == model.sha256 {
            fs::create_dir_all(store(project))?;
            place(&to, &from).with_context(|| format!("keeping {}", from.display()))?;
        }
        if from.is_file() {
            place(&from, &to).with_context(|| format!("linking {}", to.display()))?;
        } else {
            // What an earlier table had under this name is another file.
            let _ = fs::remove_file(&to);
        }
    }
    Ok(folder)
}

/// Links a file, or copies it where the cache is on another disk; beside its place first, because a host may be reading.
fn place(from: &Path, to: &Path) -> std::io::Result<()> {
    let beside = to.with_extension("new");
    let _ = fs::remove_file(&beside);
    fs::hard_link(from, &beside).or_else(|_| fs::copy(from, &beside).map(drop))?;
    fs::rename(&beside, to)?;
    // Two links to one file: a rename between them does nothing, and leaves the first.
    let _ = fs::remove_file(&beside);
    Ok(())
}

/// A model in one line.
fn line(project: &Project, model: &Model) -> String {
    let state = match (cached(project, model).is_file(), model.default) {
        (true, _) => "here",
        (false, true) => "missing",
        (false, false) => "optional",
    };
    let megabytes = model
        .size
        .map_or_else(|| "?".to_owned(), |size| format!("{:.1}", size as f64 / 1e6));
    let untried = if model.untried { " (untried)" } else { "" };
    format!(
        "{:<27} {state:<8} {megabytes:>6} MB  {:<11} {}{untried}",
        model.name, model.licence, model.what
    )
}
