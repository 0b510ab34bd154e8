//! What `quartet` can be asked to do: one module a subcommand.

mod admin;
mod ask;
mod bench_load;
mod call;
mod canary;
mod check;
mod compile_component;
mod completions;
mod components;
pub mod exit;
mod keys;
mod rollback;
mod serve;
pub mod settings;
mod swap;

use std::process::ExitCode;

use clap::{ArgMatches, Command};

use crate::config::Invalid;

/// A subcommand of `quartet`.
#[derive(Debug, Clone, Copy)]
pub struct Subcommand {
    /// Its name, help and flags.
    pub command: fn() -> Command,
    /// Does it. The error is a wrong use; what fails later is said by the command itself and told by its exit code.
    pub run: fn(&ArgMatches) -> Result<ExitCode, Invalid>,
}

/// Every subcommand, in the order of the help.
pub const ALL: &[Subcommand] = &[
    serve::SUBCOMMAND,
    keys::SUBCOMMAND,
    check::SUBCOMMAND,
    call::SUBCOMMAND,
    bench_load::SUBCOMMAND,
    completions::SUBCOMMAND,
    components::SUBCOMMAND,
    swap::SUBCOMMAND,
    rollback::SUBCOMMAND,
    canary::SUBCOMMAND,
    compile_component::SUBCOMMAND,
];
