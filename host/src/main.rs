//! The `quartet` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    quartet_host::cli::run(std::env::args_os())
}
