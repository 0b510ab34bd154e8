//! The report to the client on how an answer came to its words.

use quartet_api::{Language, PhrasedSentence, Phrasing};

use crate::rephrase::{Draft, RephraseError, Rephrased, Writer};

/// The environment variable by which the host enables rephrasing.
const PHRASING_VARIABLE: &str = "QUARTET_LANGUAGE_PHRASING";
/// Its value that enables it.
const ENABLED: &str = "on";

/// Returns true if rephrasing is enabled on this service. `variable` reads the environment.
#[must_use]
pub fn is_enabled(variable: impl Fn(&str) -> Option<String>) -> bool {
    variable(PHRASING_VARIABLE).is_some_and(|value| value == ENABLED)
}

/// Rephrases an answer: in the model's words where the evidence supports them, else as it was found, with the report.
#[must_use]
pub fn rephrase(writer: &Writer<'_>, draft: &Draft<'_>) -> (String, Phrasing) {
    let language = draft.language;
    match writer.rephrase(draft) {
        Ok(rephrased) => (rephrased.text(language), used(rephrased, draft.text)),
        Err(error) => (draft.text.to_owned(), unused(error, language)),
    }
}

fn used(rephrased: Rephrased, original: &str) -> Phrasing {
    let sentences = rephrased.sentences.into_iter().map(|sentence| PhrasedSentence {
        text: sentence.text,
        evidence: sentence.sources,
    });
    Phrasing {
        used: true,
        model: Some(rephrased.model.name),
        remote: rephrased.model.remote,
        original: Some(original.to_owned()),
        sentences: sentences.collect(),
        left_out: rephrased.left_out,
        reason: None,
    }
}

fn unused(error: RephraseError, language: Language) -> Phrasing {
    let (model, reason) = match error {
        RephraseError::Model(error) => (None, error.to_string()),
        RephraseError::Late => (None, "there was not time enough to ask the language model".to_owned()),
        RephraseError::Changed(model) => {
            let reason = format!(
                "what the language model wrote in {} is not borne out by what was found",
                language.name()
            );
            (Some(model), reason)
        }
    };
    Phrasing {
        reason: Some(reason),
        remote: model.as_ref().is_some_and(|model| model.remote),
        model: model.map(|model| model.name),
        ..Phrasing::default()
    }
}
