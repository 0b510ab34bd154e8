//! Metrics of the state that replicas share.

use std::time::Duration;

use prometheus::core::Collector;
use prometheus::{Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry};

use super::call::{Call, CallError, outcome};

/// Seconds of a call: a store in the same building answers within one of the first.
const CALL_SECONDS_BUCKETS: &[f64] = &[
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0,
];

/// The families of shared state; a copy counts into the same ones.
#[derive(Clone)]
pub struct SharedMetrics {
    up: IntGauge,
    replicas: IntGauge,
    calls: IntCounterVec,
    seconds: Histogram,
    jobs_taken: IntCounter,
    unsealed: IntCounter,
    generation: IntGaugeVec,
    in_step: IntGaugeVec,
}

impl SharedMetrics {
    /// Makes the families.
    ///
    /// # Errors
    /// When a name is none; the names are constants of this file.
    pub fn new() -> prometheus::Result<Self> {
        let metrics = Self {
            up: IntGauge::new(
                "quartet_shared_state_up",
                "1 while the store that replicas share answers, 0 while it does not or there is none.",
            )?,
            replicas: IntGauge::new(
                "quartet_shared_state_replicas",
                "Replicas that the store has heard of in the last seconds, as far as this one knows; 0 where none is shared.",
            )?,
            calls: IntCounterVec::new(
                Opts::new(
                    "quartet_shared_state_calls_total",
                    "Calls of the store that replicas share, by what was asked and how it ended: ok, away or full.",
                ),
                &["call", "outcome"],
            )?,
            seconds: Histogram::with_opts(
                HistogramOpts::new(
                    "quartet_shared_state_call_seconds",
                    "Time of a call of the store that replicas share.",
                )
                .buckets(CALL_SECONDS_BUCKETS.to_vec()),
            )?,
            unsealed: IntCounter::new(
                "quartet_shared_state_unsealed_total",
                "Desired versions and pieces of components in the store that this service has not sealed: none was followed.",
            )?,
            jobs_taken: IntCounter::new(
                "quartet_jobs_taken_total",
                "Jobs that this replica went on with, because the one that worked on them was gone.",
            )?,
            generation: IntGaugeVec::new(
                Opts::new(
                    "quartet_fleet_generation",
                    "Generation of the version that the replicas are to serve, as far as this one knows; by capability.",
                ),
                &["capability"],
            )?,
            in_step: IntGaugeVec::new(
                Opts::new(
                    "quartet_fleet_in_step",
                    "1 while this replica serves the version that the replicas are to serve, else 0; by capability.",
                ),
                &["capability"],
            )?,
        };
        for call in Call::ALL {
            for error in [None, Some(CallError::Away), Some(CallError::Full)] {
                metrics.calls.with_label_values(&[call.word(), outcome(error)]);
            }
        }
        Ok(metrics)
    }

    /// Registers the families.
    ///
    /// # Errors
    /// When a name is taken.
    pub fn register(&self, registry: &Registry) -> prometheus::Result<()> {
        let all: [Box<dyn Collector>; 8] = [
            Box::new(self.up.clone()),
            Box::new(self.replicas.clone()),
            Box::new(self.calls.clone()),
            Box::new(self.seconds.clone()),
            Box::new(self.unsealed.clone()),
            Box::new(self.generation.clone()),
            Box::new(self.in_step.clone()),
            Box::new(self.jobs_taken.clone()),
        ];
        all.into_iter().try_for_each(|family| registry.register(family))
    }

    /// The store answers, or does not.
    pub(super) fn up(&self, up: bool) {
        self.up.set(up.into());
    }

    /// So many replicas are there.
    pub(super) fn replicas(&self, number: usize) {
        self.replicas.set(i64::try_from(number).unwrap_or(i64::MAX));
    }

    /// A job goes on here.
    pub(super) fn took_job(&self) {
        self.jobs_taken.inc();
    }

    /// The store has something in the place of a version that was not sealed by this service.
    pub(super) fn unsealed(&self) {
        self.unsealed.inc();
    }

    /// The replicas are to serve the version of a generation, which this one does or does not.
    pub(super) fn desired(&self, capability: &str, generation: u64, in_step: bool) {
        let generation = i64::try_from(generation).unwrap_or(i64::MAX);
        self.generation.with_label_values(&[capability]).set(generation);
        self.in_step.with_label_values(&[capability]).set(in_step.into());
    }

    /// A call is over.
    pub(super) fn called(&self, call: Call, error: Option<CallError>, took: Duration) {
        self.calls.with_label_values(&[call.word(), outcome(error)]).inc();
        self.seconds.observe(took.as_secs_f64());
    }
}
