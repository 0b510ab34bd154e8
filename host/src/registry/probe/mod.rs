//! The probe: a version answers the requests in its capability's definition before it answers anybody else's.

mod answer;
mod contract;
mod sound;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, header};
use http_body_util::{BodyExt, Limited};
use quartet_api::{BASE_PATH, REQUEST_ID_HEADER};
use tokio::sync::Semaphore;

use super::refusal::{self, Refusal};
use crate::body::ReadBody;
use crate::capabilities::probe::Step;
use crate::config::Limits;
use crate::runtime::Runtime;
use crate::runtime::run::{self, Budget, Metering};
use crate::version::Version;

/// Size of the largest answer to a probe, in bytes.
const MAX_ANSWER_BYTES: usize = 16 * 1024 * 1024;

/// A version under probe, and the bounds of its requests.
pub(super) struct Probe<'a> {
    pub runtime: &'a Runtime,
    pub version: &'a Arc<Version>,
    pub budget: Budget,
    /// True if the requests are for the language model to read their prompts.
    pub for_model: bool,
}

/// Asks a version its capability's requests: under the limits of every request, but with one `clock` for all of them
/// together, and outside the places of requests, so that a full service can be given a better version.
pub async fn run(runtime: &Runtime, version: &Arc<Version>, limits: &Limits, clock: Duration) -> Result<(), Refusal> {
    let probe = Probe {
        runtime,
        version,
        budget: Budget {
            fuel: runtime.fuel(limits.respond_fuel, limits.respond_seconds),
            // The clock of all of them is over first.
            head: clock * 2,
            total: clock * 2,
        },
        for_model: false,
    };
    let asked = async {
        for step in &version.capability.probe {
            probe.take(step).await?;
        }
        Ok::<_, String>(())
    };
    match tokio::time::timeout(clock, asked).await {
        Ok(result) => result.map_err(|reason| refusal::Step::Probe.refuses(reason)),
        Err(_) => Err(late(clock)),
    }
}

fn late(clock: Duration) -> Refusal {
    let reason = format!("it did not answer within the {} seconds allowed", clock.as_secs());
    Refusal {
        is_late: true,
        ..refusal::Step::Probe.refuses(reason)
    }
}

impl Probe<'_> {
    /// Takes one step. The error is a reason for the operator.
    pub async fn take(&self, step: &Step) -> Result<(), String> {
        if !self.computes(&step.graphs) {
            return Ok(());
        }
        let path = self.path(step);
        let taken = match self.send(step).await {
            Ok(answer) => {
                let (head, bytes) = answer.into_parts();
                answer::check(&step.expected, &path, head.status, &head.headers, &bytes)
            }
            Err(reason) => Err(reason),
        };
        taken.map_err(|reason| format!("{path}: {reason}"))
    }

    /// Returns true if the version has the host compute these graphs, and they are there.
    fn computes(&self, graphs: &[String]) -> bool {
        let missing = self.runtime.inference.missing();
        let mut graphs = graphs.iter();
        graphs.all(|graph| self.version.guest.graphs.contains(graph) && !missing.contains(graph))
    }

    fn path(&self, step: &Step) -> String {
        format!("{BASE_PATH}/{}{}", self.version.capability.name(), step.path)
    }

    /// Makes the request of a step. The error is a reason for the operator.
    async fn send(&self, step: &Step) -> Result<Response<Bytes>, String> {
        let mut request = Request::builder()
            .method(&step.method)
            .uri(self.path(step))
            .header(header::HOST, "localhost")
            .header(REQUEST_ID_HEADER, "probe");
        for (name, value) in &step.headers {
            request = request.header(name, value);
        }
        let body = ReadBody::from(Bytes::from(step.body.clone()));
        let mut request = request.body(body).map_err(|error| error.to_string())?;
        if self.for_model {
            request.extensions_mut().insert(run::ForModel);
        }
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
            Metering::default(),
            permit,
        )
        .await
        .map_err(|failure| {
            let inside = failure.internal.unwrap_or_default();
            format!("{} {}", failure.message, first_lines(&inside))
        })?;
        let (head, body) = response.into_parts();
        let body = Limited::new(body, MAX_ANSWER_BYTES);
        let bytes = body
            .collect()
            .await
            .map_err(|error| format!("its answer broke off: {error}"))?
            .to_bytes();
        supervisor
            .await
            .map_err(|failure| format!("it failed after its answer: {}", failure.message))?;
        Ok(Response::from_parts(head, bytes))
    }
}

/// Enough of what a sandbox left behind: backtraces are long.
fn first_lines(text: &str) -> String {
    let beginning: Vec<_> = text.lines().take(3).collect();
    beginning.join(" / ").chars().take(300).collect()
}
