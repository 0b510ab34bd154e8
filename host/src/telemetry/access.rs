//! What is known of a request, from its first line to the end of its response.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, Request, StatusCode, Version, header};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use quartet_api::operations::Operation;

use super::trace::SpanContext;
use super::{Observer, server_timing};
use crate::auth::Caller;
use crate::auth::keys::Key;
use crate::failure::Failure;
use crate::http::app::ResponseBody;
use crate::registry;
use crate::route;
use crate::runtime::body::Sent;
use crate::runtime::usage::Usage;

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
    /// All of them, in the order of their declaration.
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

/// A request that is being answered. When it is dropped it is over, and the observer hears of it.
pub struct Access {
    observer: Arc<Observer>,
    /// The request's id.
    pub id: Arc<str>,
    /// Its method.
    pub method: http::Method,
    /// Its path, cut where it is very long.
    pub path: String,
    /// The address that it came from; behind trusted proxies, the one that they name.
    pub client: IpAddr,
    /// The key that it came with.
    pub key: Option<Arc<Key>>,
    /// When its headers were complete.
    pub started: Instant,
    /// The name of what has its path: an operation such as `tts/stream`, a page of the host such as `healthz`, or
    /// `none`.
    pub route: &'static str,
    /// Its place in a trace, where it has one.
    pub trace: Option<SpanContext>,
    /// The operation, where the path and the method lead to one.
    pub operation: Option<&'static Operation>,
    /// The version that was chosen to answer.
    pub version: Option<Arc<registry::Version>>,
    /// What its sandbox used.
    pub usage: Arc<Usage>,
    /// The status of the response, and the time until there was one.
    pub answer: Option<(StatusCode, Duration)>,
    /// The word for what went wrong in the host.
    pub code: Option<&'static str>,
    /// What the log may know of that.
    pub internal: Option<String>,
    sent: Option<Arc<Sent>>,
    /// When it began to wait for a place to run, and when it got one.
    waited: Option<(Instant, Option<Instant>)>,
    trailers: Trailers,
}

impl Access {
    /// Begins with a request.
    pub fn new<B>(
        observer: Arc<Observer>,
        id: Arc<str>,
        request: &Request<B>,
        caller: &Caller,
        started: Instant,
    ) -> Self {
        let trace = observer.span(request.headers());
        Self {
            observer,
            id,
            method: request.method().clone(),
            path: request.uri().path().chars().take(200).collect(),
            client: caller.address,
            key: caller.key.clone(),
            started,
            route: route::name(request.uri().path()),
            trace,
            operation: None,
            version: None,
            usage: Arc::default(),
            answer: None,
            code: None,
            internal: None,
            sent: None,
            waited: None,
            trailers: Trailers::of(request),
        }
    }

    /// A version of a component is chosen to answer. Its sandbox keeps what it used in the value returned.
    pub fn runs(&mut self, operation: &'static Operation, version: Arc<registry::Version>) -> Arc<Usage> {
        self.operation = Some(operation);
        self.version = Some(version);
        self.waited = Some((Instant::now(), None));
        Arc::clone(&self.usage)
    }

    /// It has a place to run.
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

    /// Since when it has a place to run.
    pub fn running_since(&self) -> Option<Instant> {
        self.waited?.1
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

    /// Tells the client what the request took: all of it in the head where the sandbox has ended, else the times so far
    /// there, and all of it in a trailer where the client takes trailers.
    pub fn tell(&mut self, response: &mut http::response::Parts) {
        if self.version.is_none() {
            return;
        }
        let timing = HeaderName::from_static(server_timing::NAME);
        response.headers.insert(timing.clone(), server_timing::value(self));
        if self.usage.get().is_some() {
            self.trailers = Trailers::Refused;
        } else if self.trailers == Trailers::Chunked {
            // HTTP/1.1 has trailers only after a body in chunks, and wants them announced.
            response.headers.remove(header::CONTENT_LENGTH);
            response.headers.insert(header::TRAILER, timing.into());
        }
    }

    /// Keeps the request open for as long as the body is.
    pub fn attach(self, body: ResponseBody) -> ResponseBody {
        Observed { body, access: self }.boxed_unsync()
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

/// Whether and how trailers reach the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trailers {
    /// They do not, or there is nothing left to tell.
    Refused,
    /// HTTP/2 has a place for them.
    Framed,
    /// HTTP/1.1: after a body in chunks, to a client that asked for them.
    Chunked,
}

impl Trailers {
    fn of<B>(request: &Request<B>) -> Self {
        let asked = || {
            let values = request.headers().get_all(header::TE).iter();
            let mut codings = values
                .filter_map(|value| value.to_str().ok())
                .flat_map(|te| te.split(','));
            codings.any(|coding| coding.trim().eq_ignore_ascii_case("trailers"))
        };
        match request.version() {
            Version::HTTP_2 => Trailers::Framed,
            Version::HTTP_11 if asked() => Trailers::Chunked,
            _ => Trailers::Refused,
        }
    }
}

struct Observed {
    body: ResponseBody,
    access: Access,
}

impl Body for Observed {
    type Data = Bytes;
    type Error = wasmtime_wasi_http::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let polled = ready!(Pin::new(&mut self.body).poll_frame(context));
        if polled.is_some() || self.access.trailers == Trailers::Refused {
            return Poll::Ready(polled);
        }
        self.access.trailers = Trailers::Refused;
        let mut trailers = HeaderMap::new();
        trailers.insert(server_timing::NAME, server_timing::value(&self.access));
        Poll::Ready(Some(Ok(Frame::trailers(trailers))))
    }

    fn is_end_stream(&self) -> bool {
        self.access.trailers == Trailers::Refused && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        match self.access.trailers {
            // A size that is known becomes a Content-Length, and that leaves no place for trailers.
            Trailers::Chunked => SizeHint::default(),
            _ => self.body.size_hint(),
        }
    }
}
