//! What became of an answer that a language model was to put into words: part of the results of `/image/*` and `/pdf/*`.

use serde::{Deserialize, Serialize};

/// How an answer came to its words. Absent where nothing but what was found was said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Phrasing {
    /// Whether the answer is in the model's words.
    pub used: bool,
    /// Why it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether what was found left this machine on its way to the model.
    pub remote: bool,
    /// The answer as it was found, where the model's words took its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original: Option<String>,
    /// The model's sentences and what they rest on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sentences: Vec<PhrasedSentence>,
    /// Sentences of the model that were left out because nothing that was found bears them out.
    #[serde(default)]
    pub left_out: usize,
}

/// A sentence of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhrasedSentence {
    /// The sentence.
    pub text: String,
    /// What says the same: places in the list of citations, sentences or evidence, from 0. Empty where a model described
    /// what it saw and only its numbers and quotations were compared.
    pub evidence: Vec<usize>,
}
