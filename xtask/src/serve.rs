//! `cargo xtask serve`: the service from a clean clone. It sets up and builds what is missing and then becomes the host.
//! Language models, which are most of what there is to fetch, come while it serves everything else.

use std::ffi::OsString;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::build::{self, Built};
use crate::models;
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
    // Models are in a cache that all clones share, and come from here.
    if !flags
        .iter()
        .any(|flag| flag.to_str().is_some_and(|flag| flag.starts_with("--offline")))
    {
        host.arg("--offline");
    }
    host.args(flags);
    if chooses_a_model(project, &built, flags)? {
        fetch_language_models(project)?;
    }
    become_the_host(host)
}

/// Returns true if the host, with these flags, its environment and its file, takes the language model that it finds.
fn chooses_a_model(project: &Project, built: &Built, flags: &[OsString]) -> Result<bool> {
    let mut config = project.command(&built.host);
    let printed = config
        .args(["config", "--format", "json"])
        .args(flags)
        .stderr(Stdio::null())
        .output()
        .context("starting the host")?;
    // What is wrong with the flags, the host says when it serves.
    let settings: Vec<Value> = serde_json::from_slice(&printed.stdout).unwrap_or_default();
    let value = |name: &str| {
        let setting = settings.iter().find(|setting| setting["setting"] == name);
        setting.map_or(&Value::Null, |setting| &setting["value"])
    };
    Ok(value("language_model") == "auto" && value("language_remote").is_null())
}

/// Fetches the language models that are missing beside the host, which takes each as soon as it is there.
fn fetch_language_models(project: &Project) -> Result<()> {
    let (names, megabytes) = models::missing_language_models(project)?;
    if names.is_empty() {
        return Ok(());
    }
    eprintln!(
        "serve: getting {} ({megabytes:.0} MB) meanwhile; until one is there, what needs a language model says so",
        names.join(" and ")
    );
    // Without the shell in between, the host, which this process becomes, would have a child that it does not know of.
    let mut fetch = if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.args(["-c", "\"$0\" \"$@\" >&2 &"]).arg(std::env::current_exe()?);
        shell
    } else {
        Command::new(std::env::current_exe()?)
    };
    fetch.arg("models").args(names).stdin(Stdio::null());
    let started = if cfg!(unix) {
        fetch.status().map(drop)
    } else {
        fetch.spawn().map(drop)
    };
    started.context("starting to fetch the language models")
}

#[cfg(unix)]
fn become_the_host(mut host: Command) -> Result<()> {
    use std::os::unix::process::CommandExt as _;
    Err(anyhow::Error::from(host.exec()).context("cannot start the host"))
}

/// On systems that cannot replace a process, the host is a child; a console's Ctrl-C reaches both.
#[cfg(not(unix))]
fn become_the_host(mut host: Command) -> Result<()> {
    let status = host.status()?;
    std::process::exit(status.code().unwrap_or(1))
}
