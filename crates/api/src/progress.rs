//! Progress of work, as operations that stream events tell of it and as jobs show it.

use serde::{Deserialize, Serialize};

/// A step of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Stage {
    /// Reads the text of pages.
    Reading,
    /// Recognises text in pages that are pictures.
    Recognising,
    /// Searches for passages.
    Searching,
    /// Has the language model write.
    Writing,
    /// Has the language model confirm that its answer is one.
    Confirming,
    /// Makes the sound of speech.
    Speaking,
}

impl Stage {
    /// The unit in which its progress is counted: `seconds` of sound, else `pages`.
    pub const fn unit(self) -> &'static str {
        match self {
            Stage::Speaking => "seconds",
            Stage::Reading | Stage::Recognising | Stage::Searching | Stage::Writing | Stage::Confirming => "pages",
        }
    }
}

/// The progress of an operation that is streamed: the data of the event `progress`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// The step that the work is at.
    pub stage: Stage,
    /// Pages that are done, of those that this step is about; seconds of sound that are made, for `speaking`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<usize>,
    /// Number of pages that this step is about, or of seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<usize>,
}
