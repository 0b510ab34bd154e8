//! `cargo xtask converse`: sixty questions in several languages, scored against the running service; with `--soak N`, so many
//! conversations and what they leave in memory.
//!
//! `QUARTET_BASE_URL` names a service that runs already; without it the host is started, with a search of its own.

mod questions;
mod soak;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => questions::run(),
        ["--soak", count] if count.parse::<usize>().is_ok() => soak::run(count.parse().unwrap_or(1)),
        _ => {
            eprintln!("converse takes no argument, or --soak and a number of conversations");
            ExitCode::FAILURE
        }
    }
}
