//! `quartet serve`: runs the service.

use std::process::ExitCode;

use clap::{ArgMatches, Command};

use super::{Subcommand, settings};
use crate::config::Invalid;
use crate::serve;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

fn command() -> Command {
    settings::flags(Command::new("serve").about("Serve the components over HTTP"))
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    settings::configure(matches).map(serve::run)
}
