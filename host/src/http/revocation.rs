//! Ends answers to keys that are taken back or expire while the answer goes on.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use wasmtime_wasi_http::Error;

use crate::auth::keys::{Key, Keys};
use crate::body::ResponseBody;

/// The largest answer that is not watched: it is sent as soon as it is there.
const SMALL_BYTES: u64 = 64 * 1024;

/// An answer to the holder of a key.
struct Revocable {
    body: ResponseBody,
    keys: Arc<Keys>,
    key: Arc<Key>,
    /// Number of changes of the keys at the last look.
    changes: u64,
}

/// Has an answer end when its key is no longer good. A client never takes what was sent so far for the whole of it.
pub fn watch(body: ResponseBody, keys: &Arc<Keys>, key: &Arc<Key>) -> ResponseBody {
    if body.size_hint().upper().is_some_and(|bytes| bytes <= SMALL_BYTES) {
        return body;
    }
    let revocable = Revocable {
        body,
        changes: keys.changes(),
        keys: Arc::clone(keys),
        key: Arc::clone(key),
    };
    revocable.boxed_unsync()
}

impl Revocable {
    fn is_good(&mut self) -> bool {
        let changes = self.keys.changes();
        if std::mem::replace(&mut self.changes, changes) == changes {
            return !self.key.has_expired();
        }
        self.keys.has(&self.key)
    }
}

impl Body for Revocable {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        if !self.is_good() {
            tracing::info!(key = self.key.name, "an answer is cut off: its key is no longer good");
            return Poll::Ready(Some(Err(Error::ConnectionTerminated)));
        }
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
