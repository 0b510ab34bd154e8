//! Passes every finished request to the log, the metrics, the traces and the version's record.

use std::sync::Arc;

use http::HeaderMap;

use super::access::Access;
use super::line;
use super::metrics::Metrics;
use super::trace::{Exporter, SpanContext, Traces};
use crate::config::Config;

/// Takes every request when it is over.
pub struct Observer {
    /// The metrics.
    pub metrics: Arc<Metrics>,
    /// True if the page with the metrics is served beside the operations.
    pub metrics_page: bool,
    traces: Option<Traces>,
}

impl Observer {
    /// An observer of these routes, and the exporter of its traces if there is a collector.
    ///
    /// # Errors
    /// When the collector's address cannot be used.
    pub fn new(config: &Config, routes: &[Arc<str>]) -> anyhow::Result<(Self, Option<Exporter>)> {
        let metrics = Arc::new(Metrics::new(routes)?);
        let (traces, exporter) = match &config.telemetry.otlp_endpoint {
            Some(target) => {
                let (traces, exporter) =
                    Traces::new(target.clone(), config.telemetry.trace_percent, Arc::clone(&metrics))?;
                (Some(traces), Some(exporter))
            }
            None => (None, None),
        };
        let observer = Self {
            metrics,
            metrics_page: config.metrics_page(),
            traces,
        };
        Ok((observer, exporter))
    }

    /// The place of a request in a trace: the caller's, or a new one where traces are exported.
    pub fn span(&self, headers: &HeaderMap) -> Option<SpanContext> {
        SpanContext::continued(headers).or_else(|| self.traces.as_ref().map(Traces::begin))
    }

    /// Propagates a trace to the component. Where no traces are exported, the caller's header stays as it is.
    pub fn propagate(&self, access: &Access, headers: &mut HeaderMap) {
        if let (Some(_), Some(context)) = (&self.traces, &access.trace) {
            context.propagate(headers);
        }
    }

    /// Takes a request that is over.
    pub fn finished(&self, access: &Access) {
        if let (Some(version), Some(operation), Some(outcome), Some((_, head))) =
            (&access.version, &access.operation, access.outcome(), access.answer)
        {
            version
                .record
                .finished(operation, outcome, head, access.started.elapsed());
        }
        self.metrics.finished(access);
        if let Some(traces) = &self.traces {
            traces.finished(access, &self.metrics);
        }
        line::write(access);
        match access.usage.get() {
            Some((fuel, memory)) => self.metrics.used(&access.route, fuel, memory),
            None if access.running_since().is_some() => {
                // The client left first; what its sandbox used is known in a moment.
                let (metrics, operation, id) = (
                    Arc::clone(&self.metrics),
                    Arc::clone(&access.route),
                    Arc::clone(&access.id),
                );
                access.usage.when_known(move |fuel, memory| {
                    metrics.used(&operation, fuel, memory);
                    line::late(&id, fuel, memory);
                });
            }
            None => {}
        }
    }
}
