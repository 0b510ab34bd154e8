//! The program `quartet-model-convert`; [`quartet_model_convert`] does the work.

use std::process::ExitCode;

fn main() -> ExitCode {
    let Err(error) = quartet_model_convert::run(std::env::args_os().skip(1)) else {
        return ExitCode::SUCCESS;
    };
    match error.downcast::<clap::Error>() {
        // Help is one of these.
        Ok(usage) => usage.exit(),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
