//! Lifecycle of the process: log, engine, components, listener, signals.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quartet_models::Model;
use sd_notify::NotifyState;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::admission::{Gate, MemoryBudget};
use crate::capabilities::Capabilities;
use crate::config::{Config, Invalid, installed_code};
use crate::door::Open;
use crate::host_functions::inference::{Inference, LIBRARY};
use crate::host_functions::llm::LanguageModel;
use crate::http::app::App;
use crate::http::doors::Doors;
use crate::http::health;
use crate::http::ingress::{self, IngressConfig};
use crate::http::server;
use crate::models::{self, Arrivals};
use crate::registry::deploy::Deployer;
use crate::registry::fleet::Fleet;
use crate::registry::store::Store;
use crate::registry::{Registry, late, warm_up, watch};
use crate::rollout::shadow;
use crate::route::Routes;
use crate::runtime::Runtime;
use crate::runtime::cache::CodeCache;
use crate::runtime::compile::Compiler;
use crate::shared::SharedState;
use crate::telemetry::Observer;
use crate::wyoming::{self, Listener};
use crate::{admin, priority, reload, telemetry};

/// Threads that accept, read, write and keep time. They do little for each request.
const SERVER_THREADS: usize = 2;

/// Niceness of guests that compute relative to the threads that accept, read and write, in steps of Unix niceness.
/// Beside two long requests on two processors, a light one then waits about as little as with the machine for itself.
/// More would put the service behind everything else that the machine runs.
const GUEST_NICENESS: i32 = 5;

/// Time that the trace collector has to take the last spans.
const LAST_SPANS_TIMEOUT: Duration = Duration::from_secs(2);

