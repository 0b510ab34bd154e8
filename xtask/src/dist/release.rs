//! The release that is packed, and what its parts are made with.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::command;

/// A release: its name, and everything that is packed.
pub struct Release {
    /// Its version.
    pub version: String,
    /// Seconds since 1970 that all files get.
    pub epoch: u64,
    /// The folder that everything is written to.
    pub folder: PathBuf,
    /// The host's program, with symbols.
    pub host: PathBuf,
    /// The engine of the language model, where it could be built.
    pub engine: Option<PathBuf>,
    /// The same for processors that have more than all have, by their names in a package.
    pub faster_engines: Vec<(String, PathBuf)>,
    /// The folder of the components.
    pub components: PathBuf,
}

/// The date of a time, in a `format` of the program `date`.
///
/// # Errors
/// When that program fails.
pub fn date(epoch: u64, format: &str) -> Result<String> {
    let mut date = Command::new("date");
    date.args(["--utc", &format!("--date=@{epoch}"), &format!("+{format}")]);
    Ok(command::output(date.env("LC_ALL", "C"))?.trim_end().to_owned())
}

/// Runs a packed program on this machine, without settings of whoever packs, and returns what it prints.
///
/// # Errors
/// When it fails.
pub fn printed(program: &Path, arguments: &[&str]) -> Result<String> {
    let mut command = Command::new(program);
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("QUARTET_") {
            command.env_remove(name);
        }
    }
    command::output(command.args(arguments))
}
