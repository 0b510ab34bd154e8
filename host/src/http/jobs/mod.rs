//! Jobs: a request with `Prefer: respond-async` (RFC 7240) is answered at once with 202 and the address of a job, which waits
//! longer for a place to run than a client would, and whose answer is kept until it is asked for.
//!
//! A preference was taken over paths of their own because it goes with every operation as it is: the same request, with
//! one header more, and a service that knows none of it answers as it always did.

mod job;
mod table;
mod work;

use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::stream;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body::{Body, Frame};
use http_body_util::{BodyExt, Full, StreamBody};
use quartet_api::jobs::{JobPart, JobPath, MAX_WAIT_SECONDS, PATH, PREFER_HEADER, RESPOND_ASYNC};
use quartet_api::{Code, Success};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use self::job::Status;
pub use self::job::{Answer, End, Job, Owner};
use self::table::Table;
use self::work::Work;
pub use self::work::Worker;
use crate::auth::Caller;
use crate::body::ResponseBody;
use crate::capabilities::operation::Operation;
use crate::config::Limits;
use crate::failure::Failure;
use crate::http::operate::Operator;
use crate::http::patience::Patience;

/// Least time between two events of one job.
const EVENT_PAUSE: Duration = Duration::from_millis(250);

/// The jobs of a service.
pub struct Jobs {
    table: Arc<Table>,
    kept: Duration,
    closing: watch::Sender<bool>,
}

impl Jobs {
    /// No jobs yet.
    pub fn new(limits: &Limits) -> Self {
        Self {
            table: Arc::new(Table::new(limits)),
            kept: limits.kept_seconds,
            closing: watch::Sender::new(false),
        }
    }

    /// Ends the jobs that wait for a place to run, because the service shuts down. Those that run may end.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Jobs that wait or run.
    pub fn at_work(&self) -> usize {
        self.table.at_work()
    }

    /// Bytes of the answers that are kept, and how many there may be.
    pub fn bytes(&self) -> (usize, usize) {
        self.table.bytes()
    }

    /// Begins a job for a request, and answers with its address.
    ///
    /// # Errors
    /// When the client has too many at work, its body cannot be read, or the service shuts down.
    pub async fn begin<B>(
        &self,
        operator: &Arc<Operator>,
        operation: Arc<Operation>,
        request: Request<B>,
        request_id: &Arc<str>,
        caller: &Caller,
    ) -> Result<Response<ResponseBody>, Failure>
    where
        B: Body<Data = Bytes> + Send + Unpin + 'static,
    {
        self.check()?;
        operator.choose(&operation)?;
        let (mut parts, body) = request.into_parts();
        let body = operator.intake.read(caller.client, body).await?;
        parts.headers.remove(PREFER_HEADER);
        let (operator, request_id, caller) = (Arc::clone(operator), Arc::clone(request_id), caller.clone());
        let job = Job::new(
            Arc::clone(&operation.name),
            Owner::new(&caller, &parts.headers),
            Arc::clone(&request_id),
        );
        let job = self.start(job, move |worker| {
            let work = Work {
                operator,
                operation,
                request_id,
                caller,
                worker,
            };
            work.run(Request::from_parts(parts, body))
        })?;
        let mut response = describe(&job);
        *response.status_mut() = StatusCode::ACCEPTED;
        let headers = response.headers_mut();
        if let Ok(location) = HeaderValue::try_from(format!("{PATH}/{}", job.id)) {
            headers.insert(header::LOCATION, location);
        }
        headers.insert(
            HeaderName::from_static("preference-applied"),
            HeaderValue::from_static(RESPOND_ASYNC),
        );
        Ok(response)
    }

    /// Checks that jobs may begin.
    ///
    /// # Errors
    /// When the service shuts down.
    pub fn check(&self) -> Result<(), Failure> {
        match *self.closing.borrow() {
            true => Err(Failure::new(Code::Unavailable, "the service is shutting down")),
            false => Ok(()),
        }
    }