/// Runs the host until a signal ends it.
pub fn run(config: Config) -> ExitCode {
    let _log = match telemetry::log::start(&config.telemetry) {
        Ok(log) => log,
        Err(Invalid(message)) => {
            eprintln!("quartet: {message}");
            return ExitCode::from(2);
        }
    };
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
    // First, because everything else asks what there is.
    let capabilities = Capabilities::load(config.components.capabilities.as_deref(), &config.components.components)?;
    let guests = runtime("guest", config.components.workers, lower_guest_priority)?;
    let server = runtime("server", SERVER_THREADS, || {})?;
    // Before anything takes its time: the first process of a container hears no signals but those that it listens to.
    let (mut first, mut second) = {
        let _entered = server.enter();
        (Signals::new()?, Signals::new()?)
    };
    let inference = Inference::from_folder(
        &config.components.models,
        capabilities.graphs(),
        config.components.inference_threads,
        config.components.inference_engine,
        config.components.accelerator,
    )?;
    let open = Open::from(&config.ingress);
    let (observer, exporter) = Observer::new(
        config,
        Routes::new(&capabilities)
            .with_doors(open)
            .with_page(config.ingress.shows_page())
            .with_wyoming(config.wyoming.is_on())
            .names(),
    )?;
    let observer = Arc::new(observer);
    let language = LanguageModel::new(
        &config.language,
        config.limits.kept_seconds,
        observer.metrics.language.clone(),
    )?;
    let shared = SharedState::new(&config.shared, &config.limits, observer.metrics.shared.clone())?.map(Arc::new);
    if let Some(shared) = &shared {
        server.block_on(shared.reach())?;
    }
    let runtime = Runtime::new(
        &config.limits,
        guests.handle().clone(),
        inference,
        language,
        &config.search,
    )?;
    let runtime = runtime.with_phrasing(config.llm.phrasing());
    let runtime = Arc::new(match &shared {
        Some(shared) => runtime.with_shared(Arc::clone(shared), &config.limits, config.shared.shared_unavailable),
        None => runtime,
    });
    let language = Arc::clone(&runtime.language);
    let (keyvalue, of_probes) = (Arc::clone(&runtime.keyvalue), Arc::clone(&runtime.probe_keyvalue));
    let inference = Arc::clone(&runtime.inference);
    let arrivals = Arc::new(Arrivals::default());
    let registry = Arc::new(Registry::new(capabilities.clone()));
    let memory = MemoryBudget::new(config.components.memory_budget);
    let gate = Arc::new(Gate::new(&config.limits, memory, config.components.workers));
    let shadow_requests = {
        let gate = Arc::clone(&gate);
        shadow::start(&runtime, config.limits.clone(), move || gate.has_room())?
    };
    let cache = CodeCache::new(config.components.cache.clone())
        .beside(installed_code())
        .keeping(config.limits.cached_components)
        .compiled_by(Compiler::apart(&config.limits));
    cache.tidy();
    let deployer = Deployer::new(
        Arc::clone(&registry),
        Arc::clone(&runtime),
        cache,
        Store::new(config.components.components.clone())
            .with_versions(config.components.component_versions.clone())
            .with_aside(config.components.cache.join("fleet")),
        config.limits.clone(),
        shadow_requests,
        Arc::clone(&observer),
    );
    let IngressConfig {
        clients,
        headers,
        hosts,
        listener: mut listener_config,
        watched,
    } = ingress::prepare(&config.ingress, &capabilities, config.shared.takes_addresses())?;
    if config.wyoming.is_on() {
        let rest = listener_config.descriptors.saturating_sub(wyoming::MAX_CONNECTIONS);
        listener_config.descriptors = rest;
    }
    let scheme = if listener_config.tls.is_some() { "https" } else { "http" };
    let warm_up = warm_up::run(Arc::clone(&runtime), Arc::clone(&registry), config.limits.clone());
    let app = App::new(
        runtime,
        registry,
        gate,
        config.limits.clone(),
        observer,
        clients,
        headers,
    );
    let doors = Doors::new(open, config.ingress.openai_open_lists);
    let app = Arc::new(
        app.with_hosts(hosts)
            .with_doors(doors)
            .with_page(config.ingress.shows_page())
            .with_wyoming(config.wyoming.is_on())
            .with_shared(shared.clone(), config.shared.shared_unavailable)
            .with_arrivals(Arc::clone(&arrivals)),
    );
    server.block_on(async {
        let stop = CancellationToken::new();
        tokio::spawn(Arc::clone(&language).look_after());
        tokio::spawn(keyvalue.look_after());
        let fleet = shared.as_ref().map(|shared| {
            let fleet = Fleet::new(Arc::clone(&deployer), Arc::clone(shared), &config.limits);
            tokio::spawn(of_probes.look_after());
            tokio::spawn(Arc::clone(shared).run(move |client| language.forget(client)));
            fleet
        });
        let exporting = exporter.map(|exporter| tokio::spawn(exporter.run(stop.clone())));
        let seen = watch::Seen::now(&deployer);
        let start = async {
            let mut late = deployer.start().await;
            if let Some(fleet) = &fleet {
                fleet.catch_up().await;
                // What serves by now may be the fleet's version.
                late.retain(|capability| deployer.registry().current(capability).is_none());
            }
            late
        };
        let late = tokio::select! {
            late = start => late,
            () = first.next() => {
                tracing::info!("stopped before it served");
                return Ok(());
            }
        };
        let wanted = models::wanted(&config.components, &config.language, &capabilities)?;
        let fetches = models::Place::new(&config.components).is_open();
        for graph in app.missing_models() {
            // What comes is not worth an error.
            if !fetches || !wanted.iter().any(|model| model.name == graph) {
                tracing::error!(graph, folder = %config.components.models.display(), "model missing: what needs it fails; `quartet models get` gets it");
            }
        }
        let listener = TcpListener::bind(config.ingress.listen)
            .await
            .map_err(|error| anyhow::anyhow!("cannot listen on {}: {error}", config.ingress.listen))?;
        let address = listener.local_addr()?;
        if let Some(health) = config.ingress.health_listen {
            let listener = TcpListener::bind(health)
                .await
                .map_err(|error| anyhow::anyhow!("the health listener cannot listen on {health}: {error}"))?;
            tracing::info!(health = %listener.local_addr()?, "the health listener listens");
            tokio::spawn(health::serve(listener, Arc::clone(&app)));
        }
        let leaving = CancellationToken::new();
        let keys = config.ingress.keys.is_some();
        let wyoming = Listener::bind(&config.wyoming, &app, &config.limits, keys).await?;
        let wyoming = wyoming.map(|wyoming| tokio::spawn(wyoming.serve(leaving.clone())));
        let page = config.ingress.shows_page();
        admin::start(&config.admin, &deployer, fleet.as_ref(), &config.limits, &app, page).await?;
        if config.components.watch {
            watch::start(&deployer, seen, tokio::runtime::Handle::current())?;
        }
        if let Some(fleet) = fleet {
            tokio::spawn(Arc::clone(&app).take_over());
            tokio::spawn(fleet.run());
        }
        tracing::info!(%address, ms = started.elapsed().as_millis() as u64, "listening");
        // The one line on standard output: scripts and tests read the address from it.
        println!("quartet: listening on {scheme}://{address}");
        std::io::stdout().flush()?;
        if clients_send_keys_openly(config) {
            tracing::warn!(
                "keys cross the network unencrypted: set `tls_certificate` or stand behind a proxy with TLS"
            );
        }
        tokio::spawn(reload::watch(watched));
        tokio::spawn(late::ask_again(Arc::clone(&deployer), late));
        tokio::spawn(warm_up);
        fetch_models(config, wanted, &arrivals, &inference)?;
        notify_systemd(NotifyState::Ready);
        let serving = server::run(listener, Arc::clone(&app), listener_config, &config.limits, async {
            first.next().await;
            tracing::info!("stopping: requests in flight may end");
            leaving.cancel();
            notify_systemd(NotifyState::Stopping);
        });
        let serving = async {
            serving.await;
            if let Some(wyoming) = wyoming {
                // Its task ends by itself, within the same time.
                let _ = wyoming.await;
            }
        };
        tokio::pin!(serving);
        tokio::select! {
            () = &mut serving => {}
            // A second signal does not wait for requests in flight.
            () = async { second.next().await; second.next().await } => tracing::info!("stopped at once"),
        }
        stop.cancel();
        if let Some(shared) = &shared {
            app.leave().await;
            shared.leave().await;
        }
        if let Some(exporting) = exporting {
            // A collector that does not answer must not hold the end up.
            let _ = tokio::time::timeout(LAST_SPANS_TIMEOUT, exporting).await;
        }
        anyhow::Ok(())
    })?;
    // Sandboxes that are still there belong to nobody.
    guests.shutdown_timeout(Duration::from_millis(200));
    server.shutdown_timeout(Duration::from_millis(200));
    Ok(())
}

