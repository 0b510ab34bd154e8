//! One job: whose it is, how far it is, and its answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, Response, StatusCode, header};
use quartet_api::jobs::{self, JobFailure, JobProgress, JobState};
use quartet_api::session::SESSION_HEADER;
use quartet_api::tts::{ENGINE_HEADER, WARNINGS_HEADER};
use quartet_api::{COMPONENT_HEADER, Code, FailureBody};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::auth::{Caller, Client};
use crate::body::ResponseBody;
use crate::failure::Failure;
use crate::shared::JobPart;

/// Headers of an operation's answer that are kept with it.
const KEPT_HEADERS: [HeaderName; 7] = [
    header::CONTENT_TYPE,
    header::CONTENT_DISPOSITION,
    header::CONTENT_LANGUAGE,
    header::SET_COOKIE,
    HeaderName::from_static(ENGINE_HEADER),
    HeaderName::from_static(WARNINGS_HEADER),
    HeaderName::from_static(COMPONENT_HEADER),
];

/// Whose a job is, by the rule of uploads: nobody with another key, or who names another session, has a part in it; else
/// whoever knows its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    client: Client,
    session: Option<Vec<u8>>,
}

impl Owner {
    /// The owner of what a caller asks for with these headers.
    pub fn new(caller: &Caller, headers: &HeaderMap) -> Self {
        Self {
            client: caller.client,
            session: headers.get(SESSION_HEADER).map(|name| name.as_bytes().to_vec()),
        }
    }

    /// The owner of a job of this client, where a request for it named a session.
    pub fn of(client: Client, session: Option<Vec<u8>>) -> Self {
        Self { client, session }
    }

    /// The session that the request for it named.
    pub fn session(&self) -> Option<&[u8]> {
        self.session.as_deref()
    }

    /// The client that the job is counted for.
    pub fn client(&self) -> Client {
        self.client
    }

    /// True if a caller with these headers may know of the job.
    pub fn is(&self, caller: &Caller, headers: &HeaderMap) -> bool {
        let same_key = match (self.client, caller.client) {
            (Client::Key(own), Client::Key(other)) => own == other,
            (Client::Address(_), Client::Address(_)) => true,
            _ => false,
        };
        let named = headers.get(SESSION_HEADER).map(|name| name.as_bytes());
        same_key && (named.is_none() || named == self.session.as_deref())
    }
}

/// The body of an answer that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// It is here.
    Here(Bytes),
    /// It is in the store that replicas share.
    Kept(JobPart),
}

impl Content {
    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        match self {
            Self::Here(body) => body.len() as u64,
            Self::Kept(part) => part.bytes,
        }
    }
}

/// An answer that is kept.
#[derive(Debug)]
pub struct Answer {
    /// Its status.
    pub status: StatusCode,
    /// Those of its headers that say something about it.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Content,
}

impl Answer {
    /// An answer with what of its headers is kept.
    pub fn new(status: StatusCode, headers: &HeaderMap, body: Bytes) -> Self {
        let mut kept = HeaderMap::new();
        for name in &KEPT_HEADERS {
            for value in headers.get_all(name) {
                kept.append(name.clone(), value.clone());
            }
        }
        Self {
            status,
            headers: kept,
            body: Content::Here(body),
        }
    }

    /// The response with the answer, and this body.
    pub fn respond(&self, body: ResponseBody) -> Response<ResponseBody> {
        let mut response = Response::new(body);
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers.clone();
        response
    }

    /// The failure of the operation, where the answer is one.
    pub fn failure(&self) -> Option<Failure> {
        if self.status.is_success() {
            return None;
        }
        let told = match &self.body {
            Content::Here(body) => serde_json::from_slice::<FailureBody>(body).ok(),
            Content::Kept(_) => None,
        };
        let known = told.and_then(|told| Some(Failure::new(Code::from_word(&told.code)?, told.error)));
        let status = self.status;
        let unknown = || {
            Failure::new(
                Code::Internal,
                format!("the operation answered with the status {status}"),
            )
        };
        Some(known.unwrap_or_else(unknown))
    }
}

/// The end of a job.
#[derive(Debug, Clone)]
pub enum End {
    /// With an answer of the operation, which may be a failure.
    Answered(Arc<Answer>),
    /// In the host, before there was one.
    Failed(Failure),
}

impl End {
    /// The state of a job that has come to it.
    pub fn state(&self) -> JobState {
        match self {
            End::Answered(answer) if answer.status.is_success() => JobState::Done,
            _ => JobState::Failed,
        }
    }
}

/// The progress of a job so far.
#[derive(Debug, Clone)]
pub struct Status {
    /// Its state.
    pub state: JobState,
    /// Its progress, where it has any.
    pub progress: Option<JobProgress>,
    /// Pages whose text is there already.
    pub pages: usize,
    /// Its end.
    pub end: Option<End>,
    /// True once this replica tells no more of it, because it stops: another one does.
    pub left: bool,
    /// True if another replica begins it again when the one that works on it is gone; none where replicas share no state.
    pub restartable: Option<bool>,
}

