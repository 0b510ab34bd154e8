//! `quartet swap`: replaces a component while the host serves, on all replicas where they share their state.

use std::process::ExitCode;

use clap::{ArgMatches, Command};

use super::{Subcommand, admin, component, fleet};
use crate::config::Invalid;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

fn command() -> Command {
    let command = admin::command_with(
        "swap",
        "Have a running host serve another version of a component, and all replicas where they share their state",
        component::SETTINGS,
    );
    fleet::flags(
        command
            .arg(admin::capability())
            .arg(component::argument().required(true)),
    )
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    match component::read(matches)? {
        Ok(bytes) => fleet::change(matches, "swap", bytes, admin::deployed),
        Err(code) => Ok(code),
    }
}
