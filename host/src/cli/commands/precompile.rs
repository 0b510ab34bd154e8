//! `quartet precompile`: compiles components ahead, for packages. Not for people.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Arg, ArgMatches, Command, value_parser};

use super::{Subcommand, exit, settings};
use crate::config::{Config, Invalid};
use crate::runtime::cache;
use crate::version;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

const TO: &str = "folder";

fn command() -> Command {
    let to = Arg::new(TO)
        .required(true)
        .value_name("FOLDER")
        .value_parser(value_parser!(PathBuf))
        .help("Folder to write the code to");
    let command = Command::new("precompile")
        .hide(true)
        .about("Compile the components ahead, for every processor of this kind");
    settings::some_flags(command.arg(to), &["components"])
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    let config = settings::configure(matches)?;
    let Some(to) = matches.get_one::<PathBuf>(TO) else {
        return Ok(ExitCode::from(exit::WRONG_USE));
    };
    Ok(match precompile(&config, to) {
        Ok(()) => exit::DONE,
        Err(error) => {
            eprintln!("quartet: {error:#}");
            exit::FAILED
        }
    })
}

fn precompile(config: &Config, to: &Path) -> anyhow::Result<()> {
    let folder = &config.components.components;
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let file = entry?.path();
        if file.extension().is_some_and(|extension| extension == "wasm") {
            let bytes = std::fs::read(&file)?;
            cache::precompile(&config.limits, &version::digest(&bytes), &bytes, to)
                .with_context(|| file.display().to_string())?;
        }
    }
    Ok(())
}
