//! The subcommands of `quartet`, one module each.

mod admin;
mod ask;
mod bench_load;
mod body;
mod call;
mod canary;
mod check;
mod compile_component;
mod completions;
mod component;
mod components;
mod config;
mod convert_model;
mod doctor;
pub mod exit;
mod fleet;
mod job;
mod keys;
mod man_pages;
mod models;
mod precompile;
mod push;
mod rollback;
mod serve;
pub mod settings;
mod subcommand;
mod swap;
mod table;
mod unpin;

use clap::Command;

pub use self::subcommand::Subcommand;

/// Every subcommand, in the order of the help.
pub const ALL: &[Subcommand] = &[
    serve::SUBCOMMAND,
    keys::SUBCOMMAND,
    check::SUBCOMMAND,
    doctor::SUBCOMMAND,
    config::SUBCOMMAND,
    models::SUBCOMMAND,
    call::SUBCOMMAND,
    bench_load::SUBCOMMAND,
    Subcommand {
        command: completions::command,
        run: |matches| completions::run(matches, command_line()),
    },
    components::SUBCOMMAND,
    swap::SUBCOMMAND,
    push::SUBCOMMAND,
    rollback::SUBCOMMAND,
    unpin::SUBCOMMAND,
    canary::SUBCOMMAND,
    compile_component::SUBCOMMAND,
    convert_model::SUBCOMMAND,
    precompile::SUBCOMMAND,
    Subcommand {
        command: man_pages::command,
        run: |matches| man_pages::run(matches, command_line()),
    },
];

/// The whole command line.
pub fn command_line() -> Command {
    Command::new("quartet")
        .about("Speech behind one HTTP API, in sandboxed components")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .subcommands(ALL.iter().map(|subcommand| (subcommand.command)()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command_line().debug_assert();
    }
}
