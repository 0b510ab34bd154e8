//! The service as a process on a free port, ended with its test.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::client::Client;

/// A running host.
pub struct Service {
    process: Child,
    /// `http://127.0.0.1:…`
    pub address: String,
    log: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

/// A path that `cargo xtask test` gives.
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
            .args(flags);
        Self::launch(&mut command)
    }

    /// Starts the host by a command of the test's own, for example one that limits it first.
    pub fn launch(command: &mut Command) -> Self {
        let mut process = command
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

    /// What was logged so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until the log has a line with all of these parts.
    pub fn wait_for_log(&self, parts: &[&str]) -> String {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(10) {
            let log = self.log();
            if let Some(line) = log.lines().find(|line| parts.iter().all(|part| line.contains(part))) {
                return line.to_owned();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("no line with {parts:?} in the log:\n{}", self.log());
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
