//! Packages of suites that this Debian does not use, fetched by apt and by nothing else: it knows the mirror and checks
//! signatures and digests. It works in an apt state of its own, so that the system's package lists and sources stay as
//! they are, and installs nothing.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command;
use crate::report::Report;

/// Suites with packages that are too new for a release, best first: compiled for a release, then for the ones to come.
const SUITES: [&str; 5] = ["trixie-backports", "bookworm-backports", "trixie", "forky", "sid"];

/// The keys that Debian's archive is signed with.
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// One version of a package.
pub struct Package {
    /// Its name.
    name: String,
    /// Its version.
    version: String,
}

impl fmt::Display for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

/// apt with a state of its own.
pub struct Packages<'a> {
    report: &'a dyn Report,
    /// The folder of that state.
    folder: PathBuf,
    /// The mirror that the system's apt is set up for.
    mirror: String,
    /// The kind of machine, as Debian calls it.
    architecture: String,
    /// The suites whose lists are there, as lines of apt's sources.
    opened: Vec<String>,
    /// Number of [`SUITES`] that have been tried.
    tried: usize,
}

impl<'a> Packages<'a> {
    /// Sets the state up inside `folder`, without any suite yet.
    ///
    /// # Errors
    /// When this is no Debian, or apt is not set up for a mirror of it.
    pub fn new(folder: &Path, report: &'a dyn Report) -> Result<Self> {
        if !["apt-get", "apt-cache", "dpkg-deb"].into_iter().all(command::exists) || !Path::new(KEYRING).is_file() {
            bail!("this is not Debian, or its keyring (package debian-archive-keyring) is missing");
        }
        for inside in ["state/lists/partial", "cache/archives/partial", "parts", "files"] {
            fs::create_dir_all(folder.join(inside))?;
        }
        fs::write(folder.join("status"), "")?;
        let architecture = command::output(Command::new("dpkg").arg("--print-architecture"))?
            .trim_end()
            .to_owned();
        Ok(Self {
            report,
            folder: folder.to_owned(),
            mirror: mirror()?,
            architecture,
            opened: Vec::new(),
            tried: 0,
        })
    }

    /// Loads the lists of the next suite that the mirror has. False when there is none left.
    ///
    /// # Errors
    /// When apt cannot be run at all.
    pub fn open_next_suite(&mut self) -> Result<bool> {
        while let Some(suite) = SUITES.get(self.tried) {
            self.tried += 1;
            self.report.say(&format!("loading the list of {suite}"));
            let source = format!(
                "deb [signed-by={KEYRING} arch={}] {} {suite} main\n",
                self.architecture, self.mirror
            );
            self.opened.push(source);
            fs::write(self.folder.join("sources.list"), self.opened.concat())?;
            if command::output(self.apt("apt-get").args(["--quiet=2", "update"])).is_ok() {
                return Ok(true);
            }
            // A suite that the mirror does not carry must not end the search.
            self.opened.pop();
        }
        Ok(false)
    }

    /// The newest version of the package `name` that `fits`, among the suites opened so far.
    ///
    /// # Errors
    /// When apt fails.
    pub fn find(&self, name: &str, fits: impl Fn(&str) -> bool) -> Result<Option<Package>> {
        // One line a version, newest first: " name | version | where".
        let versions = command::output(self.apt("apt-cache").args(["madison", name]))?;
        let mut versions = versions.lines().filter_map(|line| Some(line.split('|').nth(1)?.trim()));
        let version = versions.find(|version| fits(version));
        Ok(version.map(|version| Package {
            name: name.to_owned(),
            version: version.to_owned(),
        }))
    }

    /// Downloads a package and returns its file.
    ///
    /// # Errors
    /// When it cannot be downloaded or is not what the signed lists say.
    pub fn download(&self, package: &Package) -> Result<PathBuf> {
        let folder = self.folder.join("files").join(&package.name);
        fs::create_dir_all(&folder)?;
        let wanted = format!("{}={}", package.name, package.version);
        command::output(
            self.apt("apt-get")
                .current_dir(&folder)
                .args(["--quiet=2", "download", &wanted]),
        )?;
        let file = fs::read_dir(&folder)?.next().context("apt downloaded nothing")??;
        Ok(file.path())
    }

    /// A command of apt that uses this state and no other.
    fn apt(&self, program: &str) -> Command {
        let mut apt = Command::new(program);
        apt.env("LC_ALL", "C");
        let mut option = |name: &str, value: &dyn fmt::Display| {
            apt.arg("-o").arg(format!("{name}={value}"));
        };
        let folder = self.folder.display();
        option("Dir::Etc::SourceList", &format_args!("{folder}/sources.list"));
        option("Dir::Etc::SourceParts", &format_args!("{folder}/parts"));
        option("Dir::State", &format_args!("{folder}/state"));
        option("Dir::State::status", &format_args!("{folder}/status"));
        option("Dir::Cache", &format_args!("{folder}/cache"));
        option("APT::Get::List-Cleanup", &"0");
        option("APT::Update::Error-Mode", &"any");
        option("Acquire::Languages", &"none");
        option("Acquire::Retries", &"3");
        for list in ["Contents-deb", "DEP-11", "DEP-11-icons"] {
            option(&format!("Acquire::IndexTargets::deb::{list}::DefaultEnabled"), &"false");
        }
        // For root, apt gives the download to a user who cannot write here.
        option("APT::Sandbox::User", &"root");
        option("Debug::NoLocking", &"1");
        apt
    }
}

/// The mirror that the system's apt gets the running release from.
fn mirror() -> Result<String> {
    let release = fs::read_to_string("/etc/os-release").context("which Debian is this?")?;
    let code = release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    let code = code
        .map(|code| code.trim_matches('"'))
        .context("this Debian does not say its name")?;
    let mut apt = Command::new("apt-get");
    // As the sources have it: a fresh system has loaded no list yet.
    apt.args([
        "indextargets",
        "--no-release-info",
        "--format",
        "$(REPO_URI) $(RELEASE)",
    ]);
    let targets = command::output(&mut apt)?;
    let mut targets = targets.lines().filter_map(|line| line.split_once(' '));
    let found = targets
        .find(|(_, suite)| *suite == code)
        .context("apt is set up for no mirror of this release")?;
    Ok(found.0.to_owned())
}
