//! `quartet-llm`: not for people; a host starts it (see the crate's documentation).

use std::process::ExitCode;

fn main() -> ExitCode {
    match quartet_llm_engine::engine::process::run(std::env::args_os().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("quartet-llm: {reason}");
            ExitCode::FAILURE
        }
    }
}
