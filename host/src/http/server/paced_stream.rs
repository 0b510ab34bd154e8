//! A connection whose client must take what is sent at a least pace.
//!
//! The write time-out of a connection ends what stands still. This ends what moves a little before each of these ends:
//! time counts while the system takes no more bytes, because the client does not.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

use crate::admission::Pace;

/// A stream of bytes with a least pace of writing.
pub struct PacedStream<S> {
    inner: S,
    pace: Pace,
    /// Time since which nothing can be written.
    blocked: Option<Instant>,
}

impl<S> PacedStream<S> {
    /// Holds the reader of a stream to a pace.
    pub fn new(inner: S, pace: Pace) -> Self {
        Self {
            inner,
            pace,
            blocked: None,
        }
    }

    fn wrote(&mut self, polled: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &polled {
            Poll::Pending => {
                self.blocked.get_or_insert_with(Instant::now);
            }
            Poll::Ready(Ok(bytes)) => {
                let waited = self.blocked.take().map(|since| since.elapsed());
                if waited.is_some_and(|waited| !self.pace.waited(waited)) {
                    return Poll::Ready(Err(io::Error::new(
                        io::ErrorKind::TimedOut,
                        "the client takes the answer too slowly",
                    )));
                }
                self.pace.moved(*bytes as u64);
            }
            Poll::Ready(Err(_)) => {}
        }
        polled
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PacedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PacedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.wrote(polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.inner).poll_write_vectored(context, slices);
        self.wrote(polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    /// Writes to a reader that takes `bytes` every 10 ms. Returns the error that ends it, if one does.
    async fn written(bytes: usize) -> Option<io::ErrorKind> {
        let (server, mut client) = duplex(64);
        let mut stream = PacedStream::new(server, Pace::new(20_000, Duration::from_millis(200)));
        let reader = tokio::spawn(async move {
            let mut taken = vec![0; bytes];
            while client.read_exact(&mut taken).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
        let mut end = None;
        for _ in 0..150 {
            if let Err(error) = stream.write_all(&[1; 64]).await {
                end = Some(error.kind());
                break;
            }
        }
        drop(stream);
        reader.await.unwrap();
        end
    }

    #[tokio::test]
    async fn who_takes_a_little_now_and_then_is_not_waited_for() {
        assert_eq!(written(8).await, Some(io::ErrorKind::TimedOut));
    }
}
