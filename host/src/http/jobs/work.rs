//! The work of a job: one request to an operation, run as a client's own would be, with more patience.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::BodyExt;
use quartet_api::chat::ChatToken;
use quartet_api::jobs::JobProgress;
use quartet_api::operations::{Answer as Answers, EVENT_STREAM};
use quartet_api::pdf::{Progress, Stage};
use quartet_api::{COMPONENT_HEADER, Code, FailureBody};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::job::{Answer, End, Job};
use super::table::Table;
use crate::admission::Permit;
use crate::auth::Caller;
use crate::body::{ReadBody, ResponseBody};
use crate::capabilities::operation::Operation;
use crate::failure::Failure;
use crate::http::doors::events::{Event, Events};
use crate::http::operate::Operator;
use crate::telemetry::guard::AccessGuard;

/// Longest time for which a job waits for a place to run.
const PATIENCE: Duration = Duration::from_secs(900);

/// Pause before a job that found no place tries again, where nothing better is known.
const PAUSE: Duration = Duration::from_secs(2);

/// Everything that it takes to do the work of a job.
pub struct Work {
    /// Runs operations.
    pub operator: Arc<Operator>,
    /// All jobs.
    pub table: Arc<Table>,
    /// The job.
    pub job: Arc<Job>,
    /// Its operation.
    pub operation: Arc<Operation>,
    /// The id of the request that asked for it.
    pub request_id: Arc<str>,
    /// The caller who did.
    pub caller: Caller,
    /// True once the service shuts down.
    pub closing: watch::Receiver<bool>,
}

impl Work {
    /// Does it.
    pub async fn run(mut self, mut request: Request<ReadBody>) {
        // Events have more time than a whole answer, and tell how far it is.
        if self.operation.answer == Answers::Events {
            let events = HeaderValue::from_static(EVENT_STREAM);
            request.headers_mut().insert(header::ACCEPT, events);
        }
        let end = match self.answer(request).await {
            Ok(answer) => End::Answered(Arc::new(answer)),
            Err(failure) => End::Failed(failure),
        };
        self.job.ends(end);
    }

