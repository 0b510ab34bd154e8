//! `quartet compile-component`: the process that a host compiles in, not for people (see [`crate::runtime::compile`]).

use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, value_parser};

use super::{Subcommand, settings};
use crate::config::Invalid;
use crate::runtime::compile;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

fn command() -> Command {
    settings::flags(Command::new(compile::SUBCOMMAND).hide(true))
        .about("Compile a component from standard input to standard output")
        .arg(
            Arg::new(compile::NICENESS_FLAG)
                .long(compile::NICENESS_FLAG)
                .value_parser(value_parser!(i32).range(0..=19))
                .default_value("0"),
        )
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    let config = settings::configure(matches)?;
    let niceness = matches.get_one(compile::NICENESS_FLAG).copied().unwrap_or(0);
    Ok(match compile::serve(&config.limits, niceness) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    })
}
