//! Bodies of requests and responses, and their progress.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::combinators::UnsyncBoxBody;
use wasmtime_wasi_http::Error;

/// The body of every response.
pub type ResponseBody = UnsyncBoxBody<Bytes, Error>;

/// A request's body that has been read: nobody waits for its client any more.
pub struct ReadBody {
    pieces: VecDeque<Bytes>,
    left: u64,
    counted: Counted,
}

/// Gives memory back to where it was counted, when it is dropped.
pub type Counted = Option<Box<dyn Send + Sync>>;

impl ReadBody {
    /// A body of these pieces, which is counted somewhere until `counted` is dropped.
    pub fn new(pieces: VecDeque<Bytes>, counted: Counted) -> Self {
        Self {
            left: pieces.iter().map(|piece| piece.len() as u64).sum(),
            pieces,
            counted,
        }
    }

    /// The size in bytes.
    pub fn size(&self) -> u64 {
        self.left
    }

    /// All of it in one piece.
    pub fn into_bytes(self) -> Bytes {
        self.into_counted().0
    }

    /// All of it in one piece, and what has it counted until it is dropped.
    pub fn into_counted(mut self) -> (Bytes, Counted) {
        let bytes = match self.pieces.len() {
            0 | 1 => self.pieces.pop_front().unwrap_or_default(),
            _ => self.pieces.iter().flatten().copied().collect(),
        };
        (bytes, self.counted)
    }
}

impl From<Bytes> for ReadBody {
    fn from(bytes: Bytes) -> Self {
        let pieces = if bytes.is_empty() {
            VecDeque::new()
        } else {
            VecDeque::from([bytes])
        };
        Self::new(pieces, None)
    }
}

impl Body for ReadBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        Poll::Ready(self.pieces.pop_front().map(|piece| {
            self.left -= piece.len() as u64;
            Ok(Frame::data(piece))
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.pieces.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
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

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    #[tokio::test]
    async fn what_was_read_is_handed_on_whole() {
        let pieces = || VecDeque::from([Bytes::from_static(b"ab"), Bytes::from_static(b"c")]);
        let body = ReadBody::new(pieces(), None);
        assert_eq!((body.size(), body.size_hint().exact()), (3, Some(3)));
        assert_eq!(body.collect().await.unwrap().to_bytes(), "abc");
        assert_eq!(ReadBody::new(pieces(), None).into_bytes(), "abc");
        assert!(ReadBody::from(Bytes::new()).is_end_stream());
    }
}
