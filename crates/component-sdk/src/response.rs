//! A response as components write it.

use std::io::{self, Write};

use quartet_api::operations::EVENT_STREAM;
use quartet_api::{Code, FailureBody, Success};
use serde::Serialize;

/// One response.
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// Names in lower case. `content-length` is added where the body's length is known.
    pub headers: Vec<(&'static str, String)>,
    /// Body.
    pub body: Body,
}

/// The body of a response.
pub enum Body {
    /// All of it.
    Whole(Vec<u8>),
    /// Made while it is sent.
    Stream {
        /// Total length of all chunks in bytes, where it is known before.
        length: Option<u64>,
        /// The chunks, in order.
        chunks: Box<dyn Iterator<Item = Vec<u8>>>,
    },
    /// Written while it is made. A write that fails says that the client has left, and then there is nothing to go on for.
    Written(Writing),
}

/// Makes a body and writes it.
pub type Writing = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()>>;

impl Response {
    /// A JSON document with a status.
    pub(crate) fn json(status: u16, document: &impl Serialize) -> Self {
        match serde_json::to_vec(document) {
            Ok(bytes) => Self {
                status,
                headers: vec![("content-type", "application/json".to_owned())],
                body: Body::Whole(bytes),
            },
            // A document of ours that cannot be written is a defect of ours; the client still gets valid JSON.
            Err(_) => Self::json(
                Code::Internal.status(),
                &FailureBody::new(Code::Internal, "the result could not be written", None),
            ),
        }
    }

    /// A result in the success envelope.
    pub fn success(data: &impl Serialize) -> Self {
        Self::json(200, &Success::new(data))
    }

    /// A JSON document that is made while it is sent.
    pub fn json_stream(length: Option<u64>, chunks: impl Iterator<Item = Vec<u8>> + 'static) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type", "application/json".to_owned())],
            body: Body::Stream {
                length,
                chunks: Box::new(chunks),
            },
        }
    }

    /// Server-sent events, written as they happen.
    pub fn events(write: impl FnOnce(&mut dyn Write) -> io::Result<()> + 'static) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type", EVENT_STREAM.to_owned())],
            body: Body::Written(Box::new(write)),
        }
    }

    /// A file to save, with its size where that is known before.
    pub fn attachment(
        media_type: &str,
        file_name: &str,
        length: Option<u64>,
        chunks: impl Iterator<Item = Vec<u8>> + 'static,
    ) -> Self {
        Self {
            status: 200,
            headers: vec![
                ("content-type", media_type.to_owned()),
                ("content-disposition", format!("attachment; filename=\"{file_name}\"")),
            ],
            body: Body::Stream {
                length,
                chunks: Box::new(chunks),
            },
        }
    }
}

/// Writes one server-sent event whose data is a JSON document, and sends it on its way.
///
/// # Errors
/// When the client has left.
pub fn write_event(out: &mut dyn Write, event: &str, data: &impl Serialize) -> io::Result<()> {
    // JSON has no line breaks outside of its strings, and these are escaped: the data is always one line.
    let data = serde_json::to_string(data)?;
    out.write_all(format!("event: {event}\ndata: {data}\n\n").as_bytes())?;
    out.flush()
}
