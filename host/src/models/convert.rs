//! Making a model of its published files in a process of its own, whose memory is gone with it: several hundred megabytes
//! for a moment, once.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

/// The subcommand that converts.
pub const SUBCOMMAND: &str = "convert-model";

/// Niceness of the process: whoever is served meanwhile comes first.
const NICENESS: i32 = 10;

/// Converts as the arguments say, in another process of this program.
///
/// # Errors
/// When it cannot be started, or the files are not what they must be.
pub fn apart(arguments: &[OsString]) -> anyhow::Result<()> {
    let linux = PathBuf::from("/proc/self/exe");
    let program = if linux.exists() {
        linux
    } else {
        std::env::current_exe().context("this program has no name")?
    };
    let ran = Command::new(program)
        .arg(SUBCOMMAND)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .context("the process that converts cannot be started")?;
    if !ran.status.success() {
        let reason = String::from_utf8_lossy(&ran.stderr);
        bail!("converting failed ({}): {}", ran.status, reason.trim());
    }
    Ok(())
}

/// The main function of that process; it ends with the one that started it.
///
/// # Errors
/// When the files are not what they must be.
pub fn here(arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<()> {
    // Where it may not be nicer, it converts all the same; so it does where the other's end is not told.
    let _ = crate::priority::lower_process_priority(NICENESS);
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    quartet_model_convert::run(arguments)
}
