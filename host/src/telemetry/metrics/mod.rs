//! Metrics, in the text format of Prometheus.
//!
//! Names and values of labels come from fixed tables (operations, statuses, codes, outcomes), but for the versions of
//! components, whose series go when the version does. A stranger's request cannot add a series.
//!
//! The crate `prometheus` was chosen because it writes exactly the text format 0.0.4, counts in plain atomics, needs no
//! global recorder, and forgets series on demand. What every request counts is looked up once and kept.

mod by_route;
mod process;
mod versions;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::StatusCode;
use prometheus::core::Collector;
use prometheus::{
    Gauge, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry,
    TextEncoder,
};
use quartet_api::Code;

use self::by_route::ByRoute;
use self::versions::{NO_VALUE, Versions};
use super::access::{Access, End};
use super::log;
use crate::capabilities::Capability;
use crate::host_functions::llm::metrics::LlmMetrics;
use crate::runtime::Runtime;
use crate::shared::metrics::SharedMetrics;

/// The media type of the page.
pub const CONTENT_TYPE: &str = prometheus::TEXT_FORMAT;

/// Seconds until the head of an answer, and until its end.
const SECONDS_BUCKETS: &[f64] = &[
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0,
    600.0, 3600.0,
];
/// Seconds in the queue, which the configuration bounds to some.
const QUEUE_SECONDS_BUCKETS: &[f64] = &[0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];
/// Units of fuel: a light request needs some hundred thousand, an hour of speech some hundred thousand millions.
const FUEL_BUCKETS: &[f64] = &[
    1e5, 3e5, 1e6, 3e6, 1e7, 3e7, 1e8, 3e8, 1e9, 3e9, 1e10, 3e10, 1e11, 3e11, 1e12,
];
const MIB: f64 = 1024.0 * 1024.0;
/// Bytes of a sandbox's memory.
const MEMORY_BYTES_BUCKETS: &[f64] = &[
    MIB,
    2.0 * MIB,
    4.0 * MIB,
    8.0 * MIB,
    16.0 * MIB,
    32.0 * MIB,
    64.0 * MIB,
    128.0 * MIB,
    256.0 * MIB,
    512.0 * MIB,
    1024.0 * MIB,
];

/// The outcome of an attempt to change the version that serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Swap {
    /// A new version passed all checks and serves.
    Published,
    /// A new version failed a check, and the old one serves on.
    Refused,
    /// An earlier version serves again.
    RolledBack,
    /// A candidate that served a part of the requests serves all of them.
    Promoted,
    /// The trial of a candidate ended without it.
    Abandoned,
}

impl Swap {
    /// The word in the label `outcome`.
    pub const fn word(self) -> &'static str {
        match self {
            Swap::Published => "published",
            Swap::Refused => "refused",
            Swap::RolledBack => "rolled_back",
            Swap::Promoted => "promoted",
            Swap::Abandoned => "abandoned",
        }
    }
}

/// Values that are read when somebody asks for the page.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// Requests that run, and how many may.
    pub running: (usize, usize),
    /// Requests that wait for a place to run, and how many may.
    pub waiting: (usize, usize),
    /// Streams that run, and how many may.
    pub streams: (usize, usize),
    /// Time that the heavy requests take that run and wait.
    pub expected_work: Duration,
    /// Bytes of memory that sandboxes have been given, and how many there are.
    pub memory: (usize, usize),
    /// Bytes of requests' bodies that are held, and how many may be.
    pub bodies: (usize, usize),
    /// Jobs that wait or run.
    pub jobs: usize,
    /// Bytes of answers that jobs keep, and how many there may be.
    pub job_bytes: (usize, usize),
    /// Versions that serve.
    pub serving: Vec<ServingVersion>,
}

/// A version that serves.
#[derive(Debug, Clone)]
pub struct ServingVersion {
    /// Its capability.
    pub capability: Capability,
    /// Its digest in short.
    pub version: String,
    /// Time since which it serves, in seconds since 1970.
    pub since: u64,
}

/// The registry with every family of metrics.
pub struct Metrics {
    registry: Registry,
    versions: Versions,
    requests: IntCounterVec,
    ends: [IntCounter; End::ALL.len()],
    failures: IntCounterVec,
    swaps: IntCounterVec,
    imports: IntCounterVec,
    spans: IntCounterVec,
    sent: ByRoute<IntCounterVec>,
    head: ByRoute<HistogramVec>,
    total: ByRoute<HistogramVec>,
    fuel: ByRoute<HistogramVec>,
    memory: ByRoute<HistogramVec>,
    queue: Histogram,
    connections: IntGauge,
    dropped_lines: IntCounter,
    /// Metrics of the language model.
    pub language: LlmMetrics,
    /// Metrics of the state that replicas share.
    pub shared: SharedMetrics,
    running: IntGaugeVec,
    waiting: IntGaugeVec,
    bodies: IntGaugeVec,
    jobs: IntGaugeVec,
    job_bytes: IntGaugeVec,
    sandboxes: IntGaugeVec,
    expected_work: Gauge,
    serving: IntGaugeVec,
    serving_since: IntGaugeVec,
    pool: IntGaugeVec,
    pool_unused: IntGaugeVec,
    /// Lock for one page at a time: gauges are set, then written.
    writing: Mutex<()>,
}

