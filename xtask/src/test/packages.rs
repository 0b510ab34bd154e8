//! Packages of others for suites that ask the service by them, OpenAI's and clients of other services for `doors`, and those
//! that use a browser for `page`; the store and the balancer of `fleet`, and the registry of `fleet` and `swap`. Where one
//! cannot be had, its test is not run, and says so.

use std::env::consts::{ARCH, OS};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, anyhow};

use crate::project::Project;
use crate::{command, python, setup};

/// The suite that asks the service by packages of other services.
const DOORS: &str = "doors";

/// The suite that uses the page in a browser.
const PAGE: &str = "page";

/// The suite that runs several replicas.
const FLEET: &str = "fleet";

/// The suite that changes versions.
const SWAP: &str = "swap";

/// The balancer, which is taken where the machine has it: its package has a dozen of others.
pub const BALANCER: &str = "haproxy";

/// The other server in which replicas share their state, which is taken where the machine has it for what Valkey's program is
/// not built with: TLS. Debian's package of this name.
const REDIS: &str = "redis-server";

/// The registry of artifacts, which is taken where the machine has it: Debian's package of this name.
const REGISTRY: &str = "docker-registry";

/// The tool of the Bytecode Alliance that puts components into such a registry, which is taken where the machine has it:
/// `cargo install wkg` compiles it for minutes.
const WKG: &str = "wkg";

/// A wheel out of which the suite runs a part as it is. Installed, it would bring many other packages that the part does
/// without.
struct Wheel {
    /// Its name for people.
    name: &'static str,
    /// The package and its version.
    requirement: &'static str,
    /// The version of Python that the wheel asks for. The part that is run does with others, too.
    python: &'static str,
}

/// Home Assistant, 51 MB, of which the suite runs the part that speaks the Wyoming protocol.
const HOME_ASSISTANT: Wheel = Wheel {
    name: "Home Assistant",
    requirement: "homeassistant==2026.2.3",
    python: "3.13.2",
};

/// Open WebUI, 106 MB, most of it its page, of which the suite runs the loaders for documents, the speech and the embeddings.
const OPEN_WEBUI: Wheel = Wheel {
    name: "Open WebUI",
    requirement: "open-webui==0.12.4",
    python: "3.12",
};

/// LangChain's loader for documents that Docling reads, 8 kB.
const LANGCHAIN_DOCLING: Wheel = Wheel {
    name: "LangChain's loader for Docling",
    requirement: "langchain-docling==3.0.0",
    python: "3.12",
};

/// The version of Node.js that is fetched where the machine has none or an older one, 52 MB: the oldest that all packages for
/// JavaScript take.
const NODE: &str = "22.23.3";

/// The packages, where they are there.
#[derive(Debug, Default)]
pub struct Packages {
    /// The interpreter that has those for Python.
    python: Option<PathBuf>,
    /// Home Assistant's wheel.
    home_assistant: Option<PathBuf>,
    /// Open WebUI's wheel.
    open_webui: Option<PathBuf>,
    /// The wheel of LangChain's loader for Docling.
    langchain_docling: Option<PathBuf>,
    /// The folder in which node finds OpenAI's for JavaScript.
    javascript: Option<PathBuf>,
    /// Node.js that is new enough for them.
    node: Option<PathBuf>,
    /// The folder in which node finds those that use a browser.
    browser: Option<PathBuf>,
    /// The server in which replicas share their state.
    valkey: Option<PathBuf>,
    /// The other one, which speaks TLS.
    redis: Option<PathBuf>,
    /// The balancer before them.
    balancer: Option<PathBuf>,
    /// The registry that components come from.
    registry: Option<PathBuf>,
    /// The other program that puts them there.
    wkg: Option<PathBuf>,
}

