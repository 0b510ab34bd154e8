//! The type of the entries in the table of subcommands.

use std::process::ExitCode;

use clap::{ArgMatches, Command};

use crate::config::Invalid;

/// A subcommand of `quartet`.
#[derive(Debug, Clone, Copy)]
pub struct Subcommand {
    /// Makes the clap command: name, help and flags.
    pub command: fn() -> Command,
    /// Runs it. The error is a wrong use; later failures are printed by the command itself and shown by its exit code.
    pub run: fn(&ArgMatches) -> Result<ExitCode, Invalid>,
}
