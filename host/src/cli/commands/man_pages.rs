//! `quartet man-pages`: writes the manual, a page a subcommand. Packages are made with it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, value_parser};

use super::exit::{DONE, FAILED, WRONG_USE};
use crate::config::Invalid;

const FOLDER: &str = "folder";

/// The subcommand's name, help and flags.
pub fn command() -> Command {
    let folder = Arg::new(FOLDER)
        .required(true)
        .value_name("FOLDER")
        .value_parser(value_parser!(PathBuf))
        .help("Folder to write them to");
    Command::new("man-pages")
        .hide(true)
        .about("Write the manual")
        .arg(folder)
}

/// Writes the pages of a command line.
pub fn run(matches: &ArgMatches, command_line: Command) -> Result<ExitCode, Invalid> {
    let Some(folder) = matches.get_one::<PathBuf>(FOLDER) else {
        return Ok(ExitCode::from(WRONG_USE));
    };
    match clap_mangen::generate_to(command_line, folder) {
        Ok(()) => Ok(DONE),
        Err(error) => {
            eprintln!("quartet: {}: {error}", folder.display());
            Ok(FAILED)
        }
    }
}
