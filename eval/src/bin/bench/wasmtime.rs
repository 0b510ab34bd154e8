//! The peer `wasmtime serve` with the same component, and with what it does not give it composed in. It counts no requests.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use quartet_tests::service::given;

/// It compiles the component when it starts.
const PATIENCE: Duration = Duration::from_secs(300);

/// A running `wasmtime serve`, ended when dropped.
pub struct Wasmtime {
    process: Child,
    /// Its address.
    pub address: SocketAddr,
    /// Its name in a table.
    pub version: String,
}

impl Wasmtime {
    /// Starts it and waits until it answers `path`. Nothing where the program is not there: its name is `wasmtime`, or
    /// what the variable `WASMTIME` says.
    pub fn start(path: &str) -> Option<Self> {
        let program = std::env::var_os("WASMTIME").unwrap_or_else(|| "wasmtime".into());
        let version = Command::new(&program).arg("--version").output().ok()?.stdout;
        let version = String::from_utf8_lossy(&version);
        let number = version.split_whitespace().nth(1)?;
        let address = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a free port");
        let process = Command::new(&program)
            // The standard streams: Rust's library imports them.
            .args(["serve", "-Scli", "--addr", &address.to_string()])
            .args(["--env", "QUARTET_REQUESTS_PER_MINUTE=0"])
            .arg(given("QUARTET_FOR_WASMTIME"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut wasmtime = Self {
            process,
            address,
            version: format!("wasmtime serve {number}"),
        };
        let start = Instant::now();
        while !answers(address, path) {
            let ended = wasmtime.process.try_wait().expect("a process of ours");
            assert!(ended.is_none(), "wasmtime serve ended: {ended:?}");
            assert!(start.elapsed() < PATIENCE, "wasmtime serve does not answer");
            std::thread::sleep(Duration::from_millis(200));
        }
        Some(wasmtime)
    }
}

impl Drop for Wasmtime {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn answers(address: SocketAddr, path: &str) -> bool {
    let Ok(mut stream) = TcpStream::connect(address) else {
        return false;
    };
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    let mut answer = String::new();
    stream.write_all(request.as_bytes()).is_ok()
        && stream.read_to_string(&mut answer).is_ok()
        && answer.starts_with("HTTP/1.1 200")
}
