//! `cargo xtask load-table`: throughput and latency of every operation at several numbers of clients, with refusals apart
//! and light requests beside, and what becomes of the throughput when four times as much is asked as can be carried.
//! Prints Markdown.

mod judgement;
mod operations;
mod overload;
mod table;

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Parser;
use quartet_eval::files::Files;
use quartet_eval::{closed, service};
use quartet_tests::service::given;

use crate::judgement::Judgement;

/// Throughput and latency of every operation.
#[derive(Parser)]
#[command(name = "load-table")]
struct Arguments {
    /// Numbers of clients, one measurement for each; each client has an address of its own.
    #[arg(long, value_delimiter = ',', default_value = "1,4,16,64")]
    clients: Vec<u16>,
    /// Time for which each measurement sends requests; it waits for the answers of those it has sent.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Parts of the names of operations: only those are measured.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Time for each half of a measurement of overload; 0 leaves them out.
    #[arg(long, default_value_t = 60)]
    overload_seconds: u64,
    /// How many times as much is asked in overload as was carried.
    #[arg(long, default_value_t = 4.0)]
    overload: f64,
    /// Flags for the host, after `--`; they are stronger than the program's own.
    #[arg(last = true)]
    host: Vec<String>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool> {
    let files = Files::read()?;
    // What is asked about is uploaded at the beginning, and there at the end.
    let mut flags = vec!["--kept-seconds".to_owned(), "14400".to_owned()];
    flags.extend(arguments.host.iter().cloned());
    let service = service::start(&given("QUARTET_COMPONENTS"), &flags)?;
    let address: SocketAddr = service.socket().parse().context("the address of the service")?;
    println!(
        "Language model: {}; {}; {} processors, on which the clients run, too.\n",
        service::language_model(&service),
        files.summary(),
        std::thread::available_parallelism().map_or(1, usize::from),
    );
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let mut judgement = Judgement::default();
    runtime.block_on(async {
        let length = Duration::from_secs(arguments.seconds);
        let chosen = |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|part| name.contains(part));
        let all = operations::all(&files, address).await?;
        table::head();
        for operation in all.iter().filter(|operation| chosen(operation.name)) {
            for clients in &arguments.clients {
                let measured = closed::measure_beside_light(&operation.requests, address, *clients, length).await;
                table::row(operation.name, *clients, &measured);
                judgement.refusals(operation.name, &measured.asked.refusals);
                judgement.failures(operation.name, &measured.asked);
            }
        }
        println!();
        if arguments.overload_seconds > 0 {
            let length = Duration::from_secs(arguments.overload_seconds);
            overload::head(arguments.overload);
            for operation in all
                .iter()
                .filter(|operation| operation.overloads && chosen(operation.name))
            {
                let measured = overload::measure(operation, address, length, arguments.overload).await;
                overload::row(operation.name, &measured);
                judgement.overload(operation.name, &measured);
            }
            println!();
        }
        anyhow::Ok(())
    })?;
    Ok(judgement.print())
}
