//! A shadow hears what the current version was asked, and its answers are compared with those that were sent.
//!
//! The answered request is never held up and never fails because of it. Its body is copied as it passes, within a
//! bound; its answer passes through a digest. When the answer was sent, the request is handed over without waiting, and
//! a thread of the lowest priority asks the candidate, one request at a time and only while a place to run is free.
//! What it cannot keep up with is skipped and counted. Components are deterministic, so the answers of two versions can
//! be compared by status, content type and the digest of their bytes; of a long answer, by its beginning.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode, header, request};
use http_body::{Body, Frame, SizeHint};
use http_body_util::{BodyExt, Full};
use quartet_api::limits;
use quartet_api::operations::Operation;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::{Semaphore, mpsc};

use super::trial::Trial;
use crate::config::Limits;
use crate::priority;
use crate::runtime::Runtime;
use crate::runtime::body::{Incoming, Sent};
use crate::runtime::run::{self, Budget};

/// Requests that wait for a shadow.
const QUEUE: usize = 16;

/// Niceness of the thread that asks candidates.
const LOWEST: i32 = 19;

/// Differences that are described; more are only counted.
const DESCRIBED: usize = 10;

/// What comparisons found.
#[derive(Default)]
pub struct Compared {
    same: AtomicU64,
    different: AtomicU64,
    failed: AtomicU64,
    skipped: AtomicU64,
    differences: Mutex<Vec<Value>>,
}

impl Compared {
    /// A request was not heard: too large, too many, or no place was free.
    pub fn skipped(&self) {
        self.skipped.fetch_add(1, Ordering::Relaxed);
    }

    /// Numbers and the first differences.
    pub fn describe(&self) -> Value {
        let number = |count: &AtomicU64| count.load(Ordering::Relaxed);
        json!({
            "same": number(&self.same),
            "different": number(&self.different),
            "failed": number(&self.failed),
            "skipped": number(&self.skipped),
            "differences": *self.differences.lock().unwrap_or_else(PoisonError::into_inner),
        })
    }

    fn differs(&self, difference: impl FnOnce() -> Value) {
        let mut differences = self.differences.lock().unwrap_or_else(PoisonError::into_inner);
        if differences.len() < DESCRIBED {
            differences.push(difference());
        }
    }
}

/// What two answers are compared by.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Answer {
    status: StatusCode,
    content_type: Option<Vec<u8>>,
    /// Of the whole body, or of its beginning.
    digest: [u8; 32],
    /// Bytes that the digest is of.
    bytes: u64,
}

/// A request with the answer that was sent.
pub struct ShadowRequest {
    trial: Arc<Trial>,
    operation: &'static Operation,
    head: request::Parts,
    body: Bytes,
    answer: Answer,
}

/// A request's body as it passes, within a bound.
pub struct Copied {
    bytes: Vec<u8>,
    most: usize,
    /// Whether nothing was left out so far.
    complete: bool,
    /// Whether the end was reached.
    ended: bool,
    /// The body's length where it is known.
    length: Option<u64>,
}

impl Copied {
    /// The body, if all of it was read and fits the bound.
    fn take(&mut self) -> Option<Bytes> {
        let whole = self.complete && (self.ended || self.length == Some(self.bytes.len() as u64));
        whole.then(|| Bytes::from(std::mem::take(&mut self.bytes)))
    }
}

/// A copy that the body's reader writes and the answer's end reads.
pub type Copy = Arc<Mutex<Copied>>;

/// Everything that is kept of a request that a shadow is to hear.
pub struct ShadowRecorder {
    trial: Arc<Trial>,
    operation: &'static Operation,
    head: request::Parts,
    copy: Copy,
    most: u64,
}

impl ShadowRecorder {
    /// Listens to a request.
    pub fn new(trial: Arc<Trial>, operation: &'static Operation, head: &request::Parts, limits: &Limits) -> Self {
        let copy = Copied {
            bytes: Vec::new(),
            most: limits.count(&limits::SHADOW_BODY_BYTES),
            complete: true,
            ended: false,
            length: None,
        };
        let mut kept = Request::new(()).into_parts().0;
        kept.method = head.method.clone();
        kept.uri = head.uri.clone();
        kept.headers = head.headers.clone();
        Self {
            trial,
            operation,
            head: kept,
            copy: Arc::new(Mutex::new(copy)),
            most: limits.get(&limits::SHADOW_ANSWER_BYTES),
        }
    }

