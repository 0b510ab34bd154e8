//! Versions of a component to give to a host, and a host with a folder of its own to give them to.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::service::{Service, given};

/// Prefix of a version's name in the guest's file; see `tests/guests/misbehaving/src/speech.rs`.
const MARK: &[u8] = b"quartet-guest-mark:";

/// Bytes of the mark with what comes after it.
const MARK_BYTES: usize = 64;

/// A version of the guest: the first word says what it does, the rest only makes it another one.
pub fn version(mark: &str) -> Vec<u8> {
    static GUEST: OnceLock<Vec<u8>> = OnceLock::new();
    let guest = GUEST.get_or_init(|| {
        fs::read(given("QUARTET_GUESTS").join("quartet_misbehaving_guests.wasm")).expect("it is built")
    });
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

/// The same component with so many bytes more that nobody runs, in a custom section at its end.
pub fn padded(component: &[u8], bytes: usize) -> Vec<u8> {
    let content = bytes + 2;
    // The length in seven bits a byte, the least first.
    let mut length = Vec::new();
    let mut rest = content;
    loop {
        let low = u8::try_from(rest & 0x7f).expect("seven bits");
        rest >>= 7;
        length.push(if rest == 0 { low } else { low | 0x80 });
        if rest == 0 {
            break;
        }
    }
    // Not the same bytes everywhere: pieces of it must not be alike.
    let filling: Vec<u8> = (0..bytes)
        .map(|at| u8::try_from((at % 251) ^ (at / 65_536 % 256)).expect("a byte"))
        .collect();
    [component, &[0], &length, &[1, b'p'], &filling].concat()
}

/// A folder that is removed when its test is over.
pub struct Folder(TempDir);

impl Folder {
    /// A folder without components.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("components")).expect("a folder in it");
        Self(folder)
    }

    /// The folder.
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
        fs::write(&path, bytes).expect("the folder can be written");
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
        self.quartet_with(arguments, &[])
    }

    /// The same with more variables of the environment.
    pub fn quartet_with(&self, arguments: &[&str], variables: &[(&str, &Path)]) -> Output {
        Command::new(given("QUARTET_HOST"))
            .args(arguments)
            .env(
                "QUARTET_ADMIN_LISTEN",
                format!("unix:{}", self.path().join("admin.sock").display()),
            )
            .env("QUARTET_ADMIN_TOKEN_FILE", self.path().join("admin.token"))
            .env("QUARTET_CACHE", self.path().join("cache"))
            // What the person who runs the tests keeps for registries is not asked for.
            .env("DOCKER_CONFIG", self.path())
            .envs(variables.iter().copied())
            .output()
            .expect("the program runs")
    }
}

impl Default for Folder {
    fn default() -> Self {
        Self::new()
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

/// The version that answers, by the header.
pub fn answering(service: &Service) -> String {
    let reply = service.client().get("/tts/languages");
    assert_eq!(reply.data()["total"], 12);
    reply.header("x-quartet-component").expect("a version").to_owned()
}
