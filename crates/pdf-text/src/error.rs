//! Why nothing could be read.

use thiserror::Error;

/// Why nothing could be read of a file. What could be read in part is no error: it is there, with warnings.
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
    /// The file is encrypted in a way that nobody here knows.
    #[error("The PDF is encrypted in a way that is not supported.")]
    Encryption,
    /// The file is larger in some way than what may be read.
    #[error("The PDF is over the limit of {limit} {what}.")]
    Limit {
        /// What there is too much of.
        what: &'static str,
        /// How much there may be.
        limit: u64,
    },
}
