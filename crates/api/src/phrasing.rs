//! Provenance of an answer that a language model was asked to rephrase: part of the results of `/image/*` and `/pdf/*`.

use serde::{Deserialize, Serialize};

/// Provenance of an answer's wording. Absent where no language model was asked to rephrase it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Phrasing {
    /// True if the answer is in the model's words.
    pub used: bool,
    /// Reason why it is not, or why it is not in the language that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// True if what was found left this machine on its way to the model.
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PhrasedSentence {
    /// The sentence.
    pub text: String,
    /// Supporting evidence: positions in the list of citations, sentences or evidence, from 0. Empty where a model described
    /// what it saw and only its numbers and quotations were compared.
    pub evidence: Vec<usize>,
}
