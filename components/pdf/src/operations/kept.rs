//! What is kept of a document: a record beside the session, its text, with the first question its index, and what is known of
//! the meanings of its passages. All but the first are bytes and may be too large for one value. Who may ask is decided by the
//! record.

use quartet_api::Code;
use quartet_component_sdk::{Failure, Store};
use serde::{Deserialize, Serialize};

use super::Context;
use quartet_text_analysis::{Document, Index, Meanings};

/// Size of one value, in bytes: well below what the host allows.
const PART: usize = 768 * 1024;

/// What is remembered of a document beside its text.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Record {
    /// The question before, with what it took from the one before it.
    pub question: Option<String>,
    /// How many values its text takes.
    pub text: usize,
    /// How many values its index takes; none before the first question, because most documents are only read.
    #[serde(default)]
    pub index: usize,
    /// How many values the meanings of its passages take.
    #[serde(default)]
    pub meanings: usize,
}

/// The names of values.
const TEXT: &str = "document-text";
const INDEX: &str = "document-index";
const MEANINGS: &str = "document-meanings";

fn key(name: &str, id: &str, part: usize) -> String {
    format!("{name}/{id}/{part}")
}

/// How many values some bytes take.
pub(super) fn parts(bytes: &[u8]) -> usize {
    bytes.len().div_ceil(PART)
}

/// Keeps the text.
pub(super) fn set(context: &Context<'_>, id: &str, text: &[u8]) -> Result<(), Failure> {
    keep(context, TEXT, id, text)
}

/// The index: the one that was kept, or one that is made of the text, and kept. The record says so then.
pub(super) fn index(context: &Context<'_>, id: &str, record: &mut Record) -> Result<Index, Failure> {
    let gone = || {
        Failure::new(
            Code::UnknownUpload,
            "the document was forgotten: it is remembered for a while only; send it again",
        )
    };
    if record.index > 0 {
        let index = find(context, INDEX, id, record.index)?.ok_or_else(gone)?;
        // One that was kept by another version may have another layout.
        return Index::from_bytes(&index).map_err(|_| gone());
    }
    let text = find(context, TEXT, id, record.text)?.ok_or_else(gone)?;
    let index = Index::build(&Document::from_bytes(&text).map_err(|_| gone())?);
    let bytes = index.to_bytes();
    keep(context, INDEX, id, &bytes)?;
    record.index = parts(&bytes);
    Ok(index)
}

/// Keeps what is known of meanings; returns how many values that takes.
pub(super) fn set_meanings(context: &Context<'_>, id: &str, meanings: &Meanings) -> Result<usize, Failure> {
    let bytes = meanings.to_bytes();
    keep(context, MEANINGS, id, &bytes)?;
    Ok(parts(&bytes))
}

/// What is known of meanings. It can be found out again, so that nothing is missing when it was forgotten.
pub(super) fn get_meanings(context: &Context<'_>, id: &str, record: &Record) -> Result<Meanings, Failure> {
    let bytes = find(context, MEANINGS, id, record.meanings)?.unwrap_or_default();
    Ok(Meanings::from_bytes(&bytes).unwrap_or_default())
}

/// Forgets the text, the index and the meanings.
pub(super) fn forget(store: &dyn Store, id: &str, record: &Record) -> Result<(), Failure> {
    for (name, parts) in [(TEXT, record.text), (INDEX, record.index), (MEANINGS, record.meanings)] {
        for part in 0..parts {
            store.delete(&key(name, id, part)).map_err(|reason| broken(&reason))?;
        }
    }
    Ok(())
}

fn keep(context: &Context<'_>, name: &str, id: &str, bytes: &[u8]) -> Result<(), Failure> {
    for (part, bytes) in bytes.chunks(PART).enumerate() {
        context
            .store
            .set(&key(name, id, part), bytes)
            .map_err(|reason| broken(&reason))?;
    }
    Ok(())
}

/// All values of a name, or nothing when one of them is not there.
fn find(context: &Context<'_>, name: &str, id: &str, parts: usize) -> Result<Option<Vec<u8>>, Failure> {
    let mut all = Vec::new();
    for part in 0..parts {
        match context
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
