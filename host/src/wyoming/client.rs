//! The client of a connection, as those who answer it see it: where it is, and how events get to it.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::time::Duration;

use serde::Serialize;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::net::tcp::OwnedWriteHalf;
use tokio_io_timeout::TimeoutWriter;

use super::event;
use crate::admission::Pace;
use crate::failure::Failure;
use crate::http::server::paced_stream::PacedStream;

/// A client.
pub struct Client {
    /// Its address.
    pub address: IpAddr,
    writer: Pin<Box<dyn AsyncWrite + Send>>,
    /// Events that are to be sent together.
    out: Vec<u8>,
}

/// The reason why an answer ends early.
#[derive(Debug)]
pub enum Stopped {
    /// The client has gone, or takes nothing.
    Left,
    /// It cannot be made.
    Failed(Failure),
}

impl From<io::Error> for Stopped {
    fn from(_: io::Error) -> Self {
        Self::Left
    }
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl Client {
    /// A client that takes what is sent at a least pace, and never stands still for longer than `stall`.
    pub fn new(address: IpAddr, writer: OwnedWriteHalf, pace: Pace, stall: Duration) -> Self {
        let mut writer = TimeoutWriter::new(PacedStream::new(writer, pace));
        writer.set_timeout(Some(stall));
        Self {
            address,
            writer: Box::pin(writer),
            out: Vec::new(),
        }
    }

    /// Adds an event to those that are sent next.
    pub fn add(&mut self, kind: &str, data: &impl Serialize, payload: &[u8]) {
        event::write(&mut self.out, kind, data, payload);
    }

    /// Sends what was added.
    ///
    /// # Errors
    /// When the client has gone or takes nothing.
    pub async fn flush(&mut self) -> io::Result<()> {
        self.writer.write_all(&self.out).await?;
        self.out.clear();
        self.writer.flush().await
    }

    /// Sends an event.
    ///
    /// # Errors
    /// When the client has gone or takes nothing.
    pub async fn send(&mut self, kind: &str, data: &impl Serialize) -> io::Result<()> {
        self.add(kind, data, &[]);
        self.flush().await
    }

    /// Sends a failure.
    ///
    /// # Errors
    /// When the client has gone or takes nothing.
    pub async fn fail(&mut self, failure: &Failure) -> io::Result<()> {
        #[derive(Serialize)]
        struct Error<'a> {
            text: &'a str,
            code: &'static str,
        }
        let error = Error {
            text: &failure.message,
            code: failure.code.word(),
        };
        self.send("error", &error).await
    }

    /// Ends what is sent.
    pub async fn close(&mut self) {
        // Whoever has gone hears no end, either.
        let _ = self.writer.shutdown().await;
    }
}
