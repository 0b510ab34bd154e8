//! Records a request and the answer that was sent, for the shadow that is to hear it.

use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode, request};
use http_body::{Body, Frame, SizeHint};

use super::answer::{PrefixDigest, content_type};
use super::shadow::ShadowRequest;
use super::trial::Trial;
use crate::body::SendProgress;
use crate::capabilities::operation::Operation;
use crate::config::Limits;

/// A copy of a request's body, within a bound.
pub struct BodyCopy {
    bytes: Vec<u8>,
    max_bytes: usize,
    /// True while nothing was left out.
    complete: bool,
    /// True once the end was reached.
    ended: bool,
    /// The body's length where it is known.
    length: Option<u64>,
}

impl BodyCopy {
    /// The body, if all of it was read and fits the bound.
    fn take(&mut self) -> Option<Bytes> {
        let whole = self.complete && (self.ended || self.length == Some(self.bytes.len() as u64));
        whole.then(|| Bytes::from(std::mem::take(&mut self.bytes)))
    }
}

/// A copy that the body's reader writes and the answer's end reads.
pub type SharedBodyCopy = Arc<Mutex<BodyCopy>>;

/// The record of a request that a shadow is to hear.
pub struct ShadowRecorder {
    trial: Arc<Trial>,
    operation: Arc<Operation>,
    head: request::Parts,
    copy: SharedBodyCopy,
    max_bytes: u64,
}

impl ShadowRecorder {
    /// Begins to record a request.
    pub fn new(trial: Arc<Trial>, operation: Arc<Operation>, head: &request::Parts, limits: &Limits) -> Self {
        let copy = BodyCopy {
            bytes: Vec::new(),
            max_bytes: limits.shadow_body_bytes,
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
            max_bytes: limits.shadow_answer_bytes,
        }
    }

    /// The copy that the request's body is written to.
    pub fn copy(&self) -> SharedBodyCopy {
        Arc::clone(&self.copy)
    }

    /// Records the answer. When it was sent whole, the request goes to the shadow.
    pub fn record_answer<B>(
        self,
        status: StatusCode,
        headers: &HeaderMap,
        sent: Arc<SendProgress>,
        body: B,
    ) -> ResponseTee<B> {
        ResponseTee {
            body,
            digest: PrefixDigest::new(self.max_bytes),
            status,
            content_type: content_type(headers),
            sent,
            recorder: Some(self),
        }
    }
}

/// A request's body that is copied as it passes, if it is recorded.
pub struct RequestTee<B> {
    body: B,
    copy: Option<SharedBodyCopy>,
}

impl<B: Body> RequestTee<B> {
    /// Copies into `copy`, if there is one.
    pub fn new(body: B, copy: Option<SharedBodyCopy>) -> Self {
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
                Some(Ok(Some(data))) if copy.complete && copy.bytes.len() + data.len() <= copy.max_bytes => {
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

/// An answer's body that is recorded as it passes.
pub struct ResponseTee<B> {
    body: B,
    digest: PrefixDigest,
    status: StatusCode,
    content_type: Option<Vec<u8>>,
    sent: Arc<SendProgress>,
    recorder: Option<ShadowRecorder>,
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
        let Some(recorder) = self.recorder.take() else { return };
        // An answer that broke off, or that its client did not want to the end, is nothing to compare with.
        if !self.sent.complete.load(Ordering::Relaxed) {
            return;
        }
        let body = recorder.copy.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(body) = body else {
            return recorder.trial.compared.skipped();
        };
        let digest = std::mem::replace(&mut self.digest, PrefixDigest::new(0));
        let request = ShadowRequest {
            candidate: Arc::clone(&recorder.trial.candidate),
            compared: Arc::clone(&recorder.trial.compared),
            operation: recorder.operation,
            head: recorder.head,
            body,
            answer: digest.answer(self.status, self.content_type.take()),
        };
        recorder.trial.send_to_shadow(request);
    }
}
