//! Reads and discards the rest of a request's body when the response is sent before the body is read.
//!
//! A connection that is closed while a client still sends resets it, and many clients then report a broken pipe instead
//! of the answer that says what was wrong. So the rest is read and thrown away, within bounds of time and size (RFC
//! 9112, section 9.6).

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, header};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use tokio::runtime::Handle;

/// Longest time for which a rest is read.
const MAX_DRAIN_TIME: Duration = Duration::from_secs(10);
/// Most bytes of a rest that are read.
const MAX_DRAIN_BYTES: u64 = 64 << 20;

/// A request's body whose rest is read when it is dropped.
pub struct DrainBody<B: Body<Data = Bytes> + Send + Unpin + 'static> {
    body: Option<B>,
    /// True if the client sends it without being asked to, or was asked.
    coming: bool,
    runtime: Handle,
}

impl<B: Body<Data = Bytes> + Send + Unpin + 'static> DrainBody<B> {
    /// Wraps the body of a request with these headers. Must be called in a tokio runtime.
    pub fn new(body: B, headers: &HeaderMap) -> Self {
        Self {
            body: Some(body),
            // Who waits for `100 Continue` sends nothing when it gets an answer instead, and must not be asked for
            // more.
            coming: !headers.contains_key(header::EXPECT),
            runtime: Handle::current(),
        }
    }
}

impl<B: Body<Data = Bytes> + Send + Unpin + 'static> Body for DrainBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        self.coming = true;
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let polled = Pin::new(body).poll_frame(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.body = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        match &self.body {
            Some(body) => body.size_hint(),
            None => SizeHint::with_exact(0),
        }
    }
}

impl<B: Body<Data = Bytes> + Send + Unpin + 'static> Drop for DrainBody<B> {
    fn drop(&mut self) {
        if let Some(body) = self.body.take()
            && self.coming
            && !body.is_end_stream()
        {
            self.runtime
                .spawn(tokio::time::timeout(MAX_DRAIN_TIME, throw_away(body)));
        }
    }
}

async fn throw_away<B: Body<Data = Bytes> + Unpin>(mut body: B) {
    let mut left = MAX_DRAIN_BYTES;
    while let Some(Ok(frame)) = body.frame().await {
        let length = frame.data_ref().map_or(0, |data| data.len() as u64);
        match left.checked_sub(length) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Counts how many of its parts were read, and whether it is still there.
    struct Parts {
        left: usize,
        size: usize,
        read: Arc<AtomicUsize>,
    }

    impl Body for Parts {
        type Data = Bytes;
        type Error = std::convert::Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
            if self.left == 0 {
                return Poll::Ready(None);
            }
            self.left -= 1;
            self.read.fetch_add(1, Ordering::SeqCst);
            Poll::Ready(Some(Ok(Frame::data(vec![0; self.size].into()))))
        }
    }

    /// Returns the number of parts that are read when `wanted` of them are wanted.
    async fn read(parts: usize, size: usize, wanted: usize, headers: &HeaderMap) -> usize {
        let read = Arc::<AtomicUsize>::default();
        let parts = Parts {
            left: parts,
            size,
            read: Arc::clone(&read),
        };
        let mut rest = DrainBody::new(parts, headers);
        for _ in 0..wanted {
            assert!(rest.frame().await.is_some());
        }
        drop(rest);
        // The spawned task runs before this one goes on: there is one thread, and it does not wait for anything.
        tokio::task::yield_now().await;
        read.load(Ordering::SeqCst)
    }

    #[tokio::test]
    async fn the_rest_is_read_within_bounds() {
        let headers = HeaderMap::new();
        assert_eq!(read(5, 10, 0, &headers).await, 5);
        assert_eq!(read(5, 10, 2, &headers).await, 5);
        assert_eq!(read(1000, 1 << 20, 2, &headers).await, 2 + 64 + 1);
    }

    #[tokio::test]
    async fn who_waits_to_be_asked_is_not_asked() {
        let headers = HeaderMap::from_iter([(header::EXPECT, "100-continue".parse().unwrap())]);
        assert_eq!(read(5, 10, 0, &headers).await, 0);
        assert_eq!(read(5, 10, 1, &headers).await, 5);
    }
}
