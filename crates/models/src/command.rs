//! Running other programs: with their output shown, with it returned, or for a bounded time.

use std::ffi::OsStr;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

use anyhow::{Context, Result, bail};

/// Runs `command` with its output shown.
///
/// # Errors
/// When it does not start or does not succeed; the message has the command as it was typed.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", name(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", line(command));
    }
    Ok(())
}

/// Runs `command` and returns what it printed. What it says on its error output is shown only when it fails.
///
/// # Errors
/// When it does not start, does not succeed or prints what is not UTF-8.
pub fn output(command: &mut Command) -> Result<String> {
    let ran = command
        .output()
        .with_context(|| format!("cannot start {}", name(command)))?;
    if !ran.status.success() {
        bail!(
            "`{}` failed ({}): {}",
            line(command),
            ran.status,
            String::from_utf8_lossy(&ran.stderr).trim()
        );
    }
    String::from_utf8(ran.stdout).with_context(|| format!("what {} prints is not UTF-8", name(command)))
}

/// Runs `command` silently for at most `time`, then ends it.
///
/// # Errors
/// When it does not start or takes too long. Its exit status is the caller's to judge.
pub fn within(time: Duration, command: &mut Command) -> Result<ExitStatus> {
    watched(time, command.stdout(Stdio::null()).stderr(Stdio::null()))
}

/// Runs `command` for at most `time`, then ends it; what it says is seen.
///
/// # Errors
/// When it does not start or takes too long. Its exit status is the caller's to judge.
pub fn watched(time: Duration, command: &mut Command) -> Result<ExitStatus> {
    polled(time, command, &|| {})
}

/// The same, with a look at what it has done so far from time to time.
///
/// # Errors
/// As [`watched`].
pub fn polled(time: Duration, command: &mut Command, look: &dyn Fn()) -> Result<ExitStatus> {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start {}", name(command)))?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if start.elapsed() > time {
            child.kill()?;
            child.wait()?;
            bail!("{} took longer than {} s", name(command), time.as_secs());
        }
        look();
        thread::sleep(Duration::from_millis(50));
    }
}

/// Returns true if a program of this name can be found.
#[must_use]
pub fn exists(program: &str) -> bool {
    let Some(path) = env::var_os("PATH") else { return false };
    env::split_paths(&path)
        .any(|folder| folder.join(program).is_file() || folder.join(program).with_extension("exe").is_file())
}

/// The program's own name.
fn name(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    program
        .file_stem()
        .unwrap_or(command.get_program())
        .to_string_lossy()
        .into_owned()
}

/// The command as one would type it, good enough to be read.
fn line(command: &Command) -> String {
    let arguments: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    format!("{} {}", name(command), arguments.join(" "))
}
