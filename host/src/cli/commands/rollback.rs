//! `quartet rollback`: goes back to the version that served before.

use std::process::ExitCode;

use bytes::Bytes;
use clap::{ArgMatches, Command};

use super::{Subcommand, admin};
use crate::config::Invalid;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

fn command() -> Command {
    admin::command(
        "rollback",
        "Have a running host serve the version of a component that served before",
    )
    .arg(admin::capability())
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    let path = format!("/{}/rollback", admin::text(matches, "capability"));
    admin::ask(matches, "POST", &path, Bytes::new(), admin::deployed)
}
