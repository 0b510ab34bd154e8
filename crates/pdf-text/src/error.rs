//! Errors.

use thiserror::Error;

/// Reason why nothing could be read of a file. A file that is read in part is no error: its document has warnings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Error {
    /// The bytes are something else.
    #[error("This is not a PDF: its first kilobyte has no %PDF header.")]
    NotPdf,
    /// There is a header, and no page could be found behind it.
    #[error("The PDF is damaged: no page of it could be found.")]
    Damaged,
    /// The file is encrypted, and the empty password does not open it.
    #[error("The PDF needs a password to be opened; only files that open without one can be read.")]
    Password,
    /// The file is encrypted in a way that is not supported.
    #[error("The PDF is encrypted in a way that is not supported.")]
    Encryption,
    /// The file is over a limit.
    #[error("The PDF is over the limit of {limit} {what}.")]
    Limit {
        /// Unit of the limit, for the message.
        what: &'static str,
        /// Largest allowed number.
        limit: u64,
    },
}
