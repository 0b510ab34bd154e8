//! Output of a guest: kept for the log up to a bound, the rest dropped.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use tokio::io::AsyncWrite;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamResult};

/// Bytes of a request's output that are kept.
const KEPT_BYTES: usize = 4096;

/// Standard output and standard error of one sandbox.
#[derive(Debug, Clone, Default)]
pub struct GuestOutput(Arc<Mutex<Vec<u8>>>);

impl GuestOutput {
    /// The output, as far as it was kept.
    pub fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).trim_end().to_owned()
    }

    fn keep(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = KEPT_BYTES - kept.len();
        kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

/// A stream into a [`GuestOutput`]. Never blocks.
#[derive(Debug, Clone)]
pub struct GuestOutputStream(pub GuestOutput);

impl IsTerminal for GuestOutputStream {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for GuestOutputStream {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

impl AsyncWrite for GuestOutputStream {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.0.keep(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

impl OutputStream for GuestOutputStream {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.0.keep(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(64 * 1024)
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for GuestOutputStream {
    async fn ready(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_beginning_and_drops_the_rest() {
        let output = GuestOutput::default();
        for _ in 0..1000 {
            output.keep(b"0123456789");
        }
        assert_eq!(output.text().len(), KEPT_BYTES);
        assert!(output.text().starts_with("0123456789"));
    }
}
