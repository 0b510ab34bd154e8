//! Bodies of requests, read before their requests take a place to run: a client that sends slowly holds memory for what
//! it sent, and nothing else.
//!
//! The memory is bounded in all and for each client by the rule of the [places](super::Gate): a client may hold a part
//! of what is left, so that there is always some for who comes next. (Choudhury and Hahne: Dynamic queue length
//! thresholds for shared-memory packet switches, 1998.)

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::{Bytes, BytesMut};
use http_body::Body;
use http_body_util::BodyExt;
use quartet_api::Code;
use tokio::time::{Instant, timeout};

use super::pace::Pace;
use super::threshold;
use crate::auth::Client;
use crate::body::ReadBody;
use crate::config::Limits;
use crate::failure::Failure;

/// Size of the pieces that a body is copied into. What a connection hands over may be a few bytes of a large buffer.
const PIECE_BYTES: usize = 64 * 1024;

/// Bytes that any client may hold as long as there are so many: a request with a document of a usual size.
const SMALL_BYTES: usize = 64 * 1024;

/// Seconds until a client that found no room may try again: about what a request in a place takes.
const RETRY_SECONDS: u64 = 2;

/// Reads the bodies of requests.
#[derive(Clone)]
pub struct Intake(Arc<Shared>);

struct Shared {
    most: usize,
    client_percent: usize,
    body_bytes: u64,
    pace: Pace,
    held: Mutex<Held>,
}

/// Bytes that are held.
#[derive(Default)]
struct Held {
    all: usize,
    of_client: HashMap<Client, usize>,
}

/// Bytes of one body, given back when dropped.
struct Counted {
    shared: Arc<Shared>,
    client: Client,
    bytes: usize,
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut held = self.shared.lock();
        held.all -= self.bytes;
        if let Some(of_client) = held.of_client.get_mut(&self.client) {
            *of_client -= self.bytes;
            if *of_client == 0 {
                held.of_client.remove(&self.client);
            }
        }
    }
}

impl Counted {
    /// Counts more bytes, if there is room for them.
    fn add(&mut self, bytes: usize) -> bool {
        let shared = &self.shared;
        let mut held = shared.lock();
        let Some(left) = shared.most.checked_sub(held.all + bytes) else {
            return false;
        };
        let own = held.of_client.get(&self.client).copied().unwrap_or(0);
        let share = threshold(left, shared.client_percent).max(SMALL_BYTES);
        if own + bytes > share {
            return false;
        }
        held.all += bytes;
        *held.of_client.entry(self.client).or_default() += bytes;
        self.bytes += bytes;
        true
    }
}

impl Intake {
    /// An intake with the configured bounds.
    pub fn new(limits: &Limits) -> Self {
        Self(Arc::new(Shared {
            most: limits.bodies_bytes,
            client_percent: limits.client_percent,
            body_bytes: limits.body_bytes,
            pace: Pace::new(limits.receive_bytes_per_second, limits.stall_seconds),
            held: Mutex::default(),
        }))
    }

    /// Reads a body. It is counted until it is dropped.
    ///
    /// # Errors
    /// When it is too large or too slow, ends before it is whole, or finds no room.
    pub async fn read<B>(&self, client: Client, mut body: B) -> Result<ReadBody, Failure>
    where
        B: Body<Data = Bytes> + Unpin,
    {
        if body.is_end_stream() {
            return Ok(Bytes::new().into());
        }
        self.check(body.size_hint().lower())?;
        let mut counted = Counted {
            shared: Arc::clone(&self.0),
            client,
            bytes: 0,
        };
        let mut pace = self.0.pace;
        let (mut pieces, mut last, mut size) = (VecDeque::new(), BytesMut::new(), 0);
        loop {
            let begun = Instant::now();
            let Ok(frame) = timeout(pace.left(), body.frame()).await else {
                return Err(slow_body());
            };
            let data = match frame {
                None => break,
                Some(Ok(frame)) => frame.into_data().unwrap_or_default(),
                Some(Err(_)) => {
                    return Err(Failure::new(
                        Code::MalformedRequest,
                        "the request's body ended before it was whole",
                    ));
                }
            };
            size += data.len() as u64;
            if size > self.0.body_bytes {
                return Err(self.too_large());
            }
            if !counted.add(data.len()) {
                return Err(full());
            }
            if !pace.waited(begun.elapsed()) {
                return Err(slow_body());
            }
            pace.moved(data.len() as u64);
            let mut rest = &data[..];
            while !rest.is_empty() {
                let (now, later) = rest.split_at(rest.len().min(PIECE_BYTES - last.len()));
                last.extend_from_slice(now);
                rest = later;
                if last.len() == PIECE_BYTES {
                    pieces.push_back(last.split().freeze());
                }
            }
        }
        if !last.is_empty() {
            pieces.push_back(last.freeze());
        }
        Ok(ReadBody::new(pieces, Some(Box::new(counted))))
    }

