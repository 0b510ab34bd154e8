//! `quartet convert-model`: not for people; a model is made of its published files in it (see [`crate::models::convert`]).

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::{Subcommand, exit};
use crate::config::Invalid;
use crate::models::convert;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

const ARGUMENTS: &str = "arguments";

fn command() -> Command {
    let arguments = Arg::new(ARGUMENTS)
        .action(ArgAction::Append)
        .allow_hyphen_values(true)
        .trailing_var_arg(true)
        .num_args(1..)
        .value_parser(value_parser!(OsString));
    Command::new(convert::SUBCOMMAND)
        .hide(true)
        .about("Make a model of its published files")
        .arg(arguments)
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    let arguments = matches.get_many::<OsString>(ARGUMENTS).into_iter().flatten().cloned();
    Ok(match convert::here(arguments) {
        Ok(()) => exit::DONE,
        Err(error) => {
            eprintln!("{error:#}");
            exit::FAILED
        }
    })
}