    /// Begins a job whose work is more than one request to an operation.
    ///
    /// # Errors
    /// When the client has too many at work.
    pub fn start<F>(&self, job: Job, work: impl FnOnce(Worker) -> F) -> Result<Arc<Job>, Failure>
    where
        F: Future<Output = Result<Answer, Failure>> + Send + 'static,
    {
        let job = Arc::new(job);
        self.table.add(&job)?;
        let running = Arc::clone(&job);
        let work = work(Worker {
            job: Arc::clone(&job),
            table: Arc::clone(&self.table),
            patience: Patience::new(self.closing.subscribe(), move || running.runs()),
        });
        let (worked, table, kept) = (Arc::clone(&job), Arc::clone(&self.table), self.kept);
        let task = tokio::spawn(async move {
            worked.ends(match work.await {
                Ok(answer) => End::Answered(Arc::new(answer)),
                Err(failure) => End::Failed(failure),
            });
            sleep(kept).await;
            table.forget(&worked.id);
        });
        job.is_done_by(task.abort_handle());
        Ok(job)
    }

    /// The job of a caller with an id, if there is one.
    pub fn find(&self, id: &str, headers: &HeaderMap, caller: &Caller) -> Option<Arc<Job>> {
        self.table.find(id).filter(|job| job.owner.is(caller, headers))
    }

    /// The place of a job among those of its client that wait, from 1; none where it does not wait.
    pub fn position(&self, job: &Job) -> Option<usize> {
        self.table.position(job)
    }

    /// Answers a question about a job.
    ///
    /// # Errors
    /// When there is no such job of this client, or it has no answer yet.
    pub async fn answer(
        &self,
        method: &Method,
        path: &JobPath,
        query: Option<&str>,
        headers: &HeaderMap,
        caller: &Caller,
    ) -> Result<Response<ResponseBody>, Failure> {
        let takes = match path.part {
            JobPart::Job => "GET, DELETE",
            JobPart::Result | JobPart::Events => "GET",
        };
        // Before the job is looked for: this is so of every one.
        if !takes.split(", ").any(|taken| taken == method.as_str()) {
            let mut failure = Failure::new(Code::MethodNotAllowed, format!("this path takes {takes} only"));
            failure.allow = Some(takes);
            return Err(failure);
        }
        let job = self
            .find(&path.id, headers, caller)
            .ok_or_else(|| Failure::new(Code::NotFound, "no job of this client has this id, or it was forgotten"))?;
        match path.part {
            JobPart::Job if *method == Method::DELETE => {
                self.table.forget(&job.id);
                Ok(describe(&job))
            }
            JobPart::Job => {
                wait(&job, seconds(query)?).await;
                Ok(describe(&job))
            }
            JobPart::Result => match job.status().end {
                // With the id of this request, as every failure.
                Some(End::Answered(answer)) => answer.failure().map_or_else(|| Ok(answer.respond()), Err),
                Some(End::Failed(failure)) => Err(failure),
                None => Err(Failure::new(
                    Code::Conflict,
                    "the job has no answer yet; its address says how far it is",
                )),
            },
            JobPart::Events => Ok(events(&job)),
        }
    }
}

/// True if a request asks for a job. A preference may be one of several, with parameters.
pub fn wanted(headers: &HeaderMap) -> bool {
    let values = headers.get_all(PREFER_HEADER).into_iter();
    let mut preferences = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    preferences.any(|preference| {
        let name = preference.split([';', '=']).next().unwrap_or_default();
        name.trim().eq_ignore_ascii_case(RESPOND_ASYNC)
    })
}

/// The time that a question wants to wait.
fn seconds(query: Option<&str>) -> Result<Duration, Failure> {
    let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let Some((_, value)) = pairs.into_iter().find(|(name, _)| name == "wait") else {
        return Ok(Duration::ZERO);
    };
    let seconds = value.parse().ok().filter(|seconds| *seconds <= MAX_WAIT_SECONDS);
    seconds
        .map(Duration::from_secs)
        .ok_or_else(|| Failure::field("wait", format!("takes seconds from 0 to {MAX_WAIT_SECONDS}")))
}

/// Waits for the end of a job, for so long at most.
pub async fn wait(job: &Job, patience: Duration) {
    let mut status = job.watch();
    let _ = timeout(patience, status.wait_for(|status| status.state.is_final())).await;
}

