//! Getting a data package into the cache: ask each source in turn for the archive, check its digest, and take out of it
//! or make of it what a component is built with.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::packages::{Package, Treatment};
use crate::project::Project;
use crate::scratch::{Scratch, lock_cache};
use crate::{command, digest, native, progress};
use quartet_models::archive::{extract, only_file};
use quartet_models::origin::download;

/// Makes sure that the package's files are in the cache and returns the path of the one that components ask for.
///
/// # Errors
/// When no source has the archive; the message has each one's reason. A wrong digest is a reason, and names the file.
/// Also when the archive lacks what is taken out of it.
pub fn ensure(project: &Project, package: &Package) -> Result<PathBuf> {
    let name = match package.treatment {
        Treatment::Take(_) => package.name.to_owned(),
        Treatment::Convert { folder, .. } => {
            format!("{}-{:.8}", package.name, source_digest(&project.root.join(folder))?)
        }
    };
    let kept = project.cache.join("packages").join(name);
    // The folder appears by a rename, complete.
    if kept.is_dir() {
        return Ok(kept.join(package.file));
    }
    let _lock = lock_cache(project)?;
    if kept.is_dir() {
        return Ok(kept.join(package.file));
    }
    let scratch = Scratch::new(project)?;
    let archive = archive(project, package, &scratch.0)?;
    let files = scratch.0.join("files");
    fs::create_dir_all(&files)?;
    match package.treatment {
        Treatment::Take(paths) => take(&archive, paths, &scratch.0, &files)?,
        Treatment::Convert { program, .. } => {
            progress::setup(&format!("making {} of it", package.file));
            let mut convert = project.command(native::program(project, program)?);
            command::run(convert.arg(&archive).arg(files.join(package.file)))?;
        }
    }
    if !files.join(package.file).is_file() {
        bail!("{} has no {}", package.name, package.file);
    }
    fs::create_dir_all(kept.parent().context("the cache is a folder inside another")?)?;
    fs::rename(&files, &kept).with_context(|| format!("keeping {}", kept.display()))?;
    Ok(kept.join(package.file))
}

/// The archive, from the cache or from the first source that has it.
fn archive(project: &Project, package: &Package, scratch: &Path) -> Result<PathBuf> {
    let archives = project.cache.join("archives");
    let mut reasons = Vec::new();
    for source in package.sources {
        // Named by its digest, and so never another one by mistake; checked all the same, because disks fail.
        let kept = archives.join(source.sha256);
        if let Ok(archive) = only_file(&kept)
            && digest::of_file(&archive)? == source.sha256
        {
            return Ok(archive);
        }
    }
    progress::setup(&format!("getting {}", package.name));
    for (number, source) in package.sources.iter().enumerate() {
        let downloads = scratch.join(format!("download-{number}"));
        fs::create_dir_all(&downloads)?;
        match download(source.origin, &downloads).and_then(|()| verified(&downloads, source.sha256)) {
            Ok(_) => {
                let kept = archives.join(source.sha256);
                let _ = fs::remove_dir_all(&kept);
                fs::create_dir_all(&archives)?;
                fs::rename(&downloads, &kept).with_context(|| format!("keeping {}", kept.display()))?;
                return only_file(&kept);
            }
            Err(error) => {
                let reason = format!("{}: {error:#}", source.origin);
                progress::setup(&reason);
                reasons.push(reason);
            }
        }
    }
    bail!("{} is not to be had:\n  {}", package.name, reasons.join("\n  "))
}

/// The one file in a folder, once it has the digest that it must have.
fn verified(folder: &Path, sha256: &str) -> Result<PathBuf> {
    let file = only_file(folder)?;
    let found = digest::of_file(&file)?;
    if found != sha256 {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        bail!("{name} has the digest {found}, not {sha256}");
    }
    Ok(file)
}

/// Takes files out of an archive and puts them into the folder `files`.
fn take(archive: &Path, paths: &[&str], scratch: &Path, files: &Path) -> Result<()> {
    let contents = scratch.join("contents");
    fs::create_dir_all(&contents)?;
    extract(archive, &contents)?;
    for path in paths {
        let name = Path::new(path)
            .file_name()
            .with_context(|| format!("{path} is not a file's path"))?;
        fs::rename(contents.join(path), files.join(name)).with_context(|| format!("the archive has no {path}"))?;
    }
    Ok(())
}

/// A digest of a crate's own source: of all that is in its folder `src`, and of its manifest.
fn source_digest(folder: &Path) -> Result<String> {
    let mut waiting = vec![folder.join("Cargo.toml"), folder.join("src")];
    let mut digests = Vec::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                waiting.push(entry?.path());
            }
        } else {
            digests.push(format!(
                "{} {}\n",
                path.strip_prefix(folder)?.display(),
                digest::of_file(&path)?
            ));
        }
    }
    digests.sort();
    Ok(digest::of(digests.concat().as_bytes()))
}
