//! The log on standard error.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::config::{Invalid, LogFormat, Telemetry};

/// Starts the log on standard error, so that standard output stays free for the address.
pub fn start(config: &Telemetry) -> Result<(), Invalid> {
    let filter = EnvFilter::try_new(&config.log).map_err(|error| {
        Invalid(format!(
            "`log` is {:?}, which is no level or filter: {error}",
            config.log
        ))
    })?;
    let human = match config.log_format {
        LogFormat::Human => true,
        LogFormat::Json => false,
        LogFormat::Auto => std::io::stderr().is_terminal(),
    };
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    let started = if human {
        builder
            .with_target(false)
            .with_ansi(std::io::stderr().is_terminal())
            .try_init()
    } else {
        builder.json().flatten_event(true).with_target(false).try_init()
    };
    started.map_err(|error| Invalid(format!("the log cannot be started: {error}")))
}
