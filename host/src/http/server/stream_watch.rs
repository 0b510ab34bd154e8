//! Ends responses that a client of HTTP/2 does not read.
//!
//! A client opens a window for each stream. While it is closed hyper does not ask for the response's body, so nothing that
//! the body knows of time helps; and the connection moves all the while, by pings. So each stream's task is watched from
//! outside: where a response was begun and its body has not been asked for anything for too long, the task is dropped,
//! which resets the stream. A client that opens its window a little now and then is held to a least pace. The other
//! streams of the connection go on.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::rt::Executor;
use tokio::time::{Instant, Sleep};

use crate::admission::Pace;

tokio::task_local! {
    static PROGRESS: Arc<Progress>;
}

/// Starts the tasks of HTTP/2 streams, each with a watch.
#[derive(Debug, Clone, Copy)]
pub struct StreamExecutor {
    /// Time for which a response may not be read.
    pub limit: Duration,
    /// The least pace at which a response is read.
    pub pace: Pace,
}

impl<F> Executor<F> for StreamExecutor
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    fn execute(&self, stream: F) {
        let progress = Arc::new(Progress::new(self.pace));
        tokio::spawn(Watched {
            stream: Box::pin(PROGRESS.scope(Arc::clone(&progress), stream)),
            progress,
            limit: self.limit,
            timer: None,
        });
    }
}

/// When a client last read of a response.
#[derive(Debug)]
pub struct Progress {
    epoch: Instant,
    /// Nanoseconds from the epoch; 0 before there is a response.
    read: AtomicU64,
    taking: Mutex<Taking>,
}

/// The pace at which a client takes what it is given.
#[derive(Debug)]
struct Taking {
    pace: Pace,
    /// Time since which a piece waits for the client.
    given: Option<Instant>,
}

impl Progress {
    fn new(pace: Pace) -> Self {
        Self {
            epoch: Instant::now(),
            read: AtomicU64::new(0),
            taking: Mutex::new(Taking { pace, given: None }),
        }
    }

    /// That of the stream whose task this is; none in HTTP/1, where the connection's write time-out is enough.
    pub fn current() -> Option<Arc<Self>> {
        PROGRESS.try_with(Arc::clone).ok()
    }

    /// The client took what there was.
    pub fn read(&self) {
        let nanoseconds = u64::try_from(self.epoch.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.read.store(nanoseconds.max(1), Ordering::Relaxed);
    }

    /// A piece was given to the connection, which asks for the next one when the client has room for it.
    pub fn gave(&self, bytes: u64) {
        let mut taking = self.taking.lock().unwrap_or_else(PoisonError::into_inner);
        taking.given = Some(Instant::now());
        taking.pace.moved(bytes);
    }

    /// Returns true if the client was too slow to take the piece before.
    pub fn too_slow(&self) -> bool {
        let mut taking = self.taking.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = taking.given.take().map(|since| since.elapsed());
        waited.is_some_and(|waited| !taking.pace.waited(waited))
    }

    fn last(&self) -> Option<Instant> {
        let read = self.read.load(Ordering::Relaxed);
        (read > 0).then(|| self.epoch + Duration::from_nanos(read))
    }
}

/// The task of a stream.
struct Watched<F> {
    stream: Pin<Box<F>>,
    progress: Arc<Progress>,
    limit: Duration,
    /// Set when a response waits for its client the first time, which most never do.
    timer: Option<Pin<Box<Sleep>>>,
}

impl<F: Future> Future for Watched<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.stream.as_mut().poll(context).is_ready() {
            return Poll::Ready(());
        }
        loop {
            // As long as there is no response, the request's own limits hold.
            let Some(last) = self.progress.last() else {
                return Poll::Pending;
            };
            let due = last + self.limit;
            let timer = self
                .timer
                .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(due)));
            ready!(timer.as_mut().poll(context));
            if Instant::now() >= due {
                tracing::debug!("a stream is reset: its client does not read the response");
                return Poll::Ready(());
            }
            // It was set before the last reading.
            timer.as_mut().reset(due);
        }
    }
}
