//! The probe: a version answers built-in requests of its capability before it answers anybody else's.

mod chat;
mod custom;
mod image;
mod pdf;
mod tts;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, StatusCode, header};
use http_body_util::{BodyExt, Full, Limited};
use quartet_api::operations::Operation;
use quartet_api::{Capability, Code, FailureBody, REQUEST_ID_HEADER, Success};
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;

use super::Version;
use super::refusal::{Refusal, Step};
use crate::body::Incoming;
use crate::config::Limits;
use crate::runtime::Runtime;
use crate::runtime::run::{self, Budget};

/// Size of the largest answer to a probe, in bytes.
const ANSWER_BYTES: usize = 16 * 1024 * 1024;

/// Where probes run, and within which bounds.
pub struct Probe<'a> {
    runtime: &'a Runtime,
    version: &'a Arc<Version>,
    budget: Budget,
}

/// Asks a version its capability's requests: under the limits of every request, but with a shorter clock for all of
/// them together, and outside the places of requests, so that a full service can be given a better version.
pub async fn run(runtime: &Runtime, version: &Arc<Version>, limits: &Limits) -> Result<(), Refusal> {
    let clock = limits.probe_seconds;
    let probe = Probe {
        runtime,
        version,
        budget: Budget {
            fuel: runtime.fuel(limits.respond_fuel, limits.respond_seconds),
            head: clock,
            total: clock,
        },
    };
    let asked = async {
        match version.capability {
            Capability::Tts => tts::run(&probe).await,
            Capability::Image => image::run(&probe).await,
            Capability::Pdf => pdf::run(&probe).await,
            Capability::Chat => chat::run(&probe).await,
            Capability::Added(name) => custom::run(&probe, name).await,
        }
    };
    match tokio::time::timeout(clock, asked).await {
        Ok(result) => result.map_err(|reason| Step::Probe.refuses(reason)),
        Err(_) => Err(Step::Probe.refuses(late(clock))),
    }
}

/// The body of a request.
struct Content {
    /// Its media type.
    kind: String,
    bytes: Vec<u8>,
}

impl Content {
    /// A form with a file, as browsers send it.
    fn form(part: &str, media_type: &str, file: &[u8]) -> Self {
        const BOUNDARY: &str = "quartet-probe";
        let head = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{part}\"; filename=\"probe\"\r\n\
             Content-Type: {media_type}\r\n\r\n"
        );
        let foot = format!("\r\n--{BOUNDARY}--\r\n");
        Self {
            kind: format!("multipart/form-data; boundary={BOUNDARY}"),
            bytes: [head.as_bytes(), file, foot.as_bytes()].concat(),
        }
    }
}

impl From<&str> for Content {
    /// JSON.
    fn from(json: &str) -> Self {
        Self {
            kind: "application/json".to_owned(),
            bytes: json.as_bytes().to_vec(),
        }
    }
}

fn late(clock: Duration) -> String {
    format!("it did not answer within the {} seconds allowed", clock.as_secs())
}

impl Probe<'_> {
    /// Whether the version has the host compute these graphs, and they are there.
    fn computes(&self, graphs: &[&str]) -> bool {
        let missing = self.runtime.inference.missing();
        let mut graphs = graphs.iter();
        graphs.all(|graph| self.version.guest.graphs.contains(graph) && !missing.contains(graph))
    }

    /// Asks for an operation. The error is a reason for the operator.
    async fn ask(&self, operation: &Operation, content: Option<Content>) -> Result<Bytes, String> {
        let (status, bytes) = self.send(operation, content).await?;
        if status != StatusCode::OK {
            let beginning: String = String::from_utf8_lossy(&bytes).chars().take(200).collect();
            return Err(format!(
                "{}: it answered with the status {status}: {beginning}",
                operation.path
            ));
        }
        Ok(bytes)
    }

    /// Asks for what cannot be answered, and checks that the answer says why.
    async fn refused(&self, operation: &Operation, json: &str, code: Code) -> Result<(), String> {
        let (status, bytes) = self.send(operation, Some(json.into())).await?;
        let body: Option<FailureBody> = serde_json::from_slice(&bytes).ok();
        match body {
            Some(body) if body.code == code.word() && status == code.status() => Ok(()),
            _ => Err(format!(
                "{}: it answered with the status {status} and not with {code}",
                operation.path
            )),
        }
    }

    async fn send(&self, operation: &Operation, content: Option<Content>) -> Result<(StatusCode, Bytes), String> {
        let name = operation.path;
        let mut request = Request::builder()
            .method(operation.method.name())
            .uri(name)
            .header(header::HOST, "localhost")
            .header(REQUEST_ID_HEADER, "probe");
        let bytes = match content {
            Some(Content { kind, bytes }) => {
                request = request.header(header::CONTENT_TYPE, kind);
                bytes
            }
            None => Vec::new(),
        };
        let body = Full::new(Bytes::from(bytes));
        let (body, _) = Incoming::new(body, u64::MAX);
        let request = request.body(body).map_err(|error| error.to_string())?;
        // A place of its own: see `run`.
        let place = Arc::new(Semaphore::new(1));
        let permit = place.acquire_owned().await.map_err(|error| error.to_string())?;
        let usage = Arc::default();
        let (response, supervisor) = run::start(
            self.runtime,
            Arc::clone(&self.version.guest),
            request,
            self.budget,
            usage,
            permit,
        )
        .await
        .map_err(|failure| {
            let inside = failure.internal.unwrap_or_default();
            format!("{name}: {} {}", failure.message, first_lines(&inside))
        })?;
        let status = response.status();
        let body = Limited::new(response.into_body(), ANSWER_BYTES);
        let bytes = body
            .collect()
            .await
            .map_err(|error| format!("{name}: its answer broke off: {error}"))?
            .to_bytes();
        supervisor
            .await
            .map_err(|failure| format!("{name}: it failed after its answer: {}", failure.message))?;
        Ok((status, bytes))
    }

    /// Asks for an operation and reads the result in the success envelope.
    async fn data<T: DeserializeOwned>(&self, operation: &Operation, content: Option<Content>) -> Result<T, String> {
        let bytes = self.ask(operation, content).await?;
        let envelope: Success<T> = serde_json::from_slice(&bytes)
            .map_err(|error| format!("{}: the answer is not the contract's: {error}", operation.path))?;
        if envelope.success {
            Ok(envelope.data)
        } else {
            Err(format!("{}: `success` is not true", operation.path))
        }
    }
}

/// Enough of what a sandbox left behind: backtraces are long.
fn first_lines(text: &str) -> String {
    let beginning: Vec<_> = text.lines().take(3).collect();
    beginning.join(" / ").chars().take(300).collect()
}
