//! `cargo xtask serve`: the service from a clean clone. It sets up and builds what is missing and then becomes the host.

use std::ffi::OsString;

use anyhow::Result;

use crate::build;
use crate::project::Project;

/// Builds, then replaces this process by the host, so that the host gets every signal and this program's exit code is
/// the host's. `flags` are added to the host's own.
///
/// # Errors
/// When something cannot be set up, built or started; it does not return otherwise.
pub fn run(project: &Project, flags: &[OsString]) -> Result<()> {
    let built = build::run(project)?;
    let mut host = project.command(&built.host);
    host.arg("serve");
    for (name, folder) in [("--components", &built.components), ("--models", &built.models)] {
        let given = |flag: &OsString| flag.to_str().is_some_and(|flag| flag.split('=').next() == Some(name));
        if !flags.iter().any(given) {
            host.arg(name).arg(folder);
        }
    }
    host.args(flags);
    become_the_host(host)
}

#[cfg(unix)]
fn become_the_host(mut host: std::process::Command) -> Result<()> {
    use std::os::unix::process::CommandExt as _;
    Err(anyhow::Error::from(host.exec()).context("cannot start the host"))
}

/// On systems that cannot replace a process, the host is a child; a console's Ctrl-C reaches both.
#[cfg(not(unix))]
fn become_the_host(mut host: std::process::Command) -> Result<()> {
    let status = host.status()?;
    std::process::exit(status.code().unwrap_or(1))
}
