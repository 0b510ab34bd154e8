//! Valkey on a free port, for one test or one measurement.

use std::ffi::{OsStr, OsString};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use redis::{Client, Connection, RedisResult};
use tempfile::TempDir;

use crate::skip::not_run;
use crate::wait::{until, wait_for};

/// A server.
pub struct Store {
    program: OsString,
    process: Child,
    port: u16,
    password: Option<&'static str>,
    flags: Vec<String>,
    folder: TempDir,
}

impl Store {
    /// Starts a server; none where the machine has none, which is said.
    pub fn start(test: &str, flags: &[&str]) -> Option<Self> {
        let Some(program) = std::env::var_os("QUARTET_VALKEY") else {
            not_run(test, "there is no Valkey server here");
            return None;
        };
        Some(Self::of(program, flags))
    }

    /// Starts another program than Valkey, by the same flags.
    pub fn of(program: OsString, flags: &[&str]) -> Self {
        let port = free_port();
        let folder = tempfile::tempdir().expect("a folder");
        let flags: Vec<_> = flags.iter().map(|flag| (*flag).to_owned()).collect();
        let password = flags
            .iter()
            .any(|flag| flag == "--requirepass")
            .then_some("the-password");
        let process = launch(&program, port, &folder, &flags);
        let store = Self {
            program,
            process,
            port,
            password,
            flags,
            folder,
        };
        store.wait();
        store
    }

    fn wait(&self) {
        until("the store answers", || self.connect().is_ok());
    }

    /// The value of `--shared-state`.
    pub fn address(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Host and port.
    pub fn socket(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    fn connect(&self) -> RedisResult<Connection> {
        let password = self
            .password
            .map(|password| format!(":{password}@"))
            .unwrap_or_default();
        Client::open(format!("redis://{password}127.0.0.1:{}", self.port))?.get_connection()
    }

    /// A connection of the test's own.
    pub fn connection(&self) -> Connection {
        wait_for("a connection to the store", || self.connect().ok())
    }

    /// The process's number.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Sends the process a signal.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args(["-s", name])
            .arg(self.process.id().to_string())
            .status()
            .expect("kill is there");
        assert!(status.success());
    }

    /// Ends the server at once.
    pub fn kill(&mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it ends");
    }

    /// Starts the server again on its port, with nothing in it.
    pub fn restart(&mut self) {
        self.process = launch(&self.program, self.port, &self.folder, &self.flags);
        self.wait();
    }
}

/// A port that nobody listens on.
pub fn free_port() -> u16 {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    free.local_addr().expect("an address").port()
}

fn launch(program: &OsStr, port: u16, folder: &TempDir, flags: &[String]) -> Child {
    Command::new(program)
        .args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--port"])
        .arg(port.to_string())
        .arg("--dir")
        .arg(folder.path())
        .args(flags)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the store starts")
}

impl Drop for Store {
    fn drop(&mut self) {
        // It may be stopped, or have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
