//! A request body that may not be larger than a limit.

use std::io::{self, Read};

/// A body whose reading fails once it goes on beyond its limit.
pub(crate) struct BoundedBody {
    body: Box<dyn Read + Send>,
    left: u64,
    limit: u64,
}

impl BoundedBody {
    /// Bounds `body` to `limit` bytes.
    pub(crate) fn new(body: Box<dyn Read + Send>, limit: u64) -> Self {
        Self {
            body,
            left: limit,
            limit,
        }
    }
}

impl Read for BoundedBody {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // One byte more than is left tells a body that ends at its limit from one that goes on.
        let most = usize::try_from(self.left.saturating_add(1)).map_or(buffer.len(), |most| most.min(buffer.len()));
        let read = self.body.read(&mut buffer[..most])?;
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => return Err(io::Error::new(io::ErrorKind::FileTooLarge, TooLarge(self.limit))),
        }
        Ok(read)
    }
}

/// The error of a body that is larger than its limit, which is given in bytes.
#[derive(Debug)]
pub(crate) struct TooLarge(pub(crate) u64);

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "larger than {} bytes", self.0)
    }
}

impl std::error::Error for TooLarge {}
