//! `quartet completions`: prints shell completions.

use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;

use super::exit;
use crate::config::Invalid;

/// The subcommand's name, help and flags.
pub fn command() -> Command {
    Command::new("completions")
        .about("Print completions for a shell, such as: source <(quartet completions bash)")
        .arg(
            Arg::new("shell")
                .required(true)
                .value_parser(value_parser!(Shell))
                .help("Which shell"),
        )
}

/// Prints the completions of a command line.
pub fn run(matches: &ArgMatches, mut command_line: Command) -> Result<ExitCode, Invalid> {
    if let Some(shell) = matches.get_one::<Shell>("shell") {
        clap_complete::generate(*shell, &mut command_line, "quartet", &mut std::io::stdout());
    }
    Ok(exit::DONE)
}
