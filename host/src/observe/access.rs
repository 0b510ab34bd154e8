//! The access log: one line a request, written when its response is over.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Instant;

use bytes::Bytes;
use http::{Request, StatusCode};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;

use crate::app::ResponseBody;
use crate::engine::body::Sent;
use crate::failure::Failure;

/// What is known of a request so far. Dropped before the response was complete, it says that the client left.
pub struct Access {
    id: Arc<str>,
    method: http::Method,
    path: String,
    client: IpAddr,
    started: Instant,
    status: Option<StatusCode>,
    code: Option<&'static str>,
    internal: Option<String>,
    sent: Option<Arc<Sent>>,
}

impl Access {
    /// Begins a line.
    pub fn new<B>(id: Arc<str>, request: &Request<B>, client: IpAddr, started: Instant) -> Self {
        Self {
            id,
            method: request.method().clone(),
            path: request.uri().path().chars().take(200).collect(),
            client,
            started,
            status: None,
            code: None,
            internal: None,
            sent: None,
        }
    }

    /// The request has an answer, with a body that a sandbox may still be writing.
    pub fn answered(&mut self, status: StatusCode, sent: Option<Arc<Sent>>) {
        self.status = Some(status);
        self.sent = sent;
    }

    /// The request failed in the host.
    pub fn failed(&mut self, failure: &Failure) {
        self.status = StatusCode::from_u16(failure.code.status()).ok();
        self.code = Some(failure.code.word());
        self.internal.clone_from(&failure.internal);
    }

    /// Keeps the line open for as long as the body is.
    pub fn attach(self, body: ResponseBody) -> ResponseBody {
        Logged { body, _access: self }.boxed_unsync()
    }
}

impl Drop for Access {
    fn drop(&mut self) {
        let complete = self.status.is_some()
            && self
                .sent
                .as_ref()
                .is_none_or(|sent| sent.complete.load(Ordering::Relaxed));
        let bytes = self.sent.as_ref().map(|sent| sent.bytes.load(Ordering::Relaxed));
        let status = self.status.map_or(0, |status| status.as_u16());
        let milliseconds = self.started.elapsed().as_micros() as f64 / 1000.0;
        let outcome = if complete {
            "answered"
        } else {
            "client left or answer cut off"
        };
        if status >= 500 {
            tracing::error!(
                id = %self.id, method = %self.method, path = %self.path, client = %self.client, status, ms = milliseconds,
                code = self.code, internal = self.internal.as_deref(), bytes, "{outcome}"
            );
        } else {
            tracing::info!(
                id = %self.id, method = %self.method, path = %self.path, client = %self.client, status, ms = milliseconds,
                code = self.code, bytes, "{outcome}"
            );
        }
    }
}

struct Logged {
    body: ResponseBody,
    _access: Access,
}

impl Body for Logged {
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