impl Metrics {
    /// Makes and registers every family, with series for these routes.
    ///
    /// # Errors
    /// When a name is taken or is none; the names are constants of this file.
    pub fn new(routes: &[Arc<str>]) -> prometheus::Result<Self> {
        let registry = Registry::new();
        process::register(&registry)?;
        let build = gauges(
            &registry,
            "quartet_build_info",
            "Always 1; the version of the host is in the label.",
            &["version"],
        )?;
        build.with_label_values(&[env!("CARGO_PKG_VERSION")]).set(1);
        let ends = counters(
            &registry,
            "quartet_request_ends_total",
            "How requests ended: answered, cut_off (the component failed after its head was sent), client_left.",
            &["end"],
        )?;
        let metrics = Self {
            versions: Versions::default(),
            requests: counters(
                &registry,
                "quartet_requests_total",
                "Requests that are over, by operation, status and the version of the component that answered.",
                &["operation", "status", "version"],
            )?,
            // What can be known beforehand starts at 0, so that the first event is a rise.
            ends: End::ALL.map(|end| ends.with_label_values(&[end.label()])),
            failures: counters(
                &registry,
                "quartet_failures_total",
                "Requests that the host failed, by the code of the failure; rate_limited and busy are among them.",
                &["code"],
            )?,
            swaps: counters(
                &registry,
                "quartet_swaps_total",
                "Attempts to change the version that serves, by capability and outcome.",
                &["capability", "outcome"],
            )?,
            imports: counters(
                &registry,
                "quartet_import_calls_total",
                "Calls of components into imports that compute in the host, by import and outcome.",
                &["import", "outcome"],
            )?,
            spans: counters(
                &registry,
                "quartet_trace_spans_total",
                "Spans for the trace collector: exported, dropped because the queue was full, failed to be taken.",
                &["outcome"],
            )?,
            sent: ByRoute::new(
                counters(
                    &registry,
                    "quartet_response_bytes_total",
                    "Bytes of components' answers that were handed to connections.",
                    &["operation"],
                )?,
                routes,
            ),
            head: histograms(
                &registry,
                "quartet_request_head_seconds",
                "Time from a request's headers to the head of its answer.",
                SECONDS_BUCKETS,
                routes,
            )?,
            total: histograms(
                &registry,
                "quartet_request_seconds",
                "Time from a request's headers to the end of its answer.",
                SECONDS_BUCKETS,
                routes,
            )?,
            fuel: histograms(
                &registry,
                "quartet_request_fuel",
                "Computation of a request's sandbox, in units of fuel.",
                FUEL_BUCKETS,
                routes,
            )?,
            memory: histograms(
                &registry,
                "quartet_request_memory_bytes",
                "The most memory that a request's sandbox had at once.",
                MEMORY_BYTES_BUCKETS,
                routes,
            )?,
            queue: queue(&registry)?,
            connections: connections(&registry)?,
            dropped_lines: dropped_lines(&registry)?,
            language: LlmMetrics::new()?,
            shared: SharedMetrics::new()?,
            running: gauges(
                &registry,
                "quartet_running",
                "Requests and streams that run, and places to run.",
                &["of"],
            )?,
            waiting: gauges(
                &registry,
                "quartet_waiting",
                "Requests and streams that wait for a place to run, and places in that queue.",
                &["of"],
            )?,
            bodies: gauges(
                &registry,
                "quartet_request_bodies_bytes",
                "Bytes of requests' bodies that are held until their requests are answered, and the most that may be.",
                &["of"],
            )?,
            jobs: gauges(&registry, "quartet_jobs", "Jobs that wait for a place or run.", &["of"])?,
            job_bytes: gauges(
                &registry,
                "quartet_job_answers_bytes",
                "Bytes of answers that jobs keep, and the most that may be.",
                &["of"],
            )?,
            sandboxes: gauges(
                &registry,
                "quartet_sandbox_memory_bytes",
                "Memory that sandboxes have been given, and the most that they may have together.",
                &["of"],
            )?,
            expected_work: registered(
                &registry,
                Gauge::new(
                    "quartet_expected_work_seconds",
                    "Time that the requests which compute for long take that run and wait, by what those before them took.",
                )?,
            )?,
            serving: gauges(
                &registry,
                "quartet_component_serving",
                "1 for each version that serves now.",
                &["capability", "version"],
            )?,
            serving_since: gauges(
                &registry,
                "quartet_component_since_seconds",
                "Time since which each version serves, in seconds since 1970.",
                &["capability", "version"],
            )?,
            pool: gauges(
                &registry,
                "quartet_pool_used",
                "Slots of wasmtime's pool in use.",
                &["slots"],
            )?,
            pool_unused: gauges(
                &registry,
                "quartet_pool_unused_resident_bytes",
                "Memory that unused slots of wasmtime's pool keep for the next instance.",
                &["slots"],
            )?,
            writing: Mutex::new(()),
            registry,
        };
        metrics.language.register(&metrics.registry)?;
        metrics.shared.register(&metrics.registry)?;
        for code in Code::ALL {
            metrics.failures.with_label_values(&[code.word()]);
        }
        Ok(metrics)
    }

