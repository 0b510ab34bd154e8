//! The `quartet` program: reads the settings, starts the host, and waits for it to end.

use std::process::ExitCode;

use quartet_host::{cli, serve};

fn main() -> ExitCode {
    match cli::parse(std::env::args_os()) {
        Ok(config) => serve::run(config),
        Err(refusal) => refusal.exit(),
    }
}
