//! An answer in the form in which answers are compared.

use http::{HeaderMap, StatusCode, header};
use sha2::{Digest, Sha256};

/// The parts of an answer that are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The `Content-Type`.
    pub content_type: Option<Vec<u8>>,
    /// Digest of the whole body, or of its beginning.
    pub digest: [u8; 32],
    /// Bytes that the digest is of.
    pub bytes: u64,
}

/// The `Content-Type` of an answer.
pub fn content_type(headers: &HeaderMap) -> Option<Vec<u8>> {
    headers.get(header::CONTENT_TYPE).map(|value| value.as_bytes().to_vec())
}

/// The digest of the first bytes of something.
pub struct PrefixDigest {
    hasher: Sha256,
    bytes: u64,
    max_bytes: u64,
}

impl PrefixDigest {
    /// A digest of at most `max_bytes` bytes.
    pub fn new(max_bytes: u64) -> Self {
        Self {
            hasher: Sha256::new(),
            bytes: 0,
            max_bytes,
        }
    }

    /// Adds bytes; those beyond the bound are left out.
    pub fn add(&mut self, data: &[u8]) {
        let room = usize::try_from(self.max_bytes - self.bytes).unwrap_or(usize::MAX);
        let data = &data[..data.len().min(room)];
        self.hasher.update(data);
        self.bytes += data.len() as u64;
    }

    /// Returns true if no more bytes are taken.
    pub fn is_full(&self) -> bool {
        self.bytes == self.max_bytes
    }

    /// The answer whose body this is.
    pub fn answer(self, status: StatusCode, content_type: Option<Vec<u8>>) -> Answer {
        Answer {
            status,
            content_type,
            digest: self.hasher.finalize().into(),
            bytes: self.bytes,
        }
    }
}
