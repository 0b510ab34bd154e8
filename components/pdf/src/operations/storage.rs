//! Storage of documents: a record beside the session, the text, from the first question on its index, and the
//! embeddings of its passages. All but the record are bytes that may take several values. The record decides about
//! access.

use quartet_api::Code;
use quartet_component_sdk::{Failure, Store};
use serde::{Deserialize, Serialize};

use super::Context;
use quartet_text_analysis::{Document, Index, PassageEmbeddings};

/// Largest size of one value: well below what the host allows.
const MAX_VALUE_BYTES: usize = 768 * 1024;

/// Record of a document beside its text.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Record {
    /// Previous question, completed by the one before it.
    pub question: Option<String>,
    /// The answer to it, where a model wrote one.
    #[serde(default)]
    pub answer: Option<String>,
    /// True if a model has read the beginning of the document.
    #[serde(default)]
    pub opened: bool,
    /// Number of values of its text.
    pub text: usize,
    /// Number of values of its index; none before the first question, because most documents are only read.
    #[serde(default)]
    pub index: usize,
    /// Number of values of the embeddings of its passages.
    #[serde(default)]
    pub meanings: usize,
    /// The part of it that stands in tables.
    #[serde(default)]
    pub tables: Tables,
}

/// The part of a document that stands in tables whose columns have names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Tables {
    /// Nothing.
    #[default]
    None,
    /// Less than the greater part.
    Some,
    /// The greater part, so that questions are mostly about them.
    Most,
}

/// Prefix of the keys of the text.
const TEXT_KEY: &str = "document-text";
/// Prefix of the keys of the index.
const INDEX_KEY: &str = "document-index";
/// Prefix of the keys of the embeddings.
const MEANINGS_KEY: &str = "document-meanings";

fn key(name: &str, id: &str, part: usize) -> String {
    format!("{name}/{id}/{part}")
}

/// Number of values that bytes take.
pub(super) fn parts(bytes: &[u8]) -> usize {
    bytes.len().div_ceil(MAX_VALUE_BYTES)
}

/// Stores the text.
pub(super) fn write_text(context: &Context<'_>, id: &str, text: &[u8]) -> Result<(), Failure> {
    write(context, TEXT_KEY, id, text)
}

/// Reads the text; nothing where it was forgotten, or stored by another version.
pub(super) fn document(context: &Context<'_>, id: &str, record: &Record) -> Result<Option<Document>, Failure> {
    let text = read(context, TEXT_KEY, id, record.text)?;
    Ok(text.and_then(|text| Document::from_bytes(&text).ok()))
}

/// Reads the index, or builds it of the text and stores it; the record is updated then.
pub(super) fn index(context: &Context<'_>, id: &str, record: &mut Record) -> Result<Index, Failure> {
    let gone = || {
        Failure::new(
            Code::UnknownUpload,
            "the document was forgotten: it is remembered for a while only; send it again",
        )
    };
    if record.index > 0 {
        let index = read(context, INDEX_KEY, id, record.index)?.ok_or_else(gone)?;
        // One that was stored by another version may have another layout.
        return Index::from_bytes(&index).map_err(|_| gone());
    }
    let text = read(context, TEXT_KEY, id, record.text)?.ok_or_else(gone)?;
    let index = Index::build(&Document::from_bytes(&text).map_err(|_| gone())?);
    let bytes = index.to_bytes();
    write(context, INDEX_KEY, id, &bytes)?;
    record.index = parts(&bytes);
    Ok(index)
}

/// Stores the embeddings; returns the number of values that they take.
pub(super) fn write_meanings(context: &Context<'_>, id: &str, meanings: &PassageEmbeddings) -> Result<usize, Failure> {
    let bytes = meanings.to_bytes();
    write(context, MEANINGS_KEY, id, &bytes)?;
    Ok(parts(&bytes))
}

/// Reads the embeddings. They can be computed again, so that nothing is missing when they were forgotten.
pub(super) fn read_meanings(context: &Context<'_>, id: &str, record: &Record) -> Result<PassageEmbeddings, Failure> {
    let bytes = read(context, MEANINGS_KEY, id, record.meanings)?.unwrap_or_default();
    Ok(PassageEmbeddings::from_bytes(&bytes).unwrap_or_default())
}

/// Deletes the text, the index and the embeddings.
pub(super) fn delete(store: &dyn Store, id: &str, record: &Record) -> Result<(), Failure> {
    for (name, parts) in [
        (TEXT_KEY, record.text),
        (INDEX_KEY, record.index),
        (MEANINGS_KEY, record.meanings),
    ] {
        for part in 0..parts {
            store.delete(&key(name, id, part)).map_err(|reason| broken(&reason))?;
        }
    }
    Ok(())
}

fn write(context: &Context<'_>, name: &str, id: &str, bytes: &[u8]) -> Result<(), Failure> {
    for (part, bytes) in bytes.chunks(MAX_VALUE_BYTES).enumerate() {
        context
            .store
            .set(&key(name, id, part), bytes)
            .map_err(|reason| broken(&reason))?;
    }
    Ok(())
}

/// Reads all values of a name; none if one of them is not there.
fn read(context: &Context<'_>, name: &str, id: &str, parts: usize) -> Result<Option<Vec<u8>>, Failure> {
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