/// Begins to fetch the models that the folder lacks, of those that the settings need.
fn fetch_models(
    config: &Config,
    wanted: Vec<&'static Model>,
    arrivals: &Arc<Arrivals>,
    inference: &Arc<Inference>,
) -> anyhow::Result<()> {
    let inference = Arc::clone(inference);
    let arrived = move |model: &str| {
        if model == LIBRARY
            && let Err(reason) = inference.take_library()
        {
            tracing::warn!(
                reason,
                "models are computed by rten, because ONNX Runtime cannot be loaded"
            );
        }
    };
    let place = models::Place::new(&config.components);
    arrivals.start(wanted, place, tokio::runtime::Handle::current(), arrived)?;
    Ok(())
}

/// Returns true if keys cross the network without TLS.
fn clients_send_keys_openly(config: &Config) -> bool {
    let ingress = &config.ingress;
    ingress.keys.is_some() && ingress.tls().is_none() && !ingress.is_private()
}

fn runtime(name: &str, threads: usize, begin: fn()) -> std::io::Result<tokio::runtime::Runtime> {
    Builder::new_multi_thread()
        .worker_threads(threads)
        .thread_name(name)
        .on_thread_start(begin)
        .enable_all()
        .build()
}

/// Lowers the priority of the calling thread, which runs guests.
fn lower_guest_priority() {
    if let Err(error) = priority::lower_thread_priority(GUEST_NICENESS) {
        tracing::debug!(%error, "guests keep the priority of the server");
    }
}

/// Notifies systemd, if it started the process and asked for that.
fn notify_systemd(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "the system's manager cannot be told");
    }
}

/// Signals to interrupt and to terminate. Once it exists, they no longer end the process by themselves.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    /// Begins to listen.
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for the next one.
    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
