//! Goodput: what is still answered when several times as much is asked as can be carried.
//!
//! What can be carried is measured first, by a few clients that ask again when they are answered. Then requests come at a
//! multiple of that rate, each at its moment, whether or not those before it are answered: clients that wait for answers
//! would ask less the slower the service is.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use quartet_eval::client::{Client, Manner};
use quartet_eval::closed::{self, Outcome};
use quartet_eval::times::milliseconds;
use tokio::task::JoinSet;

use crate::operations::Operation;

/// Clients that share what comes too often. With as many, nobody is refused for having too much of it alone.
const CLIENTS: u16 = 64;

/// Both halves of a measurement.
#[derive(Debug, Default)]
pub struct Measured {
    /// Answers a minute to a few clients.
    pub carried: f64,
    /// Requests a minute that came in overload.
    pub offered: f64,
    /// Answers a minute of these.
    pub answered: f64,
    /// Their outcome.
    pub asked: Outcome,
    /// Light requests beside them.
    pub light: Outcome,
}

impl Measured {
    /// The part of what can be carried that was answered in overload.
    pub fn goodput(&self) -> f64 {
        self.answered / self.carried
    }
}

/// Measures what can be carried, then offers a multiple of it for as long.
pub async fn measure(operation: &Operation, address: SocketAddr, length: Duration, times: f64) -> Measured {
    // Twice as many as compute: while one reads or sends, another computes.
    let few = std::thread::available_parallelism().map_or(2, usize::from) * 2;
    let few = u16::try_from(few).unwrap_or(u16::MAX);
    let unhurried = closed::measure_beside_light(&operation.requests, address, few, length).await;
    let carried = unhurried.asked.answers.count() as f64 / unhurried.seconds;

    let over = Arc::new(AtomicBool::new(false));
    let light = tokio::spawn(closed::light(address, Arc::clone(&over)));
    let rate = (carried * times).max(0.1);
    let start = Instant::now();
    let mut asking = JoinSet::new();
    let count = (rate * length.as_secs_f64()).ceil() as u32;
    for number in 0..count {
        let due = start + Duration::from_secs_f64(f64::from(number) / rate);
        tokio::time::sleep_until(due.into()).await;
        let request = operation.requests[number as usize % operation.requests.len()].clone();
        let client = u16::try_from(number % u32::from(CLIENTS)).unwrap_or_default();
        asking.spawn(async move { Client::new(address, client).send(&request, Manner::Whole).await });
    }
    let mut asked = Outcome::default();
    for ending in asking.join_all().await {
        asked.add(ending);
    }
    let seconds = start.elapsed().as_secs_f64();
    over.store(true, Ordering::Relaxed);
    Measured {
        carried: carried * 60.0,
        offered: f64::from(count) / length.as_secs_f64() * 60.0,
        answered: asked.answers.count() as f64 / seconds * 60.0,
        asked,
        light: light.await.unwrap_or_default(),
    }
}

/// Prints what the columns are.
pub fn head(times: f64) {
    println!(
        "Goodput: answers a minute without overload, by a few clients, and when {times} times as many requests come. Times in ms.\n"
    );
    println!(
        "| operation | answers/min | offered/min | answers/min | of those before | p50 | p95 | refused | p50 | p95 | failed | light p95 |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
}

/// Prints one measurement.
pub fn row(operation: &str, measured: &Measured) {
    let asked = &measured.asked;
    println!(
        "| {operation} | {:.1} | {:.1} | {:.1} | {:.0} % | {} | {} | {} | {} | {} | {} | {} |",
        measured.carried,
        measured.offered,
        measured.answered,
        100.0 * measured.goodput(),
        milliseconds(asked.answers.quantile(0.5)),
        milliseconds(asked.answers.quantile(0.95)),
        asked.refusals.count(),
        milliseconds(asked.refusals.quantile(0.5)),
        milliseconds(asked.refusals.quantile(0.95)),
        asked.failed,
        milliseconds(measured.light.answers.quantile(0.95)),
    );
}
