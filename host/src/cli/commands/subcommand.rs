//! A subcommand as the table of all subcommands has it.

use std::process::ExitCode;

use clap::{ArgMatches, Command};

use crate::config::Invalid;

/// A subcommand of `quartet`.
#[derive(Debug, Clone, Copy)]
pub struct Subcommand {
    /// Makes the clap command: name, help and flags.
    pub command: fn() -> Command,
    /// Does it. The error is a wrong use; what fails later is said by the command itself and told by its exit code.
    pub run: fn(&ArgMatches) -> Result<ExitCode, Invalid>,
}
