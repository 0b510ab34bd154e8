//! Bodies that are put into another form while they are made.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body, Frame};
use http_body_util::BodyExt;
use wasmtime_wasi_http::Error;

use crate::body::ResponseBody;

/// Turns the bytes of one form into those of another, piece by piece.
pub trait Translate: Send + 'static {
    /// Takes a piece, and appends what can be said now.
    ///
    /// # Errors
    /// When the bytes are not of the form that is expected; the reason is for the log.
    fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) -> Result<(), String>;

    /// Ends, and appends the rest.
    ///
    /// # Errors
    /// When something is missing.
    fn end(&mut self, out: &mut Vec<u8>) -> Result<(), String>;
}

/// Translates a body on the threads that write; for what costs next to nothing.
pub fn inline(body: ResponseBody, translation: impl Translate + Unpin, id: &str) -> ResponseBody {
    Inline {
        body,
        translation,
        id: id.to_owned(),
        ended: false,
    }
    .boxed_unsync()
}

struct Inline<T> {
    body: ResponseBody,
    translation: T,
    id: String,
    ended: bool,
}

impl<T: Translate + Unpin> Body for Inline<T> {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let this = &mut *self;
        while !this.ended {
            let mut out = Vec::new();
            let translated = match ready!(Pin::new(&mut this.body).poll_frame(context)) {
                Some(Ok(frame)) => match frame.data_ref() {
                    Some(piece) => this.translation.push(piece, &mut out),
                    None => Ok(()),
                },
                Some(Err(error)) => {
                    this.ended = true;
                    return Poll::Ready(Some(Err(error)));
                }
                None => {
                    this.ended = true;
                    this.translation.end(&mut out)
                }
            };
            if let Err(problem) = translated {
                this.ended = true;
                return Poll::Ready(Some(Err(cut(&this.id, &problem))));
            }
            if !out.is_empty() {
                return Poll::Ready(Some(Ok(Frame::data(out.into()))));
            }
        }
        Poll::Ready(None)
    }
}

/// A client never takes half an answer for a whole one.
fn cut(id: &str, problem: &str) -> Error {
    tracing::error!(%id, problem, "the answer was cut off");
    Error::HttpResponseIncomplete
}
