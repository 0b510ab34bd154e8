//! Shadow traffic: a candidate gets the requests of the current version, and its answers are compared with those sent.
//!
//! The answered request is never held up and never fails because of it. Its body is copied as it passes, within a
//! bound; its answer passes through a digest. When the answer was sent, the request is handed over without waiting, and
//! a thread of the lowest priority asks the candidate, one request at a time and only while a place to run is free.
//! What it cannot keep up with is skipped and counted. Components are deterministic, so the answers of two versions can
//! be compared by status, content type and the digest of their bytes; of a long answer, by its beginning.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::{Request, request};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc};

use super::answer::{Answer, PrefixDigest, content_type};
use crate::body::ReadBody;
use crate::capabilities::operation::Operation;
use crate::config::Limits;
use crate::priority;
use crate::runtime::Runtime;
use crate::runtime::run::{self, Budget, Metering};
use crate::version::Version;

/// Requests that wait for a shadow.
const QUEUED_REQUESTS: usize = 16;

/// Niceness of the thread that asks candidates.
const SHADOW_NICENESS: i32 = 19;

/// Differences that are described; more are only counted.
const MAX_DIFFERENCES: usize = 10;

/// The results of comparisons.
#[derive(Default)]
pub struct Comparisons {
    same: AtomicU64,
    different: AtomicU64,
    failed: AtomicU64,
    skipped: AtomicU64,
    differences: Mutex<Vec<Value>>,
}

impl Comparisons {
    /// Counts a request that the shadow did not get: too large, too many, or no place was free.
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
        if differences.len() < MAX_DIFFERENCES {
            differences.push(difference());
        }
    }
}

/// A request with the answer that was sent.
pub struct ShadowRequest {
    /// The version that is asked the same.
    pub candidate: Arc<Version>,
    /// The results that this comparison is added to.
    pub compared: Arc<Comparisons>,
    /// The operation.
    pub operation: Arc<Operation>,
    /// The head of the request.
    pub head: request::Parts,
    /// The whole body of the request.
    pub body: Bytes,
    /// The answer that was sent.
    pub answer: Answer,
}

/// Starts the thread that asks candidates. It ends when the last sender is dropped.
pub fn start(
    runtime: &Runtime,
    limits: Limits,
    free: impl Fn() -> bool + Send + 'static,
) -> std::io::Result<mpsc::Sender<ShadowRequest>> {
    let (shadow_requests, mut heard) = mpsc::channel::<ShadowRequest>(QUEUED_REQUESTS);
    let tasks = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let runtime = runtime.with_guests(tasks.handle().clone());
    std::thread::Builder::new().name("shadow".to_owned()).spawn(move || {
        if let Err(error) = priority::lower_thread_priority(SHADOW_NICENESS) {
            tracing::warn!(%error, "a shadow cannot be given a low priority");
        }
        tasks.block_on(async {
            while let Some(heard) = heard.recv().await {
                if free() {
                    compare(&runtime, &limits, heard).await;
                } else {
                    heard.compared.skipped();
                }
            }
        });
    })?;
    Ok(shadow_requests)
}

/// Asks the candidate, and notes whether its answer is the one that was sent.
async fn compare(runtime: &Runtime, limits: &Limits, heard: ShadowRequest) {
    let ShadowRequest {
        candidate,
        compared,
        operation,
        head,
        body,
        answer,
    } = heard;
    let id = head.headers.get(quartet_api::REQUEST_ID_HEADER).cloned();
    let shadowed = ask(runtime, limits, &candidate, Request::from_parts(head, body)).await;
    let id = id.as_ref().and_then(|id| id.to_str().ok()).unwrap_or_default();
    match shadowed {
        Ok(shadowed) if shadowed == answer => {
            compared.same.fetch_add(1, Ordering::Relaxed);
        }
        Ok(shadowed) => {
            compared.different.fetch_add(1, Ordering::Relaxed);
            compared.differs(|| {
                json!({
                    "requestId": id,
                    "operation": operation.path,
                    "status": [answer.status.as_u16(), shadowed.status.as_u16()],
                    "bytes": [answer.bytes, shadowed.bytes],
                })
            });
        }
        Err(reason) => {
            compared.failed.fetch_add(1, Ordering::Relaxed);
            compared.differs(|| json!({"requestId": id, "operation": operation.path, "failed": reason}));
        }
    }
}

async fn ask(
    runtime: &Runtime,
    limits: &Limits,
    candidate: &Version,
    request: Request<Bytes>,
) -> Result<Answer, String> {
    let request = request.map(ReadBody::from);
    // A shadow runs much slower than what it is compared with, so it gets the time of several.
    let clock = limits.respond_seconds * 4;
    let budget = Budget {
        fuel: runtime.fuel(limits.respond_fuel, limits.respond_seconds),
        head: clock,
        total: clock,
    };
    let place = Arc::new(Semaphore::new(1));
    let permit = place.acquire_owned().await.map_err(|error| error.to_string())?;
    let guest = Arc::clone(&candidate.guest);
    let (response, supervisor) = run::start(
        runtime,
        guest,
        request,
        budget,
        Arc::default(),
        Metering::default(),
        permit,
    )
    .await
    .map_err(|failure| failure.message)?;
    let (parts, mut body) = response.into_parts();
    let mut digest = PrefixDigest::new(limits.shadow_answer_bytes);
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
