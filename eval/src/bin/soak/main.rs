//! `cargo xtask soak`: an hour of mixed traffic against a service of its own, by several clients at once, among them some
//! that leave, read slowly or send what is wrong; a component is swapped every minute. Memory, descriptors, threads and
//! latencies are sampled meanwhile. Prints a table and a verdict, and fails when something is not as it must be.

mod admin;
mod ledger;
mod metrics;
mod plot;
mod rest;
mod samples;
mod swaps;
mod table;
mod traffic;
mod verdict;
mod visitor;

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Parser;
use quartet_eval::files::Files;
use quartet_eval::service;
use quartet_tests::Service;
use quartet_tests::service::given;
use tempfile::TempDir;

use crate::ledger::Ledger;
use crate::samples::Samples;
use crate::swaps::Swaps;
use crate::verdict::Evidence;
use crate::visitor::Visitor;

/// An hour of mixed traffic, and what it leaves behind.
#[derive(Parser)]
#[command(name = "soak")]
struct Arguments {
    /// Length of the traffic.
    #[arg(long, default_value_t = 60.0)]
    minutes: f64,
    /// Clients at the same time, each with an address of its own.
    #[arg(long, default_value_t = 8)]
    clients: u16,
    /// Mean time for which a client does nothing between two visits.
    #[arg(long, default_value_t = 300)]
    pause_milliseconds: u64,
    /// Seed of all that is drawn: who asks what, with which file, and when somebody leaves.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Time between two looks at the process.
    #[arg(long, default_value_t = 5.0)]
    sample_seconds: f64,
    /// Time between two swaps of a component.
    #[arg(long, default_value_t = 60.0)]
    swap_seconds: f64,
    /// File for a plot of the samples, as SVG.
    #[arg(long)]
    plot: Option<PathBuf>,
    /// Flags for the host, after `--`; they are stronger than the soak's own.
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

/// The folder of a service that may change: its components, and the way to its admin interface.
struct Home(TempDir);

impl Home {
    /// Copies the components, which swaps will write over.
    fn new() -> Result<Self> {
        let home = Self(tempfile::tempdir().context("making a folder for the service")?);
        let components = home.components();
        fs::create_dir(&components)?;
        let built = given("QUARTET_COMPONENTS");
        for entry in fs::read_dir(&built).with_context(|| format!("reading {}", built.display()))? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "wasm") {
                fs::copy(&path, components.join(path.file_name().unwrap_or_default()))
                    .with_context(|| format!("copying {}", path.display()))?;
            }
        }
        Ok(home)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn components(&self) -> PathBuf {
        self.path().join("components")
    }

    /// Starts the service. What is kept for later questions goes often enough that its memory is level before it is judged.
    fn serve(&self, arguments: &Arguments) -> Result<Service> {
        let kept_seconds = (arguments.minutes * 60.0 / 8.0).clamp(120.0, 1800.0);
        let mut flags: Vec<String> = [
            "--admin-listen",
            &format!("unix:{}", self.path().join("admin.sock").display()),
            "--admin-token-file",
            &self.path().join("admin.token").display().to_string(),
            "--kept-seconds",
            &format!("{kept_seconds:.0}"),
        ]
        .map(str::to_owned)
        .into();
        flags.extend(arguments.host.iter().cloned());
        service::start(&self.components(), &flags)
    }
}

fn run(arguments: &Arguments) -> Result<bool> {
    let files = Arc::new(Files::read()?);
    let home = Home::new()?;
    let mut service = home.serve(arguments)?;
    println!(
        "Soak of {} minutes with {} clients, seed {}; {}; language model: {}; {} processors.\n",
        arguments.minutes,
        arguments.clients,
        arguments.seed,
        files.summary(),
        service::language_model(&service),
        std::thread::available_parallelism().map_or(1, usize::from),
    );
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let evidence = runtime.block_on(soak(arguments, &service, &home, files))?;
    service.terminate();
    let ended = service.wait();
    let log = service.log();

    table::print(&evidence.ledger);
    swaps::print(&evidence.swaps);
    samples::print(&evidence.samples);
    if let Some(file) = &arguments.plot {
        fs::write(file, plot::of_samples(&evidence.samples, &evidence.swaps))
            .with_context(|| format!("writing {}", file.display()))?;
        println!("The plot is {}.\n", file.display());
    }
    Ok(verdict::print(&evidence, &log, ended))
}

/// Lets everything go on until the time is over, and then until the service is at rest.
async fn soak(arguments: &Arguments, service: &Service, home: &Home, files: Arc<Files>) -> Result<Evidence> {
    let address: SocketAddr = service.socket().parse().context("the address of the service")?;
    let ledger = Arc::new(Ledger::default());
    let start = Instant::now();
    let end = start + Duration::from_secs_f64(arguments.minutes * 60.0);

    let admin = admin::Admin::new(home.path())?;
    let originals = swaps::originals(&home.components())?;
    let every = Duration::from_secs_f64(arguments.swap_seconds);
    let swapping = tokio::spawn(Swaps::go_on(admin, originals, start, end, every));
    let pause = Duration::from_secs_f64(arguments.sample_seconds);
    let sampling = tokio::spawn(Samples::go_on(
        service.pid(),
        address,
        Arc::clone(&ledger),
        start,
        end,
        pause,
    ));
    let mut visits = Vec::new();
    for number in 0..arguments.clients {
        let visitor = Visitor::new(
            address,
            number,
            arguments.seed,
            Arc::clone(&files),
            Arc::clone(&ledger),
            start,
        );
        let pause = Duration::from_millis(arguments.pause_milliseconds);
        visits.push(tokio::spawn(visit(visitor, end, pause)));
    }
    for visit in visits {
        visit.await.context("a client ended early")?;
    }
    let swaps = swapping.await.context("the swaps ended early")?;
    let samples = sampling.await.context("the sampling ended early")?;
    let rest = rest::reached(service.pid(), address).await;
    let ledger = Arc::into_inner(ledger).context("somebody still writes")?;
    Ok(Evidence {
        ledger,
        swaps,
        samples,
        rest,
    })
}

/// One visit after the other.
async fn visit(mut visitor: Visitor, end: Instant, pause: Duration) {
    while Instant::now() < end {
        traffic::one(&mut visitor).await;
        // As people come: many soon, some much later.
        let factor = -(1.0 - visitor.rng.f64()).ln();
        tokio::time::sleep(pause.mul_f64(factor.min(5.0))).await;
    }
}
