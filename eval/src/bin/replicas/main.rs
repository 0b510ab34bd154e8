//! `cargo xtask replicas`: costs of several replicas that share their state in a store, on this machine: throughput behind
//! a balancer, processor time and latency beside a service that keeps its state in memory, bytes in the store, changes of
//! version, and what replicas ask of the store while nobody asks them. Prints Markdown.
//!
//! Things that are compared are measured in turn, in one run. Absolute times are of this machine and this minute.

mod bytes;
mod changes;
mod kept;
mod load;
mod rest;
mod scale;
mod stored;
mod world;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, ValueEnum};
use quartet_eval::files::Files;

/// Costs of several replicas.
#[derive(Parser)]
#[command(name = "replicas")]
struct Arguments {
    /// Parts to measure, in this order.
    #[arg(long, value_delimiter = ',', default_value = "scale,kept,bytes,changes,rest")]
    parts: Vec<Part>,
    /// Rounds in which what is compared takes turns; medians are printed.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds of each measurement in a round.
    #[arg(long, default_value_t = 4)]
    seconds: u64,
    /// Numbers of replicas for the part `rest`.
    #[arg(long, value_delimiter = ',', default_value = "1,10,30")]
    replicas: Vec<usize>,
}

/// A part of the measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// One, two and three replicas behind a balancer.
    Scale,
    /// A request with shared state beside one with state in memory.
    Kept,
    /// Bytes in the store by kind.
    Bytes,
    /// Changes of the version of all replicas.
    Changes,
    /// Many replicas that nobody asks, and a store that comes back empty.
    Rest,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let files = Files::read()?;
    println!(
        "{} processors, on which the clients, the balancer and the store run, too; {}; medians of {} rounds in turn.\n",
        std::thread::available_parallelism().map_or(1, usize::from),
        files.summary(),
        arguments.rounds,
    );
    for part in &arguments.parts {
        match part {
            Part::Scale => scale::print(&files, arguments.rounds, arguments.seconds)?,
            Part::Kept => kept::print(&files, arguments.rounds, arguments.seconds)?,
            Part::Bytes => bytes::print(&files)?,
            Part::Changes => changes::print(arguments.rounds)?,
            Part::Rest => rest::print(&arguments.replicas, arguments.seconds)?,
        }
    }
    Ok(())
}
