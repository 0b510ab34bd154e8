//! The command line: finds the subcommand and runs it.

pub mod commands;

use std::ffi::OsString;
use std::process::ExitCode;

use self::commands::exit::WRONG_USE;
use crate::config::Invalid;

/// Runs the subcommand that the command line names.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let matches = match commands::command_line().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => {
            // Help is one of these errors, with exit code 0.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(WRONG_USE));
        }
    };
    let done = commands::ALL.iter().find_map(|subcommand| {
        let matches = matches.subcommand_matches((subcommand.command)().get_name())?;
        Some((subcommand.run)(matches))
    });
    match done {
        Some(Ok(code)) => code,
        Some(Err(Invalid(message))) => {
            eprintln!("quartet: {message}");
            ExitCode::from(WRONG_USE)
        }
        None => ExitCode::from(WRONG_USE),
    }
}
