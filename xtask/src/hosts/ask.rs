//! Requests to a host, by curl.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

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
