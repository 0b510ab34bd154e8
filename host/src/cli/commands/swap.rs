//! `quartet swap`: replaces a component while the host serves.

use std::process::ExitCode;

use clap::{ArgMatches, Command};

use super::{Subcommand, admin};
use crate::config::Invalid;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

fn command() -> Command {
    admin::command("swap", "Have a running host serve another version of a component")
        .arg(admin::capability())
        .arg(admin::file().required(true))
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    let path = format!("/{}/swap", admin::text(matches, "capability"));
    admin::ask(matches, "POST", &path, admin::read(matches)?, admin::deployed)
}
