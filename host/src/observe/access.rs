//! What is known of a request, from its first line to the end of its response.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{Request, StatusCode};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use quartet_api::operations::Operation;

use super::Observer;
use crate::app::ResponseBody;
use crate::engine::body::Sent;
use crate::engine::usage::Usage;
use crate::failure::Failure;
use crate::registry::Version;

/// How a request ended.
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
    /// The end in words for the log.
    pub const fn words(self) -> &'static str {
        match self {
            End::Answered => "answered",
            End::CutOff => "answer cut off",
            End::ClientLeft => "client left",
        }
    }
}

/// A request that is being answered. When it is dropped it is over, and the observer hears of it.
pub struct Access {
    observer: Arc<Observer>,
    /// The request's id.
    pub id: Arc<str>,
    /// Its method.
    pub method: http::Method,
    /// Its path, cut where it is very long.
    pub path: String,
    /// The peer's address.
    pub client: IpAddr,
    /// When its headers were complete.
    pub started: Instant,
    /// The operation, where the path and the method lead to one.
    pub operation: Option<&'static Operation>,
    /// The version that was chosen to answer.
    pub version: Option<Arc<Version>>,
    /// What its sandbox used.
    pub usage: Arc<Usage>,
    /// The status of the response, and the time until there was one.
    pub answer: Option<(StatusCode, Duration)>,
    /// The word for what went wrong in the host.
    pub code: Option<&'static str>,
    /// What the log may know of that.
    pub internal: Option<String>,
    sent: Option<Arc<Sent>>,
}

impl Access {
    /// Begins with a request.
    pub fn new<B>(
        observer: Arc<Observer>,
        id: Arc<str>,
        request: &Request<B>,
        client: IpAddr,
        started: Instant,
    ) -> Self {
        Self {
            observer,
            id,
            method: request.method().clone(),
            path: request.uri().path().chars().take(200).collect(),
            client,
            started,
            operation: None,
            version: None,
            usage: Arc::default(),
            answer: None,
            code: None,
            internal: None,
            sent: None,
        }
    }

    /// A version of a component is chosen to answer. Its sandbox keeps what it used in the value returned.
    pub fn runs(&mut self, operation: &'static Operation, version: Arc<Version>) -> Arc<Usage> {
        self.operation = Some(operation);
        self.version = Some(version);
        Arc::clone(&self.usage)
    }

    /// The answer has a body that a sandbox may still be writing.
    pub fn sends(&mut self, sent: Arc<Sent>) {
        self.sent = Some(sent);
    }

    /// The request has an answer.
    pub fn answered(&mut self, status: StatusCode) {
        self.answer = Some((status, self.started.elapsed()));
    }

    /// The request failed in the host.
    pub fn failed(&mut self, failure: &Failure) {
        self.answered(StatusCode::from_u16(failure.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
        self.code = Some(failure.code.word());
        self.internal.clone_from(&failure.internal);
    }

    /// Keeps the request open for as long as the body is.
    pub fn attach(self, body: ResponseBody) -> ResponseBody {
        Observed { body, _access: self }.boxed_unsync()
    }

    /// How it ended. Has a meaning once the response is over.
    pub fn end(&self) -> End {
        let is = |flag: fn(&Sent) -> bool| self.sent.as_deref().map(flag);
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
}

impl Drop for Access {
    fn drop(&mut self) {
        Arc::clone(&self.observer).finished(self);
    }
}

struct Observed {
    body: ResponseBody,
    _access: Access,
}

impl Body for Observed {
    type Data = Bytes;
    type Error = wasmtime_wasi_http::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
