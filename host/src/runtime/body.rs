//! The body of a response on its way out of a sandbox.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use quartet_api::Code;
use tokio::time::{Instant, Sleep};
use wasmtime_wasi_http::Error;
use wasmtime_wasi_http::p2::body::HyperOutgoingBody;

use super::run::Supervisor;
use crate::admission::Meter;
use crate::body::SendProgress;
use crate::failure::Failure;

/// Time for which the end of a body waits for the end of its sandbox.
const LAST_FRAME_PATIENCE: Duration = Duration::from_millis(100);

/// Notices that nothing moves any more. Its timer is set only when there is something to wait for, and not again with
/// each movement: most answers never wait, and a timer costs a lock that all connections share.
struct Stall {
    limit: Duration,
    moved: Instant,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Stall {
    fn new(limit: Duration) -> Self {
        Self {
            limit,
            moved: Instant::now(),
            timer: None,
        }
    }

    fn moved(&mut self) {
        self.moved = Instant::now();
    }

    /// Ready when nothing moved for the allowed time.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let due = self.moved + self.limit;
        let timer = self
            .timer
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(due)));
        loop {
            ready!(timer.as_mut().poll(context));
            if Instant::now() >= due {
                return Poll::Ready(());
            }
            // It was set before the last movement.
            timer.as_mut().reset(due);
        }
    }
}

/// A response's body from a sandbox. Ends with an error, which cuts the connection, when the sandbox failed after its
/// head was sent: a client never takes half an answer for a whole one.
pub struct OutgoingBody {
    inner: HyperOutgoingBody,
    supervisor: Supervisor,
    inner_done: bool,
    last: Option<(Frame<Bytes>, Stall)>,
    left: u64,
    declared: Option<u64>,
    stall: Stall,
    meter: Arc<Meter>,
    /// Graphs that its sandbox had when this was last looked at.
    graphs: u64,
    sent: Arc<SendProgress>,
    request_id: Arc<str>,
}

impl OutgoingBody {
    /// Bounds a body to `limit` bytes, and to `stall` without a byte; the time in which its sandbox waits for a graph is the
    /// machine's and does not count.
    pub fn new(
        response: HyperOutgoingBody,
        supervisor: Supervisor,
        limit: u64,
        declared: Option<u64>,
        stall: Duration,
        meter: Arc<Meter>,
        request_id: Arc<str>,
    ) -> (Self, Arc<SendProgress>) {
        let sent = Arc::<SendProgress>::default();
        let body = Self {
            inner: response,
            supervisor,
            inner_done: false,
            last: None,
            left: limit,
            declared,
            stall: Stall::new(stall),
            graphs: meter.graphs().0,
            meter,
            sent: Arc::clone(&sent),
            request_id,
        };
        (body, sent)
    }

    /// Returns true if its sandbox waits for a graph, or had one since this was last asked.
    fn had_graphs(&mut self) -> bool {
        let (done, awaits) = self.meter.graphs();
        let before = std::mem::replace(&mut self.graphs, done);
        awaits || done > before
    }

    fn fail(&self, failure: &Failure) -> Error {
        self.sent.failed.store(true, Ordering::Relaxed);
        tracing::error!(
            id = %self.request_id, code = failure.code.word(), internal = failure.internal.as_deref(),
            "the answer was cut off"
        );
        Error::HttpResponseIncomplete
    }
}

impl OutgoingBody {
    /// Sends the frame that makes the body whole. A connection does not ask for the end of a body whose length it
    /// knows, and would drop it while the sandbox is about to end by itself; so the frame waits for that end, a little.
    fn poll_last(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        match Pin::new(&mut self.supervisor).poll(context) {
            Poll::Ready(outcome) => {
                self.supervisor = Supervisor::Ended;
                if let Err(failure) = outcome {
                    tracing::warn!(
                        id = %self.request_id, code = failure.code.word(), internal = failure.internal.as_deref(),
                        "the component failed after its answer was complete"
                    );
                }
            }
            Poll::Pending => {
                if let Some((_, patience)) = &mut self.last {
                    ready!(patience.poll(context));
                }
            }
        }
        self.sent.complete.store(true, Ordering::Relaxed);
        Poll::Ready(self.last.take().map(|(frame, _)| Ok(frame)))
    }
}