    /// The copy that the request's body is written to.
    pub fn copy(&self) -> Copy {
        Arc::clone(&self.copy)
    }

    /// Listens to the answer. When it was sent whole, the candidate is asked the same.
    pub fn listen<B>(self, status: StatusCode, headers: &HeaderMap, sent: Arc<Sent>, body: B) -> ResponseTee<B> {
        ResponseTee {
            body,
            digest: Beginning::new(self.most),
            status,
            content_type: content_type(headers),
            sent,
            ear: Some(self),
        }
    }
}

fn content_type(headers: &HeaderMap) -> Option<Vec<u8>> {
    headers.get(header::CONTENT_TYPE).map(|value| value.as_bytes().to_vec())
}

/// The digest of the first bytes of something.
struct Beginning {
    hasher: Sha256,
    bytes: u64,
    most: u64,
}

impl Beginning {
    fn new(most: u64) -> Self {
        Self {
            hasher: Sha256::new(),
            bytes: 0,
            most,
        }
    }

    fn add(&mut self, data: &[u8]) {
        let room = usize::try_from(self.most - self.bytes).unwrap_or(usize::MAX);
        let data = &data[..data.len().min(room)];
        self.hasher.update(data);
        self.bytes += data.len() as u64;
    }

    fn is_full(&self) -> bool {
        self.bytes == self.most
    }

    fn answer(self, status: StatusCode, content_type: Option<Vec<u8>>) -> Answer {
        Answer {
            status,
            content_type,
            digest: self.hasher.finalize().into(),
            bytes: self.bytes,
        }
    }
}

/// A request's body that is copied as it passes, where someone listens.
pub struct RequestTee<B> {
    body: B,
    copy: Option<Copy>,
}