    /// Counts a request that is over.
    pub fn finished(&self, access: &Access) {
        let operation = &*access.route;
        let version = access.version.as_ref().map_or(NO_VALUE, |version| {
            self.versions.keep(version);
            version.short_digest()
        });
        let status = access.answer.as_ref().map_or(NO_VALUE, |(status, _)| bounded(status));
        self.requests.with_label_values(&[operation, status, version]).inc();
        self.ends[access.end() as usize].inc();
        if let Some(code) = access.code {
            self.failures.with_label_values(&[code]).inc();
        }
        let seconds = access.started.elapsed().as_secs_f64();
        self.total.of(operation).observe(seconds);
        if let Some((_, head)) = access.answer {
            self.head.of(operation).observe(head.as_secs_f64());
        }
        if let Some(queued) = access.queued() {
            self.queue.observe(queued.as_secs_f64());
        }
        if let Some(bytes) = access.bytes() {
            self.sent.of(operation).inc_by(bytes);
        }
    }

    /// Records the usage of a sandbox that is gone: units of fuel, and bytes of memory at most.
    pub fn used(&self, operation: &str, fuel: u64, memory: usize) {
        self.fuel.of(operation).observe(fuel as f64);
        self.memory.of(operation).observe(memory as f64);
    }

    /// Counts an attempt to change the version that serves.
    pub fn swap(&self, capability: &Capability, outcome: Swap) {
        self.swaps.with_label_values(&[capability.name(), outcome.word()]).inc();
    }

    /// Counts a component's call into an import that computes in the host, such as `inference.compute`.
    pub fn import_call(&self, import: &'static str, succeeded: bool) {
        let outcome = if succeeded { "done" } else { "failed" };
        self.imports.with_label_values(&[import, outcome]).inc();
    }

    /// Counts spans by outcome.
    pub fn spans(&self, outcome: &'static str, count: u64) {
        self.spans.with_label_values(&[outcome]).inc_by(count);
    }

    /// Counts a connection as open for as long as the value lives.
    pub fn connection(&self) -> Connection {
        self.connections.inc();
        Connection(self.connections.clone())
    }

    /// The page: every family with its series.
    ///
    /// # Errors
    /// When a family cannot be written, which is a mistake in the host.
    pub fn page(&self, now: &Snapshot, runtime: &Runtime) -> prometheus::Result<String> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        for (gauge, (used, most)) in [(&self.running, now.running), (&self.waiting, now.waiting)] {
            gauge.with_label_values(&["requests"]).set(signed(used));
            gauge.with_label_values(&["places"]).set(signed(most));
        }
        let (streams, places) = now.streams;
        self.running.with_label_values(&["streams"]).set(signed(streams));
        self.running.with_label_values(&["stream_places"]).set(signed(places));
        self.jobs.with_label_values(&["at_work"]).set(signed(now.jobs));
        for (gauge, (held, most)) in [
            (&self.bodies, now.bodies),
            (&self.job_bytes, now.job_bytes),
            (&self.sandboxes, now.memory),
        ] {
            gauge.with_label_values(&["held"]).set(signed(held));
            gauge.with_label_values(&["limit"]).set(signed(most));
        }
        self.expected_work.set(now.expected_work.as_secs_f64());
        let dropped = log::dropped_lines();
        self.dropped_lines
            .inc_by(dropped.saturating_sub(self.dropped_lines.get()));
        self.serving.reset();
        self.serving_since.reset();
        for one in &now.serving {
            let labels = [one.capability.name(), one.version.as_str()];
            self.serving.with_label_values(&labels).set(1);
            let since = i64::try_from(one.since).unwrap_or(i64::MAX);
            self.serving_since.with_label_values(&labels).set(since);
        }
        if let Some(pool) = runtime.engine.pooling_allocator_metrics() {
            let used = |slots: &str, count: usize| self.pool.with_label_values(&[slots]).set(signed(count));
            used(
                "instances",
                usize::try_from(pool.component_instances()).unwrap_or(usize::MAX),
            );
            used("memories", pool.memories());
            used("tables", pool.tables());
            used("stacks", pool.stacks());
            let unused = |slots: &str, bytes: usize| self.pool_unused.with_label_values(&[slots]).set(signed(bytes));
            unused("memories", pool.unused_memory_bytes_resident());
            unused("tables", pool.unused_table_bytes_resident());
        }
        self.versions.forget_freed(&self.requests);
        TextEncoder::new().encode_to_string(&self.registry.gather())
    }
}