/// The packages of all suites, while they are being fetched beside something else.
pub struct Coming(JoinHandle<Vec<(&'static str, Packages)>>);

impl Coming {
    /// Begins to fetch what is missing, of each suite in turn.
    pub fn begin(project: &Project) -> Self {
        let project = project.clone();
        let fetched = move |suite| (suite, Packages::fetch(&project, suite));
        Self(thread::spawn(move || {
            [DOORS, PAGE, FLEET, SWAP].into_iter().map(fetched).collect()
        }))
    }

    /// Waits until they are there.
    ///
    /// # Errors
    /// When the fetching panicked. What cannot be had is no error: its tests are not run.
    pub fn wait(self) -> Result<Fetched> {
        let fetched = self.0.join().map_err(|_| anyhow!("fetching packages panicked"))?;
        Ok(Fetched(fetched))
    }
}

/// The packages of all suites.
pub struct Fetched(Vec<(&'static str, Packages)>);

impl Fetched {
    /// Tells the tests of a suite where its packages are.
    pub fn name_in(&self, suite: &str, tests: &mut Command) {
        let own = self.0.iter().find(|(other, _)| *other == suite);
        own.map_or(&Packages::default(), |(_, packages)| packages)
            .name_in(tests);
    }
}

impl Packages {
    /// Fetches what a suite asks by, if it is missing.
    pub fn fetch(project: &Project, suite: &str) -> Self {
        let mut packages = Self::default();
        if suite == DOORS {
            let list = project.root.join("tests/doors/packages/requirements.txt");
            let python = python::environment(
                project,
                &project.cache.join("openai"),
                &list,
                "clients of other services",
            );
            packages.python = found("Python", python);
            if let Some(python) = &packages.python {
                let fetch = |wheel: &Wheel| found(wheel.name, wheel.fetch(project, python));
                packages.home_assistant = fetch(&HOME_ASSISTANT);
                packages.open_webui = fetch(&OPEN_WEBUI);
                packages.langchain_docling = fetch(&LANGCHAIN_DOCLING);
            }
            packages.javascript = found("JavaScript", of_npm(project, "tests/doors/packages"));
            packages.node = found("Node.js", node(project));
        }
        if suite == PAGE {
            packages.browser = found("a browser", of_npm(project, "tests/page/packages"));
        }
        if suite == FLEET {
            packages.valkey = found("Valkey", setup::valkey(project));
            packages.redis = command::exists(REDIS).then(|| REDIS.into());
            packages.balancer = command::exists(BALANCER).then(|| BALANCER.into());
        }
        if [FLEET, SWAP].contains(&suite) {
            packages.registry = command::exists(REGISTRY).then(|| REGISTRY.into());
        }
        if suite == SWAP {
            packages.wkg = command::exists(WKG).then(|| WKG.into());
        }
        packages
    }

    /// Tells `tests` where they are.
    pub fn name_in(&self, tests: &mut Command) {
        for (variable, place) in [
            ("QUARTET_OPENAI_PYTHON", &self.python),
            ("QUARTET_HOME_ASSISTANT", &self.home_assistant),
            ("QUARTET_OPEN_WEBUI", &self.open_webui),
            ("QUARTET_LANGCHAIN_DOCLING", &self.langchain_docling),
            ("QUARTET_OPENAI_JAVASCRIPT", &self.javascript),
            ("QUARTET_NODE", &self.node),
            ("QUARTET_BROWSER_PACKAGES", &self.browser),
            ("QUARTET_VALKEY", &self.valkey),
            ("QUARTET_REDIS", &self.redis),
            ("QUARTET_HAPROXY", &self.balancer),
            ("QUARTET_OCI_REGISTRY", &self.registry),
            ("QUARTET_WKG", &self.wkg),
        ] {
            match place {
                Some(place) => tests.env(variable, place),
                None => tests.env_remove(variable),
            };
        }
    }
}

fn found(whom: &str, found: Result<PathBuf>) -> Option<PathBuf> {
    found
        .inspect_err(|error| eprintln!("test: the package for {whom} is left out: {error:#}"))
        .ok()
}

impl Wheel {
    /// Fetches it, if it is missing.
    fn fetch(&self, project: &Project, python: &Path) -> Result<PathBuf> {
        let folder = project.cache.join(self.requirement.replace("==", "-"));
        let wheel = || {
            let files = fs::read_dir(&folder).ok()?.flatten().map(|entry| entry.path());
            files
                .into_iter()
                .find(|file| file.extension().is_some_and(|extension| extension == "whl"))
        };
        if let Some(wheel) = wheel() {
            return Ok(wheel);
        }
        eprintln!("python: fetching {}", self.name);
        command::run(
            project
                .command(python)
                .args([
                    "-m",
                    "pip",
                    "download",
                    "--quiet",
                    "--disable-pip-version-check",
                    "--no-deps",
                ])
                .args(["--only-binary", ":all:", "--python-version", self.python, "--dest"])
                .arg(&folder)
                .arg(self.requirement),
        )?;
        wheel().with_context(|| format!("{} has no wheel", folder.display()))
    }
}

/// Node.js: the machine's own where it is new enough, else the one that npm has as a package, fetched if it is missing.
fn node(project: &Project) -> Result<PathBuf> {
    let own = command::output(Command::new("node").arg("--version")).unwrap_or_default();
    if major(&own) >= major(NODE) {
        return Ok("node".into());
    }
    let os = match OS {
        "macos" => "darwin",
        "windows" => "win",
        other => other,
    };
    let architecture = match ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let package = format!("node-{os}-{architecture}");
    let folder = project.cache.join(format!("node-{NODE}"));
    let node = folder.join("node_modules").join(&package).join("bin").join("node");
    let node = if cfg!(windows) {
        node.with_extension("exe")
    } else {
        node
    };
    if !node.is_file() {
        eprintln!("npm: fetching Node.js {NODE}");
        fs::create_dir_all(&folder).with_context(|| format!("making the folder {}", folder.display()))?;
        command::run(
            Command::new("npm")
                .args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"])
                .arg(&folder)
                .arg(format!("{package}@{NODE}")),
        )?;
    }
    // Whatever was fetched has to run on this machine.
    command::output(Command::new(&node).arg("--version"))?;
    Ok(node)
}

/// The first number of a version; none of what is no version.
fn major(version: &str) -> Option<u32> {
    version.trim().trim_start_matches('v').split('.').next()?.parse().ok()
}

/// Installs the packages that a folder lists.
fn of_npm(project: &Project, folder: &str) -> Result<PathBuf> {
    let folder = project.root.join(folder);
    command::run(
        Command::new("npm")
            .args(["install", "--no-audit", "--no-fund"])
            .current_dir(&folder),
    )?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_node_are_compared_by_their_first_number() {
        assert_eq!(major("v20.20.2\n"), Some(20));
        assert_eq!(major(NODE), Some(22));
        assert!(major("v9.1.0") < major(NODE) && major("v24.0.0") > major(NODE));
        assert!(major("") < major(NODE), "no version is older than any");
    }
}