fn describe(job: &Job) -> Response<ResponseBody> {
    let json = serde_json::to_vec(&Success::new(job.describe())).unwrap_or_default();
    let body = Full::new(Bytes::from(json)).map_err(|never| match never {});
    with_type("application/json", body.boxed_unsync())
}

fn with_type(media_type: &'static str, body: ResponseBody) -> Response<ResponseBody> {
    let mut response = Response::new(body);
    let media_type = HeaderValue::from_static(media_type);
    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    response
}

/// The job's changes as events, the last of which is its end; and the text of each page of a document once it is read.
fn events(job: &Arc<Job>) -> Response<ResponseBody> {
    struct Watched {
        job: Arc<Job>,
        changes: watch::Receiver<Status>,
        begun: bool,
        ended: bool,
        pages: usize,
    }
    let watched = Watched {
        changes: job.watch(),
        job: Arc::clone(job),
        begun: false,
        ended: false,
        pages: 0,
    };
    let events = stream::unfold(watched, |mut watched| async move {
        if watched.ended {
            return None;
        }
        if watched.begun {
            // Comments between keep the connection alive, as in every stream of events.
            if watched.changes.changed().await.is_err() {
                return None;
            }
            sleep(EVENT_PAUSE).await;
        }
        watched.begun = true;
        watched.ended = watched.changes.borrow_and_update().state.is_final();
        let mut events = BytesMut::new();
        let pages = watched.job.pages_after(watched.pages);
        watched.pages += pages.len();
        for page in pages {
            event(&mut events, "page", &page);
        }
        let job = serde_json::to_vec(&watched.job.describe()).unwrap_or_default();
        event(&mut events, if watched.ended { "done" } else { "progress" }, &job);
        Some((Ok(Frame::data(events.freeze())), watched))
    });
    with_type("text/event-stream", StreamBody::new(events).boxed_unsync())
}

fn event(events: &mut BytesMut, name: &str, json: &[u8]) {
    for part in [b"event: ", name.as_bytes(), b"\ndata: ", json, b"\n\n"] {
        events.extend_from_slice(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_asked_for_by_a_preference() {
        let asks = |values: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(PREFER_HEADER, HeaderValue::from_static(value));
            }
            wanted(&headers)
        };
        for values in [
            &["respond-async"][..],
            &["Respond-Async, wait=10"],
            &["return=minimal", "handling=lenient, respond-async;x"],
        ] {
            assert!(asks(values), "{values:?}");
        }
        for values in [&[][..], &["return=minimal"], &["respond-asynchronously"], &["wait=10"]] {
            assert!(!asks(values), "{values:?}");
        }
    }

    #[test]
    fn a_question_waits_for_a_while_at_most() {
        assert_eq!(seconds(None).unwrap(), Duration::ZERO);
        assert_eq!(seconds(Some("a=b&wait=25")).unwrap(), Duration::from_secs(25));
        for query in ["wait=26", "wait=-1", "wait=", "wait=a"] {
            assert_eq!(seconds(Some(query)).unwrap_err().wrong_field(), Some("wait"), "{query}");
        }
    }

    #[tokio::test]
    async fn events_end_with_the_job() {
        let caller = crate::auth::Clients::default().identify(
            &HeaderMap::new(),
            std::net::Ipv4Addr::LOCALHOST.into(),
            &http::uri::Scheme::HTTP,
        );
        let job = Arc::new(Job::new(
            "chat".into(),
            Owner::new(&caller, &HeaderMap::new()),
            "r".into(),
        ));
        let told = events(&job).into_body().collect();
        let ends = async {
            tokio::task::yield_now().await;
            job.ends(End::Failed(Failure::new(Code::Busy, "full")));
        };
        let (told, ()) = tokio::join!(told, ends);
        let text = String::from_utf8(told.unwrap().to_bytes().to_vec()).unwrap();
        assert!(text.starts_with("event: progress\ndata: {"), "{text}");
        assert!(
            text.contains("event: done\ndata: {") && text.contains("\"code\":\"busy\""),
            "{text}"
        );
    }
}