impl<B: Body> RequestTee<B> {
    /// Copies into `copy`, if there is one.
    pub fn new(body: B, copy: Option<Copy>) -> Self {
        if let Some(copy) = &copy {
            copy.lock().unwrap_or_else(PoisonError::into_inner).length = body.size_hint().exact();
        }
        Self { body, copy }
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for RequestTee<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let (Some(copy), Poll::Ready(frame)) = (&self.copy, &polled) {
            let mut copy = copy.lock().unwrap_or_else(PoisonError::into_inner);
            match frame.as_ref().map(|frame| frame.as_ref().map(Frame::data_ref)) {
                None => copy.ended = true,
                Some(Ok(Some(data))) if copy.complete && copy.bytes.len() + data.len() <= copy.most => {
                    copy.bytes.extend_from_slice(data);
                }
                Some(Ok(None)) => {}
                Some(_) => {
                    copy.complete = false;
                    copy.bytes = Vec::new();
                }
            }
        }
        polled
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// An answer's body that is listened to as it passes.
pub struct ResponseTee<B> {
    body: B,
    digest: Beginning,
    status: StatusCode,
    content_type: Option<Vec<u8>>,
    sent: Arc<Sent>,
    ear: Option<ShadowRecorder>,
}

impl<B: Body<Data = Bytes> + Unpin> Body for ResponseTee<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled
            && let Some(data) = frame.data_ref()
        {
            self.digest.add(data);
        }
        polled
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B> Drop for ResponseTee<B> {
    fn drop(&mut self) {
        let Some(ear) = self.ear.take() else { return };
        // An answer that broke off, or that its client did not want to the end, is nothing to compare with.
        if !self.sent.complete.load(Ordering::Relaxed) {
            return;
        }
        let body = ear.copy.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(body) = body else {
            return ear.trial.compared.skipped();
        };
        let digest = std::mem::replace(&mut self.digest, Beginning::new(0));
        let heard = ShadowRequest {
            trial: Arc::clone(&ear.trial),
            operation: ear.operation,
            head: ear.head,
            body,
            answer: digest.answer(self.status, self.content_type.take()),
        };
        ear.trial.hear(heard);
    }
}

/// Starts the thread that asks candidates. It ends when nobody can hand it anything any more.
pub fn start(
    runtime: &Runtime,
    limits: Limits,
    free: impl Fn() -> bool + Send + 'static,
) -> std::io::Result<mpsc::Sender<ShadowRequest>> {
    let (shadow_requests, mut heard) = mpsc::channel::<ShadowRequest>(QUEUE);
    let tasks = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let runtime = runtime.with_guests(tasks.handle().clone());
    std::thread::Builder::new().name("shadow".to_owned()).spawn(move || {
        if let Err(error) = priority::lower_thread_priority(LOWEST) {
            tracing::warn!(%error, "a shadow cannot be given a low priority");
        }
        tasks.block_on(async {
            while let Some(heard) = heard.recv().await {
                let trial = Arc::clone(&heard.trial);
                if free() {
                    compare(&runtime, &limits, heard).await;
                } else {
                    trial.compared.skipped();
                }
            }
        });
    })?;
    Ok(shadow_requests)
}

/// Asks the candidate, and notes whether its answer is the one that was sent.
async fn compare(runtime: &Runtime, limits: &Limits, heard: ShadowRequest) {
    let ShadowRequest {
        trial,
        operation,
        head,
        body,
        answer,
    } = heard;
    let compared = &trial.compared;
    let id = head.headers.get(quartet_api::REQUEST_ID_HEADER).cloned();
    let said = ask(runtime, limits, &trial, Request::from_parts(head, body)).await;
    let id = id.as_ref().and_then(|id| id.to_str().ok()).unwrap_or_default();
    match said {
        Ok(said) if said == answer => {
            compared.same.fetch_add(1, Ordering::Relaxed);
        }
        Ok(said) => {
            compared.different.fetch_add(1, Ordering::Relaxed);
            compared.differs(|| {
                json!({
                    "requestId": id,
                    "operation": operation.path,
                    "status": [answer.status.as_u16(), said.status.as_u16()],
                    "bytes": [answer.bytes, said.bytes],
                })
            });
        }
        Err(reason) => {
            compared.failed.fetch_add(1, Ordering::Relaxed);
            compared.differs(|| json!({"requestId": id, "operation": operation.path, "failed": reason}));
        }
    }
}

async fn ask(runtime: &Runtime, limits: &Limits, trial: &Trial, request: Request<Bytes>) -> Result<Answer, String> {
    let (body, _) = Incoming::new(Full::new(request.body().clone()), u64::MAX);
    let request = request.map(|_| body);
    // A shadow runs much slower than what it is compared with, so it gets the time of several.
    let clock = limits.seconds(&limits::RESPOND_SECONDS) * 4;
    let budget = Budget {
        fuel: runtime.fuel(limits, &limits::RESPOND_FUEL, limits.seconds(&limits::RESPOND_SECONDS)),
        head: clock,
        total: clock,
    };
    let place = Arc::new(Semaphore::new(1));
    let permit = place.acquire_owned().await.map_err(|error| error.to_string())?;
    let version = Arc::clone(&trial.candidate);
    let (response, supervisor) = run::start(runtime, version, request, budget, Arc::default(), permit)
        .await
        .map_err(|failure| failure.message)?;
    let (parts, mut body) = response.into_parts();
    let mut digest = Beginning::new(limits.get(&limits::SHADOW_ANSWER_BYTES));
    // What comes after the part that is compared is not made: the sandbox ends with its body.
    while !digest.is_full() {
        match body.frame().await {
            Some(Ok(frame)) => digest.add(frame.data_ref().map_or(&[], |data| data)),
            Some(Err(error)) => return Err(format!("its answer broke off: {error}")),
            None => {
                supervisor.await.map_err(|failure| failure.message)?;
                break;
            }
        }
    }
    let content_type = content_type(&parts.headers);
    Ok(digest.answer(parts.status, content_type))
}
