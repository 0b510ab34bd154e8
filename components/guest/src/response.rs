//! A response as components write it.

use quartet_api::{Code, FailureBody, Success};
use serde::Serialize;

/// One response.
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// Names in lower case. `content-length` is added where the body's length is known.
    pub headers: Vec<(&'static str, String)>,
    /// What follows.
    pub body: Body,
}

/// The body of a response.
pub enum Body {
    /// All of it.
    Whole(Vec<u8>),
    /// Made while it is sent.
    Stream {
        /// How many bytes all chunks have together, where that is known before.
        length: Option<u64>,
        /// The chunks, in order.
        chunks: Box<dyn Iterator<Item = Vec<u8>>>,
    },
}

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

    /// A file to save.
    pub fn attachment(
        media_type: &str,
        file_name: &str,
        length: u64,
        chunks: impl Iterator<Item = Vec<u8>> + 'static,
    ) -> Self {
        Self {
            status: 200,
            headers: vec![
                ("content-type", media_type.to_owned()),
                ("content-disposition", format!("attachment; filename=\"{file_name}\"")),
            ],
            body: Body::Stream {
                length: Some(length),
                chunks: Box::new(chunks),
            },
        }
    }
}
