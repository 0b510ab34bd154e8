//! Jobs: a request with `Prefer: respond-async` (RFC 7240) is answered at once with 202 and the address of a job, which waits
//! longer for a place to run than a client would, and whose answer is kept until it is asked for.
//!
//! A preference was taken over paths of their own because it goes with every operation as it is: the same request, with
//! one header more, and a service that knows none of it answers as it always did.
//!
//! Where replicas share their state, a job is in their store, too ([`store`]): any of them tells of it, and another goes on
//! with it when the one that works on it is gone.

mod job;
mod keeper;
mod record;
mod request;
mod store;
mod table;
mod told;
mod work;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use quartet_api::Code;
use quartet_api::jobs::{JobPart, JobPath, PATH, PREFER_HEADER, RESPOND_ASYNC};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

pub use self::job::{Answer, End, Job, Owner};
use self::job::{Content, Status};
use self::keeper::{Keeper, Lost};
pub use self::request::{Asked, KeptRequest};
use self::store::JobStore;
pub use self::store::Taken;
use self::table::Table;
use self::told::{describe, events, unknown};
use self::work::Work;
pub use self::work::Worker;
use crate::auth::Caller;
use crate::body::{ReadBody, ResponseBody};
use crate::capabilities::operation::Operation;
use crate::config::{Limits, Unavailable};
use crate::failure::Failure;
use crate::http::operate::Operator;
use crate::http::patience::Patience;
use crate::http::waiting;
use crate::shared::SharedState;

/// Time for giving jobs to other replicas.
const LEAVE_TIMEOUT: Duration = Duration::from_secs(2);

/// Pause between two looks whether they are given.
const LEAVE_LOOK: Duration = Duration::from_millis(20);

/// A job that begins, and who keeps it where the replicas share their state.
pub struct Kept {
    job: Arc<Job>,
    keeper: Option<Keeper>,
    /// The table, until its work begins.
    table: Option<Arc<Table>>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(table) = &self.table {
            table.remove(&self.job.id);
        }
    }
}

impl Kept {
    /// The job.
    pub fn job(&self) -> &Job {
        &self.job
    }
}

/// The jobs of a service.
pub struct Jobs {
    table: Arc<Table>,
    kept: Duration,
    of_client: usize,
    closing: watch::Sender<bool>,
    leaving: watch::Sender<bool>,
    store: Option<Arc<JobStore>>,
}

impl Jobs {
    /// No jobs yet.
    pub fn new(limits: &Limits) -> Self {
        Self {
            table: Arc::new(Table::new(limits)),
            kept: limits.kept_seconds,
            of_client: limits.client_jobs,
            closing: watch::Sender::new(false),
            leaving: watch::Sender::new(false),
            store: None,
        }
    }

    /// The same jobs, which other replicas know of.
    #[must_use]
    pub fn with_shared(self, shared: Option<Arc<SharedState>>, unavailable: Unavailable) -> Self {
        let store = shared.map(|shared| Arc::new(JobStore::new(shared, unavailable, self.of_client, self.kept)));
        Self { store, ..self }
    }

    /// Gives those that are at work here to other replicas, because the process ends.
    pub async fn leave(&self) {
        self.leaving.send_replace(true);
        let given = async {
            while self.store.is_some() && self.at_work() > 0 {
                sleep(LEAVE_LOOK).await;
            }
        };
        // What is not given is taken after a while.
        let _ = timeout(LEAVE_TIMEOUT, given).await;
    }

