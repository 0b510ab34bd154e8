//! Requests to a host, by curl, and where it may listen.

use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::command;

/// Returns true if a service is there and answers.
pub fn answers(address: &str) -> bool {
    let url = format!("http://{address}/api/v1/tts/voices");
    ask(Command::new("curl").arg(url)).is_ok()
}

/// Sends a request and returns the time that it takes from start to end.
///
/// # Errors
/// When the answer has another status than 200, or there is none.
pub fn ask(curl: &mut Command) -> Result<Duration> {
    let started = Instant::now();
    let status = command::output(
        curl.args(["--silent", "--max-time", "120", "--output"])
            .arg(if cfg!(windows) { "NUL" } else { "/dev/null" })
            .args(["--write-out", "%{http_code}"]),
    )?;
    ensure!(status == "200", "the answer has the status {status}");
    Ok(started.elapsed())
}

/// A port that nobody listens on.
///
/// # Errors
/// When there is none.
pub fn free_port() -> Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0").context("looking for a free port")?;
    Ok(listener.local_addr()?.port())
}
