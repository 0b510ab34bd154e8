//! The service as a process on a free port, ended with its test.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::client::Client;
use crate::wait::{until, wait_for};

/// A running host.
pub struct Service {
    process: Child,
    /// `http://127.0.0.1:…`
    pub address: String,
    log: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

/// A path that `cargo xtask test` names in a variable.
pub fn given(variable: &str) -> PathBuf {
    std::env::var_os(variable)
        .map(PathBuf::from)
        .unwrap_or_else(|| panic!("{variable} is not set: run `cargo xtask test`"))
}

impl Service {
    /// Starts the host with the service's components.
    pub fn start(flags: &[&str]) -> Self {
        Self::start_with(&given("QUARTET_COMPONENTS"), flags)
    }

    /// Starts the host with the components of a folder. Compiled code is kept for the next test.
    pub fn start_with(components: &Path, flags: &[&str]) -> Self {
        let cache = std::env::temp_dir().join("quartet-tests-compiled");
        let mut command = Command::new(given("QUARTET_HOST"));
        command
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--log",
                "debug",
                "--log-format",
                "json",
            ])
            .arg("--components")
            .arg(components)
            .arg("--cache")
            .arg(cache)
            // A flag is stronger: tests of what a model says ask for one.
            .env("QUARTET_LANGUAGE_MODEL", "off")
            // Speech is the work of most tests, and natural speech takes a hundred times as long: those that are about it, or
            // about graphs, name an engine.
            .env("QUARTET_INFERENCE_ENGINE", "rten")
            .args(flags);
        Self::launch(&mut command)
    }

    /// Starts the host by a command of the test's own, for example one that limits it first.
    pub fn launch(command: &mut Command) -> Self {
        let mut process = command
            // A test without a model is about just that. A flag is stronger here, too.
            .env("QUARTET_OFFLINE", "true")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the host starts");
        let log = Arc::new(Mutex::new(String::new()));
        let mut stderr = process.stderr.take().expect("stderr is piped");
        let reader = std::thread::spawn({
            let log = Arc::clone(&log);
            move || {
                let mut piece = [0; 4096];
                while let Ok(length @ 1..) = stderr.read(&mut piece) {
                    let text = String::from_utf8_lossy(&piece[..length]);
                    log.lock().unwrap_or_else(PoisonError::into_inner).push_str(&text);
                }
            }
        });
        let mut line = String::new();
        let stdout = process.stdout.take().expect("stdout is piped");
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("the host prints a line");
        let Some(address) = line.trim().strip_prefix("quartet: listening on ") else {
            let _ = process.wait();
            let log = log.lock().unwrap_or_else(PoisonError::into_inner);
            panic!("the host printed {line:?} and logged {log}");
        };
        Self {
            address: address.to_owned(),
            process,
            log,
            reader: Some(reader),
        }
    }

    /// A client for this service.
    pub fn client(&self) -> Client {
        Client::new(&self.address)
    }

    /// Host and port.
    pub fn socket(&self) -> &str {
        self.address.strip_prefix("http://").expect("an http address")
    }

    /// The process's number.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// The log so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until the log has a line with all of these parts.
    pub fn wait_for_log(&self, parts: &[&str]) -> String {
        wait_for(&format!("a line in the log with {parts:?}"), || {
            let log = self.log();
            let line = log.lines().find(|line| parts.iter().all(|part| line.contains(part)))?;
            Some(line.to_owned())
        })
    }

    /// Waits until so many requests, or more, run in the sandbox.
    pub fn wait_until_running(&self, requests: usize) {
        until(&format!("{requests} requests run"), || self.running() >= requests);
    }

    /// Waits until no request runs in the sandbox.
    pub fn wait_until_idle(&self) {
        until("no request runs", || self.running() == 0);
    }

    /// The requests that run in the sandbox.
    fn running(&self) -> usize {
        let page = String::from_utf8(self.client().get("/metrics").body).expect("text");
        let mut counts = page
            .lines()
            .filter_map(|line| line.strip_prefix("quartet_running{of=\"requests\"} "));
        let count = counts.next().expect("the metric is on the page");
        count.parse().expect("a whole number")
    }

    /// Waits until the service has read all that its connections sent.
    ///
    /// # Panics
    /// If there is no `/proc`.
    pub fn wait_until_read(&self) {
        let port = self
            .address
            .rsplit(':')
            .next()
            .and_then(|port| port.parse::<u16>().ok());
        let own = format!(":{:04X}", port.expect("an address has a port"));
        until("all that was sent is read", || {
            let sockets = std::fs::read_to_string("/proc/net/tcp").expect("Linux");
            // Number, local address, remote address, state, bytes to send and to read.
            sockets
                .lines()
                .map(|line| line.split_whitespace().collect::<Vec<_>>())
                .filter(|fields| fields.len() > 4 && fields[1].ends_with(&own) && fields[3] == "01")
                .all(|fields| fields[4].ends_with(":00000000"))
        });
    }

    /// Memory of the process that no other shares, in kilobytes.
    ///
    /// # Panics
    /// If there is no `/proc`.
    pub fn private_kb(&self) -> u64 {
        let rollup = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", self.pid())).expect("Linux");
        let line = rollup.lines().find_map(|line| line.strip_prefix("Private_Dirty:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        kilobytes.expect("the memory in kilobytes")
    }

    /// Asks the process to stop.
    pub fn terminate(&self) {
        self.signal("TERM");
    }

    /// Sends the process a signal.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args(["-s", name])
            .arg(self.pid().to_string())
            .status()
            .expect("kill is there");
        assert!(status.success());
    }

    /// Waits for the process to end.
    pub fn wait(&mut self) -> ExitStatus {
        self.process.wait().expect("the process can be waited for")
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
        if std::thread::panicking() {
            eprintln!("--- the host's log\n{}", self.log());
        }
    }
}
