//! `quartet unpin`: has each replica serve its own component again from its next start on.

use std::process::ExitCode;

use bytes::Bytes;
use clap::{ArgMatches, Command};

use super::{Subcommand, admin, fleet};
use crate::config::Invalid;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

fn command() -> Command {
    let command = admin::command(
        "unpin",
        "Have replicas serve the component of their own folder again from their next start on",
    );
    fleet::terms(command.arg(admin::capability()))
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    fleet::change(matches, "unpin", Bytes::new(), |data| {
        let name = data["capability"].as_str().unwrap_or_default();
        format!("what serves {name} goes on; replicas that start serve the component of their folder")
    })
}
