//! What is kept of a document: a record beside the session, its index, and what is known of the meanings of its passages.
//! The last two are bytes and may be too large for one value. Who may ask is decided by the record.

use quartet_api::Code;
use quartet_guest::{Failure, Store};
use serde::{Deserialize, Serialize};

use super::Means;
use quartet_document::{Index, Meanings};

/// Size of one value, in bytes: well below what the host allows.
const PART: usize = 768 * 1024;

/// What is remembered of a document beside its index.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Record {
    /// The question before, with what it took from the one before it.
    pub question: Option<String>,
    /// How many values its index takes.
    pub parts: usize,
    /// How many values the meanings of its passages take.
    #[serde(default)]
    pub meanings: usize,
}

/// The names of values.
const INDEX: &str = "document-index";
const MEANINGS: &str = "document-meanings";

fn key(name: &str, id: &str, part: usize) -> String {
    format!("{name}/{id}/{part}")
}

/// How many values an index takes.
pub(super) fn parts(index: &[u8]) -> usize {
    index.len().div_ceil(PART)
}

/// Keeps an index.
pub(super) fn set(means: &Means<'_>, id: &str, index: &[u8]) -> Result<(), Failure> {
    keep(means, INDEX, id, index)
}

/// The index that was kept.
pub(super) fn get(means: &Means<'_>, id: &str, record: &Record) -> Result<Index, Failure> {
    let gone = || {
        Failure::new(
            Code::UnknownUpload,
            "the document was forgotten: it is remembered for a while only; send it again",
        )
    };
    let index = find(means, INDEX, id, record.parts)?.ok_or_else(gone)?;
    // One that was kept by another version may have another layout.
    Index::from_bytes(&index).map_err(|_| gone())
}

/// Keeps what is known of meanings; returns how many values that takes.
pub(super) fn set_meanings(means: &Means<'_>, id: &str, meanings: &Meanings) -> Result<usize, Failure> {
    let bytes = meanings.to_bytes();
    keep(means, MEANINGS, id, &bytes)?;
    Ok(parts(&bytes))
}

/// What is known of meanings. It can be found out again, so that nothing is missing when it was forgotten.
pub(super) fn get_meanings(means: &Means<'_>, id: &str, record: &Record) -> Result<Meanings, Failure> {
    let bytes = find(means, MEANINGS, id, record.meanings)?.unwrap_or_default();
    Ok(Meanings::from_bytes(&bytes).unwrap_or_default())
}

/// Forgets the index and the meanings.
pub(super) fn forget(store: &dyn Store, id: &str, record: &Record) -> Result<(), Failure> {
    for (name, parts) in [(INDEX, record.parts), (MEANINGS, record.meanings)] {
        for part in 0..parts {
            store.delete(&key(name, id, part)).map_err(|reason| broken(&reason))?;
        }
    }
    Ok(())
}

fn keep(means: &Means<'_>, name: &str, id: &str, bytes: &[u8]) -> Result<(), Failure> {
    for (part, bytes) in bytes.chunks(PART).enumerate() {
        means
            .store
            .set(&key(name, id, part), bytes)
            .map_err(|reason| broken(&reason))?;
    }
    Ok(())
}

/// All values of a name, or nothing when one of them is not there.
fn find(means: &Means<'_>, name: &str, id: &str, parts: usize) -> Result<Option<Vec<u8>>, Failure> {
    let mut all = Vec::new();
    for part in 0..parts {
        match means
            .store
            .get(&key(name, id, part))
            .map_err(|reason| broken(&reason))?
        {
            Some(bytes) => all.extend(bytes),
            None => return Ok(None),
        }
    }
    Ok(Some(all))
}

fn broken(reason: &str) -> Failure {
    // For the log; the client is told nothing of the inside.
    eprintln!("the memory of documents failed: {reason}");
    Failure::new(
        Code::Internal,
        "what was read of the document could not be remembered or recalled",
    )
}