    async fn answer(&mut self, request: Request<ReadBody>) -> Result<Answer, Failure> {
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
        let permit = self.enter(&request, access).await?;
        self.job.runs();
        let chosen = self.operator.choose(&self.operation)?;
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

    /// Waits for a place to run, longer than a client does.
    async fn enter(&mut self, request: &Request<ReadBody>, access: &mut AccessGuard) -> Result<Permit, Failure> {
        let closes = || Failure::new(Code::Unavailable, "the service shut down before the job ran");
        let begun = Instant::now();
        loop {
            if *self.closing.borrow() {
                return Err(closes());
            }
            let entering = self.operator.enter(&self.operation, request, &self.caller, access);
            let failure = match entering.await {
                Err(failure) if failure.code == Code::Busy && begun.elapsed() < PATIENCE => failure,
                entered => return entered,
            };
            let pause = failure.retry_after.map_or(PAUSE, Duration::from_secs);
            // Whatever changes meanwhile is seen above.
            let _ = timeout(pause, self.closing.changed()).await;
        }
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
        self.table.check(length.unwrap_or(0))?;
        let (mut whole, mut written) = (BytesMut::new(), Written::default());
        while let Some(frame) = body.frame().await {
            let frame =
                frame.map_err(|error| Failure::internal(format!("the component gave its answer up: {error}")))?;
            let Ok(piece) = frame.into_data() else { continue };
            self.table.grow(&self.job, piece.len())?;
            if is_events {
                for told in written.push(&piece).map_err(Failure::internal)? {
                    match told {
                        Told::Page(page) => self.job.has_page(page),
                        Told::Pages { stage, done, total } => self.progresses(done, Some(total), "pages", Some(stage)),
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
        self.job.progresses(JobProgress {
            done,
            total,
            unit: unit.to_owned(),
            stage,
        });
    }
}

/// An answer in events, put together again.
#[derive(Default)]
struct Written {
    events: Events,
    characters: u64,
    end: Option<(StatusCode, Bytes)>,
}

/// News of an answer that is on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Told {
    /// Characters that are written.
    Characters(u64),
    /// Pages that are done in a step.
    Pages { stage: Stage, done: u64, total: u64 },
    /// The text of a page, in JSON.
    Page(Bytes),
}

impl Written {
    /// Takes a piece of the events, and returns what they tell.
    fn push(&mut self, piece: &[u8]) -> Result<Vec<Told>, String> {
        let mut told = Vec::new();
        for Event { name, data } in self.events.push(piece)? {
            let wrong = |error: serde_json::Error| format!("an event is not the contract's: {error}");
            match name.as_str() {
                "token" => {
                    let token: ChatToken = serde_json::from_str(&data).map_err(wrong)?;
                    self.characters += token.text.chars().count() as u64;
                    told.push(Told::Characters(self.characters));
                }
                "page" => told.push(Told::Page(data.into())),
                "progress" => {
                    let Progress { stage, done, total } = serde_json::from_str(&data).map_err(wrong)?;
                    if let Some((done, total)) = done.zip(total) {
                        let (done, total) = (done as u64, total as u64);
                        told.push(Told::Pages { stage, done, total });
                    }
                }
                "done" => self.end = Some((StatusCode::OK, data.into())),
                "error" => {
                    let failure: FailureBody = serde_json::from_str(&data).map_err(wrong)?;
                    let status = Code::from_word(&failure.code).map_or(500, Code::status);
                    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                    self.end = Some((status, data.into()));
                }
                _ => {}
            }
        }
        Ok(told)
    }

    fn end(self) -> Result<(StatusCode, Bytes), String> {
        self.end.ok_or_else(|| "the answer's events have no end".to_owned())
    }
}

/// Forgets a job that is over after a while.
pub async fn forget_later(table: Arc<Table>, id: String, kept: Duration) {
    sleep(kept).await;
    table.forget(&id);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Result<(StatusCode, Bytes, u64), String> {
        let mut written = Written::default();
        for piece in text.as_bytes().chunks(7) {
            written.push(piece)?;
        }
        let characters = written.characters;
        written.end().map(|(status, body)| (status, body, characters))
    }

    #[test]
    fn events_become_the_answer_that_they_end_with() {
        let (status, body, characters) =
            written("event: token\ndata: {\"text\":\"Gr\u{fc}n\"}\n\nevent: done\ndata: {\"success\":true}\n\n")
                .unwrap();
        assert_eq!(
            (status, &body[..], characters),
            (StatusCode::OK, &b"{\"success\":true}"[..], 4)
        );
        let failure = r#"{"success":false,"error":"no model","code":"unavailable"}"#;
        let (status, body, _) = written(&format!("event: error\ndata: {failure}\n\n")).unwrap();
        assert_eq!(
            (status, &body[..]),
            (StatusCode::SERVICE_UNAVAILABLE, failure.as_bytes())
        );
        assert!(written("event: token\ndata: {\"text\":\"a\"}\n\n").is_err());
    }

    #[test]
    fn events_of_a_document_tell_of_its_pages() {
        let page = r#"{"page":2,"text":"Gr\u00fcn","source":"ocr"}"#;
        let events = format!(
            "event: progress\ndata: {{\"stage\":\"recognising\",\"done\":1,\"total\":3}}\n\nevent: page\ndata: {page}\n\n\
             event: progress\ndata: {{\"stage\":\"searching\"}}\n\n"
        );
        let pages = Told::Pages {
            stage: Stage::Recognising,
            done: 1,
            total: 3,
        };
        let told = Written::default().push(events.as_bytes());
        assert_eq!(told, Ok(vec![pages, Told::Page(page.into())]));
    }
}
