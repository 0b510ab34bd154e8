//! `quartet bench-load`: measures the throughput and latency of a running service.
//!
//! Without `--rate` each connection asks again as soon as it is answered: this finds the throughput, but a service that
//! stands still is asked less, so its pauses weigh too little (coordinated omission). With `--rate` every request has
//! its moment beforehand, and its time counts from then, whether or not it could be sent.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Arg, ArgMatches, Command, value_parser};
use hdrhistogram::Histogram;
use http_body_util::BodyExt;

use super::ask::{self, Question};
use super::{Subcommand, exit};
use crate::config::Invalid;
use crate::http_client::{self, Client};

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

fn command() -> Command {
    let flag = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    ask::flags(
        Command::new("bench-load").about("Load a running service and print requests a second and latencies as a table"),
    )
    .arg(
        flag("connections", "LIST", "Connections, one measurement for each number")
            .default_value("1,16")
            .value_delimiter(',')
            .value_parser(value_parser!(u16).range(1..)),
    )
    .arg(
        flag("seconds", "NUMBER", "How long each measurement takes")
            .default_value("5")
            .value_parser(value_parser!(u64).range(1..)),
    )
    .arg(
        flag(
            "rate",
            "NUMBER",
            "Requests a second of all connections together; without it, as many as are answered",
        )
        .value_parser(value_parser!(u32).range(1..)),
    )
    .after_help(
        "The service counts these requests like all others: serve with a high --requests-per-minute to measure it.",
    )
}

/// One measurement.
struct Measured {
    /// Microseconds until the last byte of the answer.
    times: Histogram<u64>,
    failed: u64,
    unreached: u64,
    /// The first failure in words.
    first: Option<String>,
}

impl Measured {
    fn new() -> Result<Self, Invalid> {
        let times = Histogram::new(3).map_err(|error| Invalid(format!("no histogram can be made: {error}")))?;
        Ok(Self {
            times,
            failed: 0,
            unreached: 0,
            first: None,
        })
    }

    fn add(&mut self, other: &Self) {
        // Both grow as needed.
        let _ = self.times.add(&other.times);
        self.failed += other.failed;
        self.unreached += other.unreached;
        self.first = self.first.take().or_else(|| other.first.clone());
    }
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    let question = Arc::new(Question::new(matches)?);
    question.request()?;
    let seconds = *matches.get_one::<u64>("seconds").unwrap_or(&5);
    let rate = matches.get_one::<u32>("rate").copied();
    let runtime =
        tokio::runtime::Runtime::new().map_err(|error| Invalid(format!("no runtime can be made: {error}")))?;
    println!("| connections | requests/s | p50 ms | p90 ms | p99 ms | max ms | failed | not reached |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut all = Measured::new()?;
    for connections in matches.get_many::<u16>("connections").unwrap_or_default() {
        let length = Duration::from_secs(seconds);
        let (measured, took) = runtime.block_on(measure(&question, *connections, length, rate))?;
        let ms = |quantile: f64| measured.times.value_at_quantile(quantile) as f64 / 1e3;
        println!(
            "| {connections} | {:.0} | {:.3} | {:.3} | {:.3} | {:.3} | {} | {} |",
            measured.times.len() as f64 / took.as_secs_f64(),
            ms(0.5),
            ms(0.9),
            ms(0.99),
            measured.times.max() as f64 / 1e3,
            measured.failed,
            measured.unreached,
        );
        all.add(&measured);
    }
    if let Some(first) = &all.first {
        eprintln!("quartet: the first failure: {first}");
    }
    Ok(match (all.times.len(), all.failed, all.unreached) {
        (_, 0, 0) => exit::DONE,
        (0, 0, _) => exit::UNREACHABLE.into(),
        _ => exit::FAILED,
    })
}

/// Sends requests on several connections at once, and returns the measurement and its duration.
async fn measure(
    question: &Arc<Question>,
    connections: u16,
    length: Duration,
    rate: Option<u32>,
) -> Result<(Measured, Duration), Invalid> {
    // The moments of one connection; the connections begin one after the other within the first of these.
    let pause = rate.map(|rate| Duration::from_secs(1) * u32::from(connections) / rate);
    let start = Instant::now();
    let tasks: Vec<_> = (0..connections)
        .map(|index| {
            let begin = start + pause.unwrap_or_default() * u32::from(index) / u32::from(connections);
            tokio::spawn(connection(Arc::clone(question), begin, start + length, pause))
        })
        .collect();
    let mut all = Measured::new()?;
    for task in tasks {
        match task.await {
            Ok(measured) => all.add(&measured?),
            Err(error) => return Err(Invalid(format!("a connection's task ended: {error}"))),
        }
    }
    Ok((all, start.elapsed()))
}

/// Asks on one connection, one request after the other, until `end`.
async fn connection(
    question: Arc<Question>,
    begin: Instant,
    end: Instant,
    pause: Option<Duration>,
) -> Result<Measured, Invalid> {
    let client = http_client::new(&question.uri).map_err(|error| Invalid(error.to_string()))?;
    let mut measured = Measured::new()?;
    let mut moment = begin;
    while moment < end {
        if pause.is_some() {
            tokio::time::sleep_until(moment.into()).await;
        }
        match answer(&client, &question).await {
            Ok(()) => {
                let micros = u64::try_from(moment.elapsed().as_micros()).unwrap_or(u64::MAX);
                // A histogram without bounds takes every number.
                let _ = measured.times.record(micros.max(1));
            }
            Err((reached, message)) => {
                *(if reached {
                    &mut measured.failed
                } else {
                    &mut measured.unreached
                }) += 1;
                measured.first.get_or_insert(message);
                // What fails at once must not fail a million times.
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
        moment = pause.map_or_else(Instant::now, |pause| moment + pause);
    }
    Ok(measured)
}

/// One request to the last byte of its answer. The error says whether the service was reached, and what went wrong.
async fn answer(client: &Client, question: &Question) -> Result<(), (bool, String)> {
    let request = question.request().map_err(|Invalid(message)| (false, message))?;
    let asked = client.request(request).await;
    let response = asked.map_err(|error| (false, http_client::reason(error)))?;
    let status = response.status();
    let mut kept = Vec::new();
    let mut body = response.into_body();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| (true, format!("the answer was cut off: {}", http_client::reason(error))))?;
        if let (false, Some(data)) = (status.is_success(), frame.data_ref()) {
            kept.extend_from_slice(data);
        }
    }
    if status.is_success() {
        return Ok(());
    }
    Err((true, ask::failure(status, &kept)))
}
