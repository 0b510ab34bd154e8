//! The record of a request, from its first line to the end of its response.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use http::{Request, StatusCode};

use super::trace::SpanContext;
use crate::auth::Caller;
use crate::auth::keys::Key;
use crate::body::SendProgress;
use crate::capabilities::operation::Operation;
use crate::failure::Failure;
use crate::runtime::usage::Usage;
use crate::version::Version;
use crate::version::sample::Outcome;

/// The end of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The whole answer was handed to the connection.
    Answered,
    /// The component failed after the head of its answer was sent, and the connection was cut.
    CutOff,
    /// The client left before its answer was complete.
    ClientLeft,
}

impl End {
    /// Every end, in the order of declaration.
    pub const ALL: [End; 3] = [End::Answered, End::CutOff, End::ClientLeft];

    /// The end as a label of a metric.
    pub const fn label(self) -> &'static str {
        match self {
            End::Answered => "answered",
            End::CutOff => "cut_off",
            End::ClientLeft => "client_left",
        }
    }

    /// The end in words for the log.
    pub const fn words(self) -> &'static str {
        match self {
            End::Answered => "answered",
            End::CutOff => "answer cut off",
            End::ClientLeft => "client left",
        }
    }
}

/// A request that is being answered, or was.
pub struct Access {
    /// The request's id.
    pub id: Arc<str>,
    /// The request's method.
    pub method: http::Method,
    /// The path, cut where it is very long.
    pub path: String,
    /// The address that it came from; behind trusted proxies, the one that they name.
    pub client: IpAddr,
    /// The key that it came with.
    pub key: Option<Arc<Key>>,
    /// Time at which the headers were complete.
    pub started: Instant,
    /// The name of what has its path: an operation such as `tts/stream`, a page of the host such as `healthz`, or
    /// `none`.
    pub route: Arc<str>,
    /// The place in a trace, where it has one.
    pub trace: Option<SpanContext>,
    /// The operation, where the path and the method lead to one.
    pub operation: Option<Arc<Operation>>,
    /// The version that was chosen to answer.
    pub version: Option<Arc<Version>>,
    /// Resources that its sandbox used.
    pub usage: Arc<Usage>,
    /// The status of the response, and the time until there was one.
    pub answer: Option<(StatusCode, Duration)>,
    /// The code of a failure in the host.
    pub code: Option<&'static str>,
    /// Detail of that failure for the log.
    pub internal: Option<String>,
    sent: Option<Arc<SendProgress>>,
    /// Times at which it began to wait for a place to run, and at which it got one.
    waited: Option<(Instant, Option<Instant>)>,
}

impl Access {
    /// Begins the record of a request to what has this name.
    pub fn new<B>(
        id: Arc<str>,
        request: &Request<B>,
        route: Arc<str>,
        caller: &Caller,
        started: Instant,
        trace: Option<SpanContext>,
    ) -> Self {
        Self {
            id,
            method: request.method().clone(),
            path: request.uri().path().chars().take(200).collect(),
            client: caller.address,
            key: caller.key.clone(),
            started,
            route,
            trace,
            operation: None,
            version: None,
            usage: Arc::default(),
            answer: None,
            code: None,
            internal: None,
            sent: None,
            waited: None,
        }
    }

    /// Notes that a version of a component is chosen to answer. Its sandbox keeps its usage in [`Access::usage`].
    pub fn runs(&mut self, operation: Arc<Operation>, version: Arc<Version>) {
        self.operation = Some(operation);
        self.version = Some(version);
    }

    /// Notes that it begins to wait for a place to run.
    pub fn waits(&mut self) {
        self.waited = Some((Instant::now(), None));
    }

    /// Notes that it has a place to run.
    pub fn enters(&mut self) {
        if let Some((_, place)) = &mut self.waited {
            *place = Some(Instant::now());
        }
    }

    /// Time for which it waited for a place to run, where it got one.
    pub fn queued(&self) -> Option<Duration> {
        let (since, until) = self.waited?;
        Some(until?.duration_since(since))
    }

    /// Time at which it got a place to run.
    pub fn running_since(&self) -> Option<Instant> {
        self.waited?.1
    }

    /// Notes the progress of the answer's body, which a sandbox may still be writing.
    pub fn sends(&mut self, sent: Arc<SendProgress>) {
        self.sent = Some(sent);
    }

    /// Notes that the request has an answer.
    pub fn answered(&mut self, status: StatusCode) {
        self.answer = Some((status, self.started.elapsed()));
    }

    /// Notes that the request failed in the host.
    pub fn failed(&mut self, failure: &Failure) {
        self.answered(StatusCode::from_u16(failure.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
        self.code = Some(failure.code.word());
        self.internal.clone_from(&failure.internal);
    }

    /// The end. Has a meaning once the response is over.
    pub fn end(&self) -> End {
        let is = |flag: fn(&SendProgress) -> bool| self.sent.as_deref().map(flag);
        if self.answer.is_none() {
            End::ClientLeft
        } else if is(|sent| sent.failed.load(Ordering::Relaxed)) == Some(true) {
            End::CutOff
        } else if is(|sent| sent.complete.load(Ordering::Relaxed)) == Some(false) {
            End::ClientLeft
        } else {
            End::Answered
        }
    }

    /// Bytes of a component's answer that were handed to the connection.
    pub fn bytes(&self) -> Option<u64> {
        self.sent.as_ref().map(|sent| sent.bytes.load(Ordering::Relaxed))
    }

    /// The outcome as far as it says something about the version; none where the version did not come to run, the
    /// client left, or the request was stopped before the component could judge it.
    pub fn outcome(&self) -> Option<Outcome> {
        let (status, _) = self.answer?;
        match (self.end(), status.as_u16(), self.code) {
            (End::ClientLeft, ..) => None,
            (End::CutOff, ..) | (_, 500.., _) => Some(Outcome::Failed),
            (_, 400.., Some(_)) => None,
            (_, 400.., None) => Some(Outcome::Refused),
            _ => Some(Outcome::Answered),
        }
    }
}
