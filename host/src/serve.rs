//! The life of the process: log, engine, components, listener, signals.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

use crate::app::App;
use crate::config::{Config, Invalid};
use crate::engine::Machine;
use crate::engine::cache::CodeCache;
use crate::registry::Registry;
use crate::{observe, server};

/// Threads that accept, read, write and keep time. They do little for each request.
const SERVER_THREADS: usize = 2;

/// How far guests that compute stand behind the threads that accept, read and write, in steps of Unix niceness. Beside
/// two long requests on two processors, a light one then waits about as little as with the machine for itself. More
/// would put the service behind everything else that the machine runs.
const GUEST_NICENESS: i32 = 5;

/// Runs the host until a signal ends it.
pub fn run(config: Config) -> ExitCode {
    if let Err(Invalid(message)) = observe::start_log(&config) {
        eprintln!("quartet: {message}");
        return ExitCode::from(2);
    }
    match start(&config) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error:#}");
            eprintln!("quartet: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn start(config: &Config) -> anyhow::Result<()> {
    let started = Instant::now();
    let guests = runtime("guest", config.workers, be_nice)?;
    let server = runtime("server", SERVER_THREADS, || {})?;
    let machine = Machine::new(&config.limits, guests.handle().clone())?;
    let registry = Registry::default();
    let cache = CodeCache::new(config.cache.clone());
    cache.tidy();
    registry.load_folder(&config.components, &machine, &cache);
    let app = Arc::new(App::new(machine, registry, config.limits.clone()));
    server.block_on(async {
        let listener = TcpListener::bind(config.listen)
            .await
            .map_err(|error| anyhow::anyhow!("cannot listen on {}: {error}", config.listen))?;
        let address = listener.local_addr()?;
        tracing::info!(%address, ms = started.elapsed().as_millis() as u64, "listening");
        // The one line on standard output: scripts and tests read the address from it.
        println!("quartet: listening on http://{address}");
        std::io::stdout().flush()?;
        let serving = server::run(
            listener,
            app,
            &config.limits,
            signal("stopping: requests in flight may end"),
        );
        tokio::pin!(serving);
        tokio::select! {
            () = &mut serving => {}
            // A second signal does not wait for requests in flight.
            () = async { signal("").await; signal("stopped at once").await } => {}
        }
        anyhow::Ok(())
    })?;
    // Sandboxes that are still there belong to nobody.
    guests.shutdown_timeout(Duration::from_millis(200));
    server.shutdown_timeout(Duration::from_millis(200));
    Ok(())
}

fn runtime(name: &str, threads: usize, begin: fn()) -> std::io::Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(threads)
        .thread_name(name)
        .on_thread_start(begin)
        .enable_all()
        .build()
}

/// Lowers the priority of the calling thread. Linux has one for each thread; elsewhere it would be the whole process's.
fn be_nice() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(GUEST_NICENESS) {
        tracing::debug!(%error, "guests keep the priority of the server");
    }
}

/// Resolves at an interrupt or a request to terminate.
async fn signal(message: &'static str) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        // Without signal handlers the system's defaults end the process.
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    if !message.is_empty() {
        tracing::info!("{message}");
    }
}