/// An open connection.
#[derive(Debug)]
pub struct Connection(IntGauge);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.dec();
    }
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A status as a label. A component can answer with any; those beside the contract's are counted by their class.
fn bounded(status: &StatusCode) -> &str {
    let number = status.as_u16();
    if number == 200 || Code::ALL.iter().any(|code| code.status() == number) {
        return status.as_str();
    }
    match number {
        ..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        _ => "5xx",
    }
}

fn registered<C: Collector + Clone + 'static>(registry: &Registry, metric: C) -> prometheus::Result<C> {
    registry.register(Box::new(metric.clone()))?;
    Ok(metric)
}

fn counters(registry: &Registry, name: &str, help: &str, labels: &[&str]) -> prometheus::Result<IntCounterVec> {
    registered(registry, IntCounterVec::new(Opts::new(name, help), labels)?)
}

fn gauges(registry: &Registry, name: &str, help: &str, labels: &[&str]) -> prometheus::Result<IntGaugeVec> {
    registered(registry, IntGaugeVec::new(Opts::new(name, help), labels)?)
}

fn histograms(
    registry: &Registry,
    name: &str,
    help: &str,
    buckets: &[f64],
    routes: &[Arc<str>],
) -> prometheus::Result<ByRoute<HistogramVec>> {
    let options = HistogramOpts::new(name, help).buckets(buckets.to_vec());
    registered(registry, HistogramVec::new(options, &["operation"])?).map(|family| ByRoute::new(family, routes))
}

fn queue(registry: &Registry) -> prometheus::Result<Histogram> {
    let options = HistogramOpts::new(
        "quartet_queue_seconds",
        "Time for which requests waited for a place to run.",
    );
    registered(
        registry,
        Histogram::with_opts(options.buckets(QUEUE_SECONDS_BUCKETS.to_vec()))?,
    )
}

fn connections(registry: &Registry) -> prometheus::Result<IntGauge> {
    registered(
        registry,
        IntGauge::new("quartet_open_connections", "Connections that are open now.")?,
    )
}

fn dropped_lines(registry: &Registry) -> prometheus::Result<IntCounter> {
    registered(
        registry,
        IntCounter::new(
            "quartet_log_lines_dropped_total",
            "Lines of the log that were dropped because whoever reads it does not.",
        )?,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_can_be_made_and_the_known_series_start_at_0() {
        let metrics = Metrics::new(&["none".into()]).unwrap();
        let open = metrics.connection();
        metrics.swap(&Capability::bare("tts"), Swap::Refused);
        let page = TextEncoder::new().encode_to_string(&metrics.registry.gather()).unwrap();
        for line in [
            "quartet_failures_total{code=\"rate_limited\"} 0",
            "quartet_request_ends_total{end=\"client_left\"} 0",
            "quartet_open_connections 1",
            "quartet_language_answers_total{outcome=\"cancelled\"} 0",
            "quartet_swaps_total{capability=\"tts\",outcome=\"refused\"} 1",
        ] {
            assert!(page.lines().any(|found| found == line), "{line} is not in\n{page}");
        }
        assert!(!page.contains("quartet_import_calls_total"), "nothing called an import");
        drop(open);
        assert_eq!(metrics.connections.get(), 0);
    }

    #[test]
    fn a_component_cannot_make_labels_out_of_statuses() {
        let labels: std::collections::BTreeSet<_> = (100..=999)
            .map(|number| bounded(&StatusCode::from_u16(number).unwrap()).to_owned())
            .collect();
        // One for each status of ours, one for success, and one for each class of the others.
        let ours: std::collections::BTreeSet<_> = Code::ALL.iter().map(|code| code.status()).collect();
        assert!(labels.len() <= ours.len() + 1 + 4, "{labels:?}");
        assert!(labels.contains("200") && labels.contains("429") && labels.contains("5xx"));
    }
}
