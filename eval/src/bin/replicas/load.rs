//! One measurement: requests by clients that ask again as soon as they are answered, and the processor time that each process
//! took for them.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Result, ensure};
use quartet_eval::closed;
use quartet_eval::process::processor_time;
use quartet_eval::requests::Request;
use tokio::runtime::Runtime;

/// A measurement.
#[derive(Debug, Clone)]
pub struct Load {
    /// Answers a second.
    pub per_second: f64,
    /// Answers.
    pub answers: f64,
    /// Milliseconds, at the median.
    pub p50: f64,
    /// Milliseconds that 99 of 100 stayed below.
    pub p99: f64,
    /// Microseconds of processor time for each answer, by the groups of processes that were named.
    pub processor: Vec<f64>,
}

/// A runtime for clients.
///
/// # Errors
/// When the system has no threads for it.
pub fn runtime() -> Result<Runtime> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    Ok(runtime)
}

/// Measures; the processor time is that of groups of processes.
///
/// # Errors
/// When a request fails.
pub fn measure(
    runtime: &Runtime,
    address: SocketAddr,
    requests: &[Request],
    clients: u16,
    length: Duration,
    processes: &[&[u32]],
) -> Result<Load> {
    let used = |group: &[u32]| -> Duration { group.iter().filter_map(|pid| processor_time(*pid)).sum() };
    let before: Vec<_> = processes.iter().map(|group| used(group)).collect();
    let measured = runtime.block_on(closed::measure(requests, address, clients, length));
    let after = processes.iter().map(|group| used(group));
    let asked = &measured.asked;
    ensure!(
        asked.failed == 0 && asked.refusals.count() == 0,
        "{}: {} requests failed and {} were refused: {:?}",
        requests[0].path,
        asked.failed,
        asked.refusals.count(),
        asked.first_failure
    );
    let answers = asked.answers.count() as f64;
    Ok(Load {
        per_second: answers / measured.seconds,
        answers,
        p50: asked.answers.quantile(0.5).unwrap_or(f64::NAN),
        p99: asked.answers.quantile(0.99).unwrap_or(f64::NAN),
        processor: after
            .zip(before)
            .map(|(after, before)| after.saturating_sub(before).as_secs_f64() * 1e6 / answers)
            .collect(),
    })
}

/// Microseconds or milliseconds, with as many digits as they are worth.
pub fn time(microseconds: f64) -> String {
    match microseconds {
        value if value.is_nan() => "–".to_owned(),
        value if value >= 100_000.0 => format!("{:.0} ms", value / 1e3),
        value if value >= 1_000.0 => format!("{:.1} ms", value / 1e3),
        value => format!("{value:.0} µs"),
    }
}
