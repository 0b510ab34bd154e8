//! Bodies of requests and responses, and their progress.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::combinators::UnsyncBoxBody;
use wasmtime_wasi_http::Error;

/// The body of every response.
pub type ResponseBody = UnsyncBoxBody<Bytes, Error>;

/// State of a request's body, for the code that answers the request.
#[derive(Debug, Default)]
pub struct ReadProgress {
    too_large: AtomicBool,
    waiting: AtomicBool,
}

impl ReadProgress {
    /// Returns true if the body was larger than allowed.
    pub fn too_large(&self) -> bool {
        self.too_large.load(Ordering::Relaxed)
    }

    /// Returns true if the component waits for more of the body.
    pub fn waiting(&self) -> bool {
        self.waiting.load(Ordering::Relaxed)
    }
}

/// A request's body that ends with an error when it is larger than allowed.
pub struct Incoming<B> {
    inner: B,
    left: u64,
    reading: Arc<ReadProgress>,
}

impl<B> Incoming<B> {
    /// Bounds a body.
    pub fn new(inner: B, limit: u64) -> (Self, Arc<ReadProgress>) {
        let reading = Arc::<ReadProgress>::default();
        (
            Self {
                inner,
                left: limit,
                reading: Arc::clone(&reading),
            },
            reading,
        )
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for Incoming<B> {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let polled = Pin::new(&mut self.inner).poll_frame(context);
        self.reading.waiting.store(polled.is_pending(), Ordering::Relaxed);
        Poll::Ready(match ready!(polled) {
            Some(Ok(frame)) => {
                let length = frame.data_ref().map_or(0, |data| data.len() as u64);
                match self.left.checked_sub(length) {
                    Some(left) => {
                        self.left = left;
                        Some(Ok(frame))
                    }
                    None => {
                        self.reading.too_large.store(true, Ordering::Relaxed);
                        Some(Err(Error::HttpRequestBodySize(None)))
                    }
                }
            }
            // The client's connection broke; what exactly happened is of no use to a component.
            Some(Err(_)) => Some(Err(Error::ConnectionTerminated)),
            None => None,
        })
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// Progress of a response's body, for the log.
#[derive(Debug, Default)]
pub struct SendProgress {
    /// Bytes of the body that were handed to the connection.
    pub bytes: AtomicU64,
    /// True once the whole body was.
    pub complete: AtomicBool,
    /// True if the sandbox failed after the head was sent, so that the connection was cut.
    pub failed: AtomicBool,
}
