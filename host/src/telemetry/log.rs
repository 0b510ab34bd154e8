//! The log on standard error. A thread of its own writes it: whoever reads the log and stops reading must not stop the
//! service. Lines for which there is no room are dropped and counted.

use std::io::IsTerminal;
use std::sync::OnceLock;

use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::EnvFilter;

use crate::config::{Invalid, LogFormat, Telemetry};

/// Lines that wait to be written: some megabytes at most.
const MAX_WAITING_LINES: usize = 8_192;

static DROPPED: OnceLock<ErrorCounter> = OnceLock::new();

/// Number of lines that were dropped since the start.
pub fn dropped_lines() -> u64 {
    DROPPED.get().map_or(0, |counter| counter.dropped_lines() as u64)
}

/// Starts the log on standard error, so that standard output stays free for the address. What waits to be written is
/// written when the guard is dropped.
///
/// # Errors
/// When the filter is none.
pub fn start(config: &Telemetry) -> Result<WorkerGuard, Invalid> {
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
    let (writer, guard) = NonBlockingBuilder::default()
        .lossy(true)
        .buffered_lines_limit(MAX_WAITING_LINES)
        .thread_name("log")
        .finish(std::io::stderr());
    let _ = DROPPED.set(writer.error_counter());
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(writer);
    let started = if human {
        builder
            .with_target(false)
            .with_ansi(std::io::stderr().is_terminal())
            .try_init()
    } else {
        builder.json().flatten_event(true).with_target(false).try_init()
    };
    started.map_err(|error| Invalid(format!("the log cannot be started: {error}")))?;
    Ok(guard)
}