    /// Takes a job that no replica works on any more; none where there is none, or the service shuts down.
    pub async fn take(&self) -> Option<Taken> {
        let store = self.store.as_ref().filter(|_| self.check().is_ok())?;
        store.take().await.ok().flatten()
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
        operator.choose(&operation, caller, request.headers())?;
        let (mut parts, body) = request.into_parts();
        let (body, counted) = operator.intake.read(caller.client, body).await?.into_counted();
        parts.headers.remove(PREFER_HEADER);
        let job = Job::new(
            Arc::clone(&operation.name),
            Owner::new(caller, &parts.headers),
            Arc::clone(request_id),
        );
        let asked = Asked {
            method: &parts.method,
            uri: &parts.uri,
            headers: &parts.headers,
            caller,
            body: &body,
        };
        let kept = self.keep(job, &asked).await?;
        let body = ReadBody::new(
            Some(body).filter(|body| !body.is_empty()).into_iter().collect(),
            counted,
        );
        let job = self.run(
            kept,
            operator,
            operation,
            Request::from_parts(parts, body),
            request_id,
            caller,
        );
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

    /// Takes a new job in, and has the store of the replicas know of it and of the request that asked for it.
    ///
    /// # Errors
    /// When the client has too many at work, or what cannot be kept is to be refused.
    pub async fn keep(&self, job: Job, asked: &Asked<'_>) -> Result<Kept, Failure> {
        let job = Arc::new(job);
        self.table.add(&job)?;
        // Whoever asks may leave before the store has answered.
        let mut kept = Kept {
            job,
            keeper: None,
            table: Some(Arc::clone(&self.table)),
        };
        if let Some(store) = &self.store {
            kept.keeper = Some(store.begin(&kept.job, asked).await?);
        }
        Ok(kept)
    }

    /// Takes a job in that another replica worked on, with the request that asked for it.
    ///
    /// # Errors
    /// When there are as many jobs as can be.
    pub async fn adopt(&self, taken: Taken) -> Result<(Kept, KeptRequest), Failure> {
        let Taken {
            job,
            mut keeper,
            request,
        } = taken;
        if let Err(failure) = self.table.adopt(&job) {
            keeper.release().await;
            return Err(failure);
        }
        keeper.goes_on();
        let kept = Kept {
            job,
            keeper: Some(keeper),
            table: Some(Arc::clone(&self.table)),
        };
        Ok((kept, request))
    }

    /// Begins the work of a job that is one request to an operation.
    pub fn run(
        &self,
        kept: Kept,
        operator: &Arc<Operator>,
        operation: Arc<Operation>,
        request: Request<ReadBody>,
        request_id: &Arc<str>,
        caller: &Caller,
    ) -> Arc<Job> {
        let (operator, request_id, caller) = (Arc::clone(operator), Arc::clone(request_id), caller.clone());
        self.start(kept, move |worker| {
            let work = Work {
                operator,
                operation,
                request_id,
                caller,
                worker,
            };
            work.run(request)
        })
    }

    /// Begins the work of a job, whatever it is.
    pub fn start<F>(&self, mut kept: Kept, work: impl FnOnce(Worker) -> F) -> Arc<Job>
    where
        F: Future<Output = Result<Answer, Failure>> + Send + 'static,
    {
        kept.table = None;
        let (job, keeper) = (Arc::clone(&kept.job), kept.keeper.take());
        let running = Arc::clone(&job);
        let work = work(Worker {
            job: Arc::clone(&job),
            table: Arc::clone(&self.table),
            patience: Patience::new(self.closing.subscribe(), move || running.runs()),
        });
        let (worked, table, kept) = (Arc::clone(&job), Arc::clone(&self.table), self.kept);
        let (closing, leaving) = (self.closing.subscribe(), self.leaving.subscribe());
        let store = self.store.clone();
        let task = tokio::spawn(async move {
            let end = |answered| match answered {
                Ok(answer) => End::Answered(Arc::new(answer)),
                Err(failure) => End::Failed(failure),
            };
            let Some((mut keeper, store)) = keeper.zip(store) else {
                worked.ends(end(work.await));
                sleep(kept).await;
                table.forget(&worked.id);
                return;
            };
            let lost = tokio::select! {
                answered = work => {
                    if answered.is_err() && worked.waits() && *closing.borrow() && keeper.can_go_on() {
                        keeper.release().await;
                        Some(Lost::Left)
                    } else {
                        keeper.finish(end(answered)).await
                    }
                }
                lost = keeper.hold(leaving) => Some(lost),
            };
            // From now on the store tells of it.
            table.remove(&worked.id);
            match lost {
                None => {}
                Some(Lost::Left) => worked.leaves(),
                Some(Lost::Taken) => store.follow(&worked),
                Some(Lost::Forgotten) => worked.cancel(),
            }
        });
        job.is_done_by(task.abort_handle());
        job
    }

    /// The job of a caller with an id, if there is one.
    ///
    /// # Errors
    /// When the store of the replicas does not answer, and nothing is to be answered without it.
    pub async fn find(&self, id: &str, headers: &HeaderMap, caller: &Caller) -> Result<Option<Arc<Job>>, Failure> {
        let job = match (self.table.find(id), &self.store) {
            (None, Some(store)) => store.find(id).await?,
            (here, _) => here,
        };
        Ok(job.filter(|job| job.owner.is(caller, headers)))
    }

    /// Waits for the end of a job, for so long at most.
    pub async fn wait(&self, job: &Arc<Job>, patience: Duration) {
        if patience.is_zero() {
            return;
        }
        self.follow(job);
        let mut status = job.watch();
        let over = |status: &Status| status.state.is_final() || status.left;
        let _ = timeout(patience, status.wait_for(over)).await;
    }

    /// Looks at a job that another replica works on.
    fn follow(&self, job: &Arc<Job>) {
        if let Some(store) = self.store.as_ref().filter(|_| self.table.find(&job.id).is_none()) {
            store.follow(job);
        }
    }

    /// The response with the answer of a job.
    ///
    /// # Errors
    /// When the store of the replicas does not answer, or no longer has it.
    pub async fn respond(&self, job: &Job, answer: &Answer) -> Result<Response<ResponseBody>, Failure> {
        match (&answer.body, &self.store) {
            (Content::Here(body), _) => {
                let body = Full::new(body.clone()).map_err(|never| match never {});
                Ok(answer.respond(body.boxed_unsync()))
            }
            (Content::Kept(part), Some(store)) => store.respond(job, answer, part).await,
            (Content::Kept(_), None) => Err(unknown()),
        }
    }

    /// Takes a job back, or forgets it with its answer.
    async fn forget(&self, job: &Job) -> Result<(), Failure> {
        if let Some(store) = self.store.as_ref().filter(|_| job.is_kept()) {
            store.forget(job).await?;
        }
        self.table.forget(&job.id);
        job.cancel();
        Ok(())
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
        let job = self.find(&path.id, headers, caller).await?.ok_or_else(unknown)?;
        match path.part {
            JobPart::Job if *method == Method::DELETE => {
                self.forget(&job).await?;
                Ok(describe(&job))
            }
            JobPart::Job => {
                self.wait(&job, waiting::whole_seconds(query)?).await;
                Ok(describe(&job))
            }
            JobPart::Result => match job.status().end {
                // With the id of this request, as every failure.
                Some(End::Answered(answer)) => match answer.failure() {
                    Some(failure) => Err(failure),
                    None => self.respond(&job, &answer).await,
                },
                Some(End::Failed(failure)) => Err(failure),
                None => Err(Failure::new(
                    Code::Conflict,
                    "the job has no answer yet; its address says how far it is",
                )),
            },
            JobPart::Events => {
                match &self.store {
                    Some(store) if job.is_over() && self.table.find(&job.id).is_none() => {
                        store.show_pages(&job).await?
                    }
                    _ => self.follow(&job),
                }
                Ok(events(&job))
            }
        }
    }
}
