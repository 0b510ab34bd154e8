//! `quartet completions`: what a shell needs to complete the command line.

use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;

use super::{Subcommand, exit};
use crate::cli;
use crate::config::Invalid;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

fn command() -> Command {
    Command::new("completions")
        .about("Print completions for a shell, such as: source <(quartet completions bash)")
        .arg(
            Arg::new("shell")
                .required(true)
                .value_parser(value_parser!(Shell))
                .help("Which shell"),
        )
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    if let Some(shell) = matches.get_one::<Shell>("shell") {
        clap_complete::generate(*shell, &mut cli::command(), "quartet", &mut std::io::stdout());
    }
    Ok(exit::DONE)
}
