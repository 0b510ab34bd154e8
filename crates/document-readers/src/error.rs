//! Errors.

use quartet_document_kinds::{Kind, NotRead};
use thiserror::Error;

/// Reason why nothing could be read of a file. A file that is read in part is no error: its document has warnings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Error {
    /// The bytes are of no kind that is read here.
    #[error(transparent)]
    NotRead(#[from] NotRead),
    /// The file begins as its kind does, and has no text that could be found.
    #[error("The file begins as {}, but is damaged: {reason}.", kind.noun())]
    Damaged {
        /// Its kind.
        kind: Kind,
        /// The part that is missing or broken.
        reason: String,
    },
    /// The file is encrypted.
    #[error("The file is {} that is encrypted: it needs a password, and only files that open without one can be read.", kind.noun())]
    Password {
        /// Its kind.
        kind: Kind,
    },
    /// The file is over a limit.
    #[error("The document is over the limit of {limit} {what}.")]
    Limit {
        /// Unit of the limit, for the message.
        what: &'static str,
        /// Largest allowed number.
        limit: u64,
    },
}
