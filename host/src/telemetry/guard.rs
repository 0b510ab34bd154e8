//! Keeps the record of a request open until its response is over, and adds `Server-Timing` to the response.

use std::ops::{Deref, DerefMut};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, Request, Version, header};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;

use super::access::Access;
use super::observer::Observer;
use super::server_timing;
use crate::auth::Caller;
use crate::body::ResponseBody;

/// A request that is being answered. When it is dropped it is over, and the observer takes it.
pub struct AccessGuard {
    observer: Arc<Observer>,
    access: Access,
    trailers: Trailers,
}

impl AccessGuard {
    /// Begins the record of a request.
    pub fn new<B>(
        observer: Arc<Observer>,
        id: Arc<str>,
        request: &Request<B>,
        route: Arc<str>,
        caller: &Caller,
        started: Instant,
    ) -> Self {
        let trace = observer.span(request.headers());
        Self {
            access: Access::new(id, request, route, caller, started, trace),
            observer,
            trailers: Trailers::of(request),
        }
    }

    /// Adds `Server-Timing` to a response: all of it in the head where the sandbox has ended, else the times so far
    /// there, and all of it in a trailer where the client takes trailers.
    pub fn add_timing(&mut self, response: &mut http::response::Parts) {
        if self.access.version.is_none() {
            return;
        }
        let timing = HeaderName::from_static(server_timing::HEADER_NAME);
        response
            .headers
            .insert(timing.clone(), server_timing::value(&self.access));
        if self.access.usage.get().is_some() {
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
}

impl Deref for AccessGuard {
    type Target = Access;

    fn deref(&self) -> &Access {
        &self.access
    }
}

impl DerefMut for AccessGuard {
    fn deref_mut(&mut self) -> &mut Access {
        &mut self.access
    }
}

impl Drop for AccessGuard {
    fn drop(&mut self) {
        self.observer.finished(&self.access);
    }
}

/// The way in which trailers reach the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trailers {
    /// No trailers, or nothing left to tell.
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
    access: AccessGuard,
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
        trailers.insert(server_timing::HEADER_NAME, server_timing::value(&self.access));
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
