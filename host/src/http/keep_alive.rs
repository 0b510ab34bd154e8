//! Comments in streams of events while nothing happens, so that no proxy takes a client that waits for a model for one
//! that was left alone. Clients pass comments over (WHATWG HTML, 9.2.6; 9.2.7 advises one about every 15 seconds).

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, header};
use http_body::{Body, Frame};
use http_body_util::BodyExt;
use quartet_api::operations::EVENT_STREAM;
use tokio::time::{Instant, Sleep};
use wasmtime_wasi_http::Error;

use crate::body::ResponseBody;

/// Time without an event after which a comment is sent.
const COMMENT_AFTER: Duration = Duration::from_secs(15);
/// A comment, and the line that ends it.
const COMMENT: &[u8] = b": waiting\n\n";
/// End of an event.
const EVENT_END: &[u8] = b"\n\n";

/// Returns true if a response with these headers is a stream of events.
pub fn is_event_stream(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| {
        let kind = kind.split(';').next().unwrap_or_default();
        kind.trim().eq_ignore_ascii_case(EVENT_STREAM)
    })
}

/// Has a comment sent whenever no event comes for a while; bodies that are no events stay as they are.
pub fn comment(body: ResponseBody, headers: &HeaderMap) -> ResponseBody {
    comment_after(body, headers, COMMENT_AFTER)
}

fn comment_after(body: ResponseBody, headers: &HeaderMap, after: Duration) -> ResponseBody {
    if !is_event_stream(headers) {
        return body;
    }
    let commented = Commented {
        body,
        timer: Box::pin(tokio::time::sleep(after)),
        after,
        between_events: true,
    };
    commented.boxed_unsync()
}

/// A stream of events with comments in it.
struct Commented {
    body: ResponseBody,
    timer: Pin<Box<Sleep>>,
    /// Time without an event after which a comment is sent.
    after: Duration,
    /// True where a comment may stand.
    between_events: bool,
}

impl Body for Commented {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(frame) = frame {
            if let Some(data) = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()) {
                self.between_events = data.ends_with(EVENT_END);
            }
            self.wait_again();
            return Poll::Ready(frame);
        }
        ready!(self.timer.as_mut().poll(context));
        self.wait_again();
        if self.between_events {
            return Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(COMMENT)))));
        }
        // Half an event is there: a comment would break it, and its end will wake whoever reads.
        Poll::Pending
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}

impl Commented {
    fn wait_again(&mut self) {
        let due = Instant::now() + self.after;
        self.timer.as_mut().reset(due);
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures_util::stream;
    use http::HeaderValue;
    use http_body_util::StreamBody;
    use tokio::sync::mpsc::{Sender, channel};

    use super::*;

    /// A body of this kind with comments after some time, and the way to give it pieces.
    fn body(kind: &'static str, after: Duration) -> (ResponseBody, Sender<&'static str>) {
        let (sender, receiver) = channel(1);
        let pieces = stream::unfold(receiver, async |mut receiver| {
            let piece: &str = receiver.recv().await?;
            Some((Ok::<_, Infallible>(Frame::data(Bytes::from(piece))), receiver))
        });
        let body = StreamBody::new(pieces).map_err(|never| match never {}).boxed_unsync();
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(kind))]);
        (comment_after(body, &headers, after), sender)
    }

    async fn next(body: &mut ResponseBody) -> Bytes {
        let frame = body.frame().await.expect("a frame").expect("no error");
        frame.into_data().expect("data")
    }

    /// Returns true if nothing comes for a while.
    async fn is_silent(body: &mut ResponseBody) -> bool {
        tokio::time::timeout(Duration::from_millis(50), body.frame())
            .await
            .is_err()
    }

    #[tokio::test]
    async fn comments_stand_between_events_that_are_long_in_coming() {
        let (mut events, sender) = body("text/event-stream; charset=utf-8", Duration::from_millis(1));
        assert_eq!(next(&mut events).await, COMMENT);
        assert_eq!(next(&mut events).await, COMMENT);
        sender.send("data:").await.expect("sent");
        while next(&mut events).await != "data:" {}
        assert!(is_silent(&mut events).await);
        sender.send(" 1\n\n").await.expect("sent");
        assert_eq!(next(&mut events).await, " 1\n\n");
        assert_eq!(next(&mut events).await, COMMENT);
        drop(sender);
        while let Some(frame) = events.frame().await {
            assert_eq!(frame.expect("no error").into_data().expect("data"), COMMENT);
        }
    }

    #[tokio::test]
    async fn nothing_else_has_comments() {
        let (mut text, _sender) = body("text/plain", Duration::from_millis(1));
        assert!(is_silent(&mut text).await);
        let (mut events, _sender) = body("text/event-stream", Duration::from_secs(3_600));
        assert!(is_silent(&mut events).await);
    }
}
