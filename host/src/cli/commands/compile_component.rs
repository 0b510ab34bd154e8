//! `quartet compile-component`: not for people; a host compiles in it (see [`crate::runtime::compile`]).

use std::process::ExitCode;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};

use super::Subcommand;
use crate::config::{Invalid, Limits};
use crate::runtime::compile;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

fn command() -> Command {
    Limits::augment_args(Command::new(compile::SUBCOMMAND).hide(true))
        .about("Compile a component from standard input to standard output")
        .arg(
            Arg::new(compile::NICENESS_FLAG)
                .long(compile::NICENESS_FLAG)
                .value_parser(value_parser!(i32).range(0..=19))
                .default_value("0"),
        )
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    let limits = Limits::from_arg_matches(matches).map_err(|error| Invalid(error.to_string()))?;
    let niceness = matches.get_one(compile::NICENESS_FLAG).copied().unwrap_or(0);
    Ok(match compile::serve(&limits, niceness) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    })
}