    /// Checks the size of a body before it is read.
    ///
    /// # Errors
    /// When it is too large.
    pub fn check(&self, bytes: u64) -> Result<(), Failure> {
        if bytes > self.0.body_bytes {
            return Err(self.too_large());
        }
        Ok(())
    }

    /// Bytes of bodies that are held, and how many may be.
    pub fn bytes(&self) -> (usize, usize) {
        (self.0.lock().all, self.0.most)
    }

    /// The failure of a request that is larger than allowed.
    pub fn too_large(&self) -> Failure {
        let limit = self.0.body_bytes;
        Failure::new(
            Code::PayloadTooLarge,
            format!("the request's body is larger than the {limit} bytes allowed"),
        )
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Held> {
        // Nothing panics while it is locked.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn slow_body() -> Failure {
    Failure::new(Code::RequestTimeout, "the request's body did not arrive in time")
}

fn full() -> Failure {
    let message = "the service holds as many bytes of requests as it may; try again in a few seconds";
    Failure::new(Code::Busy, message).retry_after(RETRY_SECONDS)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::net::IpAddr;
    use std::pin::Pin;
    use std::task::{Context, Poll};
    use std::time::Duration;

    use http_body::Frame;
    use http_body_util::Full;
    use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

    use super::*;

    fn client(last: u8) -> Client {
        IpAddr::from([192, 0, 2, last]).into()
    }

    fn intake(most: usize) -> Intake {
        Intake::new(&Limits {
            bodies_bytes: most,
            stall_seconds: Duration::from_millis(50),
            ..Limits::default()
        })
    }

    fn body(bytes: usize) -> Full<Bytes> {
        vec![7; bytes].into()
    }

    /// A body that its test sends piece by piece.
    struct Sent(UnboundedReceiver<Bytes>);

    impl Body for Sent {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            self.0
                .poll_recv(context)
                .map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
        }
    }

    fn sent() -> (UnboundedSender<Bytes>, Sent) {
        let (sender, receiver) = unbounded_channel();
        (sender, Sent(receiver))
    }

    async fn failure(read: impl Future<Output = Result<ReadBody, Failure>>) -> Code {
        read.await.err().expect("a failure").code
    }

    #[tokio::test]
    async fn a_body_is_counted_while_it_is_there() {
        let intake = intake(1 << 20);
        let (sender, pieces) = sent();
        for piece in [&[1_u8; 100_000][..], &[2; 3], &[]] {
            sender.send(Bytes::copy_from_slice(piece)).unwrap();
        }
        drop(sender);
        let read = intake.read(client(1), pieces).await.map_err(|_| ()).unwrap();
        assert_eq!((read.size(), intake.bytes().0), (100_003, 100_003));
        let bytes = read.into_bytes();
        assert!(bytes.len() == 100_003 && bytes.ends_with(&[1, 2, 2, 2]));
        assert_eq!(intake.bytes().0, 0);
        assert!(intake.0.lock().of_client.is_empty());
    }

    #[tokio::test]
    async fn what_does_not_come_is_not_waited_for() {
        let intake = intake(1 << 20);
        let (sender, pieces) = sent();
        sender.send(Bytes::from_static(b"{")).unwrap();
        assert_eq!(failure(intake.read(client(1), pieces)).await, Code::RequestTimeout);
        assert_eq!(intake.bytes().0, 0, "nothing stays of it");
    }

    #[tokio::test]
    async fn a_client_leaves_room_for_the_next() {
        let intake = intake(4 << 20);
        let first = intake.read(client(1), body(2 << 20)).await;
        assert!(first.is_ok());
        assert_eq!(failure(intake.read(client(1), body(1 << 20))).await, Code::Busy);
        let second = intake.read(client(2), body(1 << 20)).await;
        assert!(second.is_ok());
        assert_eq!(failure(intake.read(client(3), body(1 << 20))).await, Code::Busy);
        assert!(intake.read(client(3), body(1 << 19)).await.is_ok());
        drop(first);
        assert!(intake.read(client(3), body(1 << 20)).await.is_ok());
    }

    #[tokio::test]
    async fn what_is_too_large_is_refused_before_and_while_it_is_read() {
        let intake = Intake::new(&Limits {
            body_bytes: 10,
            ..Limits::default()
        });
        assert_eq!(failure(intake.read(client(1), body(11))).await, Code::PayloadTooLarge);
        let (sender, pieces) = sent();
        for _ in 0..2 {
            sender.send(Bytes::from_static(b"123456")).unwrap();
        }
        assert_eq!(failure(intake.read(client(1), pieces)).await, Code::PayloadTooLarge);
    }
}
