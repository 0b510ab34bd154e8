//! `quartet swap`: replaces a component while the host serves, on all replicas where they share their state.

use std::process::ExitCode;

use clap::{ArgMatches, Command};

use super::{Subcommand, admin, fleet};
use crate::config::Invalid;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

fn command() -> Command {
    let command = admin::command(
        "swap",
        "Have a running host serve another version of a component, and all replicas where they share their state",
    );
    fleet::flags(command.arg(admin::capability()).arg(admin::file().required(true)))
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    fleet::change(matches, "swap", admin::read(matches)?, admin::deployed)
}
