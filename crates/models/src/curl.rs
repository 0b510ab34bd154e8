//! Downloads by the program `curl`, which knows the proxies of its user.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::command;
use crate::web::{Web, WebError};

/// A host that does not answer for so long is not asked again.
const CONNECT_SECONDS: u32 = 5;

/// The slowest line on which a download is worth waiting for, in bytes a second.
const MIN_BYTES_PER_SECOND: u64 = 50_000;

/// The program `curl`.
#[derive(Debug, Clone, Copy)]
pub struct Curl {
    /// True if it shows how far it is.
    pub shows: bool,
}

impl Web for Curl {
    fn download(&self, address: &str, file: &Path, size: u64, received: &dyn Fn(u64)) -> Result<(), WebError> {
        if !command::exists("curl") {
            return Err(WebError::Failed("curl is not there".to_owned()));
        }
        let mut curl = Command::new("curl");
        curl.args(["--fail", "--location", "--continue-at", "-"])
            // A mirror may be plain HTTP; from it nothing leads elsewhere than to HTTPS.
            .args(["--proto", "=https,http", "--proto-redir", "=https"])
            .arg(if self.shows { "--progress-bar" } else { "--silent" })
            .args(["--connect-timeout", &CONNECT_SECONDS.to_string()])
            .args(["--speed-time", "30", "--speed-limit", &MIN_BYTES_PER_SECOND.to_string()])
            .arg("--output")
            .args([file.as_os_str(), address.as_ref()]);
        let time = Duration::from_secs(60 + size / MIN_BYTES_PER_SECOND);
        let look = || received(fs::metadata(file).map_or(0, |file| file.len()));
        let status = command::polled(time, &mut curl, &look).map_err(|error| WebError::Failed(format!("{error:#}")))?;
        match status.code() {
            Some(0) => {
                look();
                Ok(())
            }
            // As curl's manual numbers them: the host is unknown, or cannot be connected to, or not in time.
            Some(code @ (6 | 7 | 28)) => Err(WebError::Unreachable(format!("curl's code {code}"))),
            _ => {
                // What is there may be of another file: the next attempt begins anew.
                let _ = fs::remove_file(file);
                Err(WebError::Failed(format!("curl does not get it ({status})")))
            }
        }
    }
}
