//! Exports spans to a collector: OTLP over HTTP, as JSON.
//!
//! The crate `opentelemetry-otlp` would bring a second HTTP stack and a build of protobuf for what is one document and
//! one POST here. Every collector that takes OTLP over HTTP takes its JSON.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Uri, header};
use http_body_util::{BodyExt, Full, Limited};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::context::SpanContext;
use super::span::{self, Record};
use crate::http_client::{self, Client};
use crate::telemetry::access::Access;
use crate::telemetry::metrics::Metrics;

/// Requests whose spans wait to be sent. More are dropped and counted: a slow collector slows nobody down.
const QUEUED_REQUESTS: usize = 4_096;
/// Requests in one document.
const BATCH_REQUESTS: usize = 512;
/// Time for which a document that is not full waits for more.
const BATCH_DELAY: Duration = Duration::from_secs(1);
/// Time that a collector may take.
const COLLECTOR_TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of a collector's answer that are read.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// The end of the queue at which finished requests hand in their spans.
#[derive(Debug)]
pub struct Traces {
    queue: mpsc::Sender<Record>,
    percent: u8,
}

/// The other end of the queue: sends the spans.
pub struct Exporter {
    queue: mpsc::Receiver<Record>,
    client: Client,
    target: Uri,
    metrics: Arc<Metrics>,
    failing: bool,
}

impl Traces {
    /// Both ends. `percent` of the traces that begin here are recorded.
    ///
    /// # Errors
    /// When the system has no certificates to know an `https` collector by.
    pub fn new(target: Uri, percent: u8, metrics: Arc<Metrics>) -> std::io::Result<(Self, Exporter)> {
        let (sender, queue) = mpsc::channel(QUEUED_REQUESTS);
        let exporter = Exporter {
            queue,
            client: http_client::new(&target)?,
            target,
            metrics,
            failing: false,
        };
        Ok((Self { queue: sender, percent }, exporter))
    }

    /// Begins a trace.
    pub fn begin(&self) -> SpanContext {
        SpanContext::started(self.percent)
    }

    /// Queues the spans of a request that is over.
    pub fn finished(&self, access: &Access, metrics: &Metrics) {
        let Some(context) = access.trace.as_ref().filter(|context| context.sampled) else {
            return;
        };
        if let Err(mpsc::error::TrySendError::Full(record)) = self.queue.try_send(Record::new(access, context)) {
            metrics.spans("dropped", record.len() as u64);
        }
    }
}

impl Exporter {
    /// Sends until `stop`, and then what is left in the queue.
    pub async fn run(mut self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            let mut batch = Vec::with_capacity(BATCH_REQUESTS);
            tokio::select! {
                received = self.queue.recv_many(&mut batch, BATCH_REQUESTS) => if received == 0 { return },
                () = stop.cancelled() => {}
            }
            if batch.len() < BATCH_REQUESTS {
                tokio::select! {
                    () = tokio::time::sleep(BATCH_DELAY) => {}
                    () = stop.cancelled() => {}
                }
            }
            while batch.len() < BATCH_REQUESTS {
                let Ok(record) = self.queue.try_recv() else { break };
                batch.push(record);
            }
            self.send(batch).await;
        }
        while let Ok(record) = self.queue.try_recv() {
            let mut batch = vec![record];
            while batch.len() < BATCH_REQUESTS {
                let Ok(record) = self.queue.try_recv() else { break };
                batch.push(record);
            }
            self.send(batch).await;
        }
    }

    async fn send(&mut self, batch: Vec<Record>) {
        if batch.is_empty() {
            return;
        }
        let spans: usize = batch.iter().map(Record::len).sum();
        let sent = match tokio::time::timeout(COLLECTOR_TIMEOUT, self.post(span::document(batch))).await {
            Ok(sent) => sent,
            Err(_) => Err(format!("no answer within {} seconds", COLLECTOR_TIMEOUT.as_secs())),
        };
        self.metrics
            .spans(if sent.is_ok() { "exported" } else { "failed" }, spans as u64);
        // One line when it begins to fail and one when it works again, not one a second.
        match (&sent, self.failing) {
            (Err(reason), false) => tracing::warn!(%reason, collector = %self.target, "traces are lost"),
            (Ok(()), true) => tracing::info!(collector = %self.target, "traces are taken again"),
            _ => {}
        }
        self.failing = sent.is_err();
    }

    async fn post(&self, document: serde_json::Value) -> Result<(), String> {
        let request = Request::builder()
            .method(Method::POST)
            .uri(&self.target)
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::USER_AGENT, http_client::USER_AGENT)
            .body(Full::new(Bytes::from(document.to_string())))
            .map_err(|error| error.to_string())?;
        let response = self.client.request(request).await.map_err(http_client::reason)?;
        let status = response.status();
        // Read to its end, so that the connection can be used again.
        let answer = Limited::new(response.into_body(), MAX_ANSWER_BYTES).collect().await;
        if status.is_success() {
            return Ok(());
        }
        let answer = answer.map(|body| body.to_bytes()).unwrap_or_default();
        Err(format!("{status}: {}", String::from_utf8_lossy(&answer).trim()))
    }
}
