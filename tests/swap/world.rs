//! A host with a folder of its own, the command line that talks to it, and versions to give it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use quartet_tests::service::given;
use quartet_tests::wait::wait_for;
use quartet_tests::{Client, Service};
use serde_json::Value;
use tempfile::TempDir;

/// Prefix of a version's name in the guest's file; see `tests/guests/src/speech.rs`.
const MARK: &[u8] = b"quartet-guest-mark:";

/// Bytes of the mark with what comes after it.
const MARK_BYTES: usize = 64;

/// A version of the guest: the first word says what it does, the rest only makes it another one.
pub fn version(mark: &str) -> Vec<u8> {
    static GUEST: OnceLock<Vec<u8>> = OnceLock::new();
    let guest =
        GUEST.get_or_init(|| fs::read(given("QUARTET_GUESTS").join("quartet_misbehaving_guests.wasm")).unwrap());
    let at = guest
        .windows(MARK.len())
        .position(|window| window == MARK)
        .expect("the guest has a mark");
    let room = MARK_BYTES - MARK.len();
    assert!(mark.len() < room);
    let mut version = guest.clone();
    version[at + MARK.len()..at + MARK_BYTES].copy_from_slice(format!("{mark:<room$}").as_bytes());
    version
}

/// A host and its folder, which goes with it.
pub struct World {
    pub service: Service,
    pub folder: Folder,
}

/// A folder that is removed when its test is over.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("components")).unwrap();
        Self(folder)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The file that people put a component into.
    pub fn component(&self) -> PathBuf {
        self.path().join("components/tts.wasm")
    }

    /// Writes a component to a file that nobody watches.
    pub fn write(&self, bytes: &[u8]) -> PathBuf {
        let path = self.path().join("new.wasm");
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Starts a host on this folder.
    pub fn serve(&self, flags: &[&str]) -> Service {
        let admin = format!("unix:{}", self.path().join("admin.sock").display());
        let token = self.path().join("admin.token").display().to_string();
        // Apart from the other suites' code, which would have to go for the many versions here.
        let cache = std::env::temp_dir().join("quartet-swap-compiled").display().to_string();
        let mut all = vec![
            "--cache",
            &cache,
            "--cached-components",
            "64",
            "--requests-per-minute",
            "100000000",
            "--log",
            "info",
            "--admin-listen",
            &admin,
            "--admin-token-file",
            &token,
        ];
        all.extend(flags);
        Service::start_with(&self.path().join("components"), &all)
    }

    /// Runs a subcommand against the host of this folder.
    pub fn quartet(&self, arguments: &[&str]) -> Output {
        Command::new(given("QUARTET_HOST"))
            .args(arguments)
            .env(
                "QUARTET_ADMIN_LISTEN",
                format!("unix:{}", self.path().join("admin.sock").display()),
            )
            .env("QUARTET_ADMIN_TOKEN_FILE", self.path().join("admin.token"))
            .env("QUARTET_CACHE", self.path().join("cache"))
            .output()
            .expect("the program runs")
    }
}

/// Checks that a subcommand did it, and returns what it printed.
pub fn done(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Checks that a subcommand failed, and returns the reason.
pub fn refused(output: &Output) -> String {
    let reason = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{reason}");
    assert!(output.stdout.is_empty());
    reason
}

impl World {
    /// A host that serves this component.
    pub fn new(component: &[u8], flags: &[&str]) -> Self {
        let folder = Folder::new();
        fs::write(folder.component(), component).unwrap();
        Self {
            service: folder.serve(flags),
            folder,
        }
    }

    /// Ends the host and starts another on the same folder.
    pub fn restart(&mut self, flags: &[&str]) {
        self.service.terminate();
        self.service.wait();
        self.service = self.folder.serve(flags);
    }

    pub fn client(&self) -> Client {
        self.service.client()
    }

    pub fn quartet(&self, arguments: &[&str]) -> Output {
        self.folder.quartet(arguments)
    }

    /// Swaps to a component and returns what came of it.
    pub fn swap(&self, component: &[u8]) -> Output {
        let path = self.folder.write(component);
        self.quartet(&["swap", "tts", path.to_str().unwrap()])
    }

    /// Begins to try a component.
    pub fn canary(&self, component: &[u8], flags: &[&str]) -> Output {
        let path = self.folder.write(component);
        let mut arguments = vec!["canary", "tts", path.to_str().unwrap()];
        arguments.extend(flags);
        self.quartet(&arguments)
    }

    /// Everything that is known of the capability.
    pub fn state(&self) -> Value {
        let printed = done(&self.quartet(&["components", "--json"]));
        let mut state: Value = serde_json::from_str(&printed).unwrap();
        state["components"][0].take()
    }

    /// The version that answers, by the header.
    pub fn answers(&self) -> String {
        answering(&self.service)
    }

    /// Waits until another version than this one answers.
    pub fn wait_for_other(&self, version: &str) -> String {
        wait_for("another version answers", || {
            Some(self.answers()).filter(|other| other != version)
        })
    }
}

/// Number of versions whose compiled code a process has mapped: a version that is freed is gone from there.
pub fn mapped(pid: u32) -> usize {
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).unwrap();
    let code = maps
        .lines()
        .filter_map(|line| line.split_whitespace().nth(5))
        .filter(|path| path.ends_with(".cwasm"));
    code.collect::<BTreeSet<_>>().len()
}

/// The version that answers, by the header.
pub fn answering(service: &Service) -> String {
    let reply = service.client().get("/tts/languages");
    assert_eq!(reply.data()["total"], 12);
    reply.header("x-quartet-component").expect("a version").to_owned()
}
