//! `quartet rollback`: goes back to the version that served before.

use std::process::ExitCode;

use bytes::Bytes;
use clap::{ArgMatches, Command};

use super::{Subcommand, admin, fleet};
use crate::config::Invalid;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

fn command() -> Command {
    let command = admin::command(
        "rollback",
        "Have a running host serve the version of a component that served before, and all replicas where they share their state",
    );
    fleet::flags(command.arg(admin::capability()))
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    fleet::change(matches, "rollback", Bytes::new(), admin::deployed)
}