/// A job.
#[derive(Debug)]
pub struct Job {
    /// Its identifier.
    pub id: String,
    /// Whose it is.
    pub owner: Owner,
    /// The operation's name.
    operation: Arc<str>,
    request_id: Arc<str>,
    created: jiff::Timestamp,
    status: watch::Sender<Status>,
    /// The text of pages as the component told it, in JSON.
    pages: Mutex<Vec<Bytes>>,
    work: Mutex<Option<AbortHandle>>,
    is_kept: AtomicBool,
}

impl Job {
    /// A job that waits; `request_id` is that of the request that asked for it.
    pub fn new(operation: Arc<str>, owner: Owner, request_id: Arc<str>) -> Self {
        let id = uuid::Uuid::new_v4().simple().to_string();
        Self::known(id, operation, owner, request_id, jiff::Timestamp::now())
    }

    /// A job that somebody knows already by its identifier.
    pub fn known(
        id: String,
        operation: Arc<str>,
        owner: Owner,
        request_id: Arc<str>,
        created: jiff::Timestamp,
    ) -> Self {
        let status = Status {
            state: JobState::Queued,
            progress: None,
            pages: 0,
            end: None,
            left: false,
            restartable: None,
        };
        Self {
            id,
            owner,
            operation,
            request_id,
            created,
            status: watch::Sender::new(status),
            pages: Mutex::default(),
            work: Mutex::default(),
            is_kept: AtomicBool::new(false),
        }
    }

    /// Hears of every change.
    pub fn watch(&self) -> watch::Receiver<Status> {
        self.status.subscribe()
    }

    /// Its state and progress.
    pub fn status(&self) -> Status {
        self.status.borrow().clone()
    }

    /// True if nothing changes any more.
    pub fn is_over(&self) -> bool {
        self.status.borrow().state.is_final()
    }

    /// True if it waits for a place to run.
    pub fn waits(&self) -> bool {
        self.status.borrow().state == JobState::Queued
    }

    /// Notes that it runs.
    pub fn runs(&self) {
        self.status.send_modify(|status| status.state = JobState::Running);
    }

    /// Notes how far it is.
    pub fn progresses(&self, progress: JobProgress) {
        self.status.send_modify(|status| status.progress = Some(progress));
    }

    /// Notes the text of a page, in JSON.
    pub fn has_page(&self, page: Bytes) {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.push(page);
        let count = pages.len();
        self.status.send_modify(|status| status.pages = count);
    }

    /// The texts of the pages after the first `known` ones, in JSON, in the order in which they were read.
    pub fn pages_after(&self, known: usize) -> Vec<Bytes> {
        let pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.get(known..).unwrap_or_default().to_vec()
    }

    /// Takes over what another replica tells of it, with pages that were not known.
    pub fn shows(&self, told: Status, pages: Vec<Bytes>) {
        let mut known = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(pages);
        let count = known.len();
        self.status.send_if_modified(|status| {
            let changes = (status.state, &status.progress, status.pages) != (told.state, &told.progress, count);
            *status = Status { pages: count, ..told };
            changes
        });
    }

    /// Notes that this replica tells no more of it.
    pub fn leaves(&self) {
        self.status.send_modify(|status| status.left = true);
    }

    /// Notes that another replica can begin it again, or that none can.
    pub fn can_restart(&self, can: bool) {
        self.status.send_modify(|status| status.restartable = Some(can));
    }

    /// True if the store that replicas share has it.
    pub fn is_kept(&self) -> bool {
        self.is_kept.load(Ordering::Relaxed)
    }

    /// Notes that the store has it, or has it no longer.
    pub fn keeps(&self, kept: bool) {
        self.is_kept.store(kept, Ordering::Relaxed);
    }

    /// Notes its end.
    pub fn ends(&self, end: End) {
        let state = end.state();
        self.status.send_if_modified(|status| {
            let first = !status.state.is_final();
            if first {
                *status = Status {
                    state,
                    progress: status.progress.take(),
                    pages: status.pages,
                    end: Some(end),
                    left: status.left,
                    restartable: None,
                };
            }
            first
        });
    }

    /// Notes the task that does its work.
    pub fn is_done_by(&self, task: AbortHandle) {
        *self.work.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
    }

    /// Takes it back: its work ends, and its answer is gone.
    pub fn cancel(&self) {
        if let Some(task) = self.work.lock().unwrap_or_else(PoisonError::into_inner).take() {
            task.abort();
        }
        self.status.send_if_modified(|status| {
            let first = !status.state.is_final();
            if first {
                status.state = JobState::Cancelled;
            }
            first
        });
    }

    /// The job as clients are told of it.
    pub fn describe(&self) -> jobs::Job {
        let Status {
            state,
            progress,
            end,
            restartable,
            ..
        } = self.status();
        let failure = match &end {
            Some(End::Answered(answer)) => answer.failure(),
            Some(End::Failed(failure)) => Some(failure.clone()),
            None => None,
        };
        let failure = failure.map(|failure| JobFailure {
            code: failure.code.word().to_owned(),
            error: failure.message,
        });
        jobs::Job {
            job_id: self.id.clone(),
            operation: self.operation.to_string(),
            state,
            created: self.created.to_string(),
            request_id: self.request_id.to_string(),
            restartable: restartable.filter(|_| !state.is_final()),
            progress,
            result_bytes: match &end {
                Some(End::Answered(answer)) => Some(answer.body.size()),
                _ => None,
            },
            failure,
        }
    }
}
