//! What is kept of a document: a record beside the session, and its index, which is bytes and may be too large for one
//! value. Who may ask is decided by the record.

use quartet_api::Code;
use quartet_guest::{Failure, Store};
use serde::{Deserialize, Serialize};

use super::Means;
use quartet_document::Index;

/// Size of one value, in bytes: well below what the host allows.
const PART: usize = 768 * 1024;

/// What is remembered of a document beside its index.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Record {
    /// The question before, with what it took from the one before it.
    pub question: Option<String>,
    /// How many values its index takes.
    pub parts: usize,
}

fn key(id: &str, part: usize) -> String {
    format!("document-index/{id}/{part}")
}

/// How many values an index takes.
pub(super) fn parts(index: &[u8]) -> usize {
    index.len().div_ceil(PART)
}

/// Keeps an index.
pub(super) fn set(means: &Means<'_>, id: &str, index: &[u8]) -> Result<(), Failure> {
    for (part, bytes) in index.chunks(PART).enumerate() {
        means
            .store
            .set(&key(id, part), bytes)
            .map_err(|reason| broken(&reason))?;
    }
    Ok(())
}

/// The index that was kept.
pub(super) fn get(means: &Means<'_>, id: &str, record: &Record) -> Result<Index, Failure> {
    let gone = || {
        Failure::new(
            Code::UnknownUpload,
            "the document was forgotten: it is remembered for a while only; send it again",
        )
    };
    let mut index = Vec::new();
    for part in 0..record.parts {
        let bytes = means.store.get(&key(id, part)).map_err(|reason| broken(&reason))?;
        index.extend(bytes.ok_or_else(gone)?);
    }
    // One that was kept by another version may have another layout.
    Index::from_bytes(&index).map_err(|_| gone())
}

/// Forgets an index.
pub(super) fn forget(store: &dyn Store, id: &str, record: &Record) -> Result<(), Failure> {
    for part in 0..record.parts {
        store.delete(&key(id, part)).map_err(|reason| broken(&reason))?;
    }
    Ok(())
}

fn broken(reason: &str) -> Failure {
    // For the log; the client is told nothing of the inside.
    eprintln!("the memory of documents failed: {reason}");
    Failure::new(
        Code::Internal,
        "what was read of the document could not be remembered or recalled",
    )
}