impl Body for OutgoingBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        if self.last.is_some() {
            return self.poll_last(context);
        }
        if !self.inner_done {
            match Pin::new(&mut self.inner).poll_frame(context) {
                Poll::Ready(Some(Ok(frame))) => {
                    let length = frame.data_ref().map_or(0, |data| data.len() as u64);
                    let Some(left) = self.left.checked_sub(length) else {
                        let failure = Failure::new(Code::ResponseTooLarge, "").with_internal("the body is too large");
                        return Poll::Ready(Some(Err(self.fail(&failure))));
                    };
                    self.left = left;
                    let bytes = self.sent.bytes.fetch_add(length, Ordering::Relaxed) + length;
                    self.stall.moved();
                    if self.declared == Some(bytes) {
                        self.last = Some((frame, Stall::new(LAST_FRAME_PATIENCE)));
                        return self.poll_last(context);
                    }
                    return Poll::Ready(Some(Ok(frame)));
                }
                Poll::Ready(Some(Err(error))) => {
                    let failure = Failure::internal(format!("the component gave its body up: {error:?}"));
                    return Poll::Ready(Some(Err(self.fail(&failure))));
                }
                Poll::Ready(None) => self.inner_done = true,
                Poll::Pending => {
                    ready!(self.stall.poll(context));
                    while self.had_graphs() {
                        self.stall.moved();
                        ready!(self.stall.poll(context));
                    }
                    let failure =
                        Failure::new(Code::DeadlineExceeded, "").with_internal("the component stopped writing");
                    return Poll::Ready(Some(Err(self.fail(&failure))));
                }
            }
        }
        // The body is over; whether it is whole, the sandbox's end tells.
        match ready!(Pin::new(&mut self.supervisor).poll(context)) {
            Err(failure) => Poll::Ready(Some(Err(self.fail(&failure)))),
            Ok(()) => {
                self.sent.complete.store(true, Ordering::Relaxed);
                Poll::Ready(None)
            }
        }
    }

    fn size_hint(&self) -> SizeHint {
        self.declared.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use http_body_util::{BodyExt as _, StreamBody};

    use super::*;

    const STALL: Duration = Duration::from_millis(50);
    /// Ends a test that would never end.
    const LONG: Duration = Duration::from_secs(60);

    /// A body that never writes.
    fn silent(meter: &Arc<Meter>) -> OutgoingBody {
        let never = futures_util::stream::pending::<Result<Frame<Bytes>, Error>>();
        let inner = StreamBody::new(never).boxed_unsync();
        let meter = Arc::clone(meter);
        OutgoingBody::new(inner, Supervisor::Ended, u64::MAX, None, STALL, meter, "id".into()).0
    }

    async fn is_cut_within(body: &mut OutgoingBody, time: Duration) -> bool {
        let frame = poll_fn(|context| Pin::new(&mut *body).poll_frame(context));
        tokio::time::timeout(time, frame)
            .await
            .is_ok_and(|frame| matches!(frame, Some(Err(_))))
    }

    #[tokio::test]
    async fn a_body_that_waits_for_a_graph_is_not_cut() {
        let meter = Arc::<Meter>::default();
        let mut body = silent(&meter);
        assert!(is_cut_within(&mut body, LONG).await, "nothing is computed for it");
        let mut body = silent(&meter);
        let graph = meter.awaits_graph();
        assert!(!is_cut_within(&mut body, STALL * 5).await);
        drop(graph);
        assert!(body.had_graphs() && !body.had_graphs(), "it has time to write, once");
        assert!(is_cut_within(&mut body, LONG).await, "it does not write");
    }
}
