//! The work of a job: one request to an operation, run as a client's own would be, with more patience.

use std::sync::Arc;
use std::time::Instant;

use bytes::BytesMut;
use http::{HeaderValue, Request, Response, header};
use http_body_util::BodyExt;
use quartet_api::COMPONENT_HEADER;
use quartet_api::jobs::JobProgress;
use quartet_api::operations::{Answer as Answers, EVENT_STREAM};
use quartet_api::progress::Stage;

use super::job::{Answer, Job};
use super::table::Table;
use crate::auth::Caller;
use crate::body::{ReadBody, ResponseBody};
use crate::capabilities::operation::Operation;
use crate::failure::Failure;
use crate::http::operate::Operator;
use crate::http::patience::Patience;
use crate::http::written::{Told, Written};
use crate::telemetry::guard::AccessGuard;

/// The means of work that is done for a job.
pub struct Worker {
    /// The job.
    pub job: Arc<Job>,
    /// All jobs.
    pub table: Arc<Table>,
    /// Waits for a place to run.
    pub patience: Patience,
}

impl Worker {
    /// Counts more bytes for the answer.
    ///
    /// # Errors
    /// When there is no room for so large an answer.
    pub fn grow(&self, bytes: usize) -> Result<(), Failure> {
        self.table.grow(&self.job, bytes)
    }
}

/// Everything that it takes to have an operation answer.
pub struct Work {
    /// Runs operations.
    pub operator: Arc<Operator>,
    /// The operation.
    pub operation: Arc<Operation>,
    /// The id of the request that asked for it.
    pub request_id: Arc<str>,
    /// The caller who did.
    pub caller: Caller,
    /// The job that it is done for.
    pub worker: Worker,
}

impl Work {
    /// Does it.
    ///
    /// # Errors
    /// When there is no answer of the operation.
    pub async fn run(mut self, mut request: Request<ReadBody>) -> Result<Answer, Failure> {
        // Events have more time than a whole answer, and tell how far it is.
        if self.operation.answer == Answers::Events {
            let events = HeaderValue::from_static(EVENT_STREAM);
            request.headers_mut().insert(header::ACCEPT, events);
        }
        let mut access = AccessGuard::new(
            Arc::clone(&self.operator.observer),
            Arc::clone(&self.request_id),
            &request,
            Arc::clone(&self.operation.name),
            &self.caller,
            Instant::now(),
        );
        match self.ask(request, &mut access).await {
            Ok(response) => {
                access.answered(response.status());
                let (parts, body) = response.into_parts();
                self.collect(Response::from_parts(parts, access.attach(body))).await
            }
            Err(failure) => {
                access.failed(&failure);
                Err(failure)
            }
        }
    }

    async fn ask(
        &mut self,
        request: Request<ReadBody>,
        access: &mut AccessGuard,
    ) -> Result<Response<ResponseBody>, Failure> {
        let (operator, operation, caller) = (&self.operator, &self.operation, &self.caller);
        let entering = self
            .worker
            .patience
            .enter(operator, operation, &request, caller, access);
        let permit = entering.await?;
        let chosen = self.operator.choose(&self.operation, &self.caller, request.headers())?;
        access.runs(Arc::clone(&self.operation), Arc::clone(&chosen.version));
        let version = HeaderValue::from_str(&chosen.version.name());
        let operation = Arc::clone(&self.operation);
        let (id, caller) = (&self.request_id, &self.caller);
        let running = self
            .operator
            .run(operation, chosen, permit, request, id, caller, access);
        let mut response = running.await?;
        if let Ok(version) = version {
            response.headers_mut().insert(COMPONENT_HEADER, version);
        }
        Ok(response)
    }

    async fn collect(&self, response: Response<ResponseBody>) -> Result<Answer, Failure> {
        let (mut parts, mut body) = response.into_parts();
        let is_events = parts
            .headers
            .get(header::CONTENT_TYPE)
            .is_some_and(|kind| kind == EVENT_STREAM);
        let length: Option<u64> = parts
            .headers
            .get(header::CONTENT_LENGTH)
            .and_then(|length| length.to_str().ok()?.parse().ok());
        let total = length.filter(|_| self.operation.answer == Answers::Stream);
        // Nothing is computed in vain where the size is known before.
        self.worker.table.check(length.unwrap_or(0))?;
        let (mut whole, mut written) = (BytesMut::new(), Written::default());
        while let Some(frame) = body.frame().await {
            let frame =
                frame.map_err(|error| Failure::internal(format!("the component gave its answer up: {error}")))?;
            let Ok(piece) = frame.into_data() else { continue };
            self.worker.grow(piece.len())?;
            if is_events {
                for told in written.push(&piece).map_err(Failure::internal)? {
                    match told {
                        Told::Page(page) => self.worker.job.has_page(page),
                        Told::Step { stage, done, total } => {
                            self.progresses(done, Some(total), stage.unit(), Some(stage));
                        }
                        Told::Characters(characters) => self.progresses(characters, None, "characters", None),
                    }
                }
            } else {
                whole.extend_from_slice(&piece);
                if total.is_some() {
                    self.progresses(whole.len() as u64, total, "bytes", None);
                }
            }
        }
        if !is_events {
            return Ok(Answer::new(parts.status, &parts.headers, whole.freeze()));
        }
        let (status, body) = written.end().map_err(Failure::internal)?;
        let json = HeaderValue::from_static("application/json");
        parts.headers.insert(header::CONTENT_TYPE, json);
        Ok(Answer::new(status, &parts.headers, body))
    }

    fn progresses(&self, done: u64, total: Option<u64>, unit: &str, stage: Option<Stage>) {
        self.worker.job.progresses(JobProgress {
            done,
            total,
            unit: unit.to_owned(),
            stage,
        });
    }
}
