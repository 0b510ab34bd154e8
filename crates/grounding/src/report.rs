//! What a client is told of how an answer came to its words.

use quartet_api::{Language, PhrasedSentence, Phrasing};

use crate::phrase::{Draft, Phrased, Unphrased, Writer};

/// What a component finds in its environment where it shall ask for a model's words.
const VARIABLE: &str = "QUARTET_LANGUAGE_PHRASING";
/// Its value then.
const ON: &str = "on";

/// Whether this service has a model word answers. `variable` reads the environment.
#[must_use]
pub fn wanted(variable: impl Fn(&str) -> Option<String>) -> bool {
    variable(VARIABLE).is_some_and(|value| value == ON)
}

/// The answer to give, in the model's words where they hold and as it was found where not, with how that came about.
#[must_use]
pub fn worded(writer: &Writer<'_>, draft: &Draft<'_>) -> (String, Phrasing) {
    let language = draft.language;
    match writer.phrase(draft) {
        Ok(phrased) => (phrased.text(language), used(phrased, draft.text)),
        Err(problem) => (draft.text.to_owned(), unused(problem, language)),
    }
}

fn used(phrased: Phrased, original: &str) -> Phrasing {
    let sentences = phrased.sentences.into_iter().map(|sentence| PhrasedSentence {
        text: sentence.text,
        evidence: sentence.sources,
    });
    Phrasing {
        used: true,
        model: Some(phrased.model.name),
        remote: phrased.model.remote,
        original: Some(original.to_owned()),
        sentences: sentences.collect(),
        left_out: phrased.left_out,
        reason: None,
    }
}

fn unused(problem: Unphrased, language: Language) -> Phrasing {
    let (model, reason) = match problem {
        Unphrased::Model(error) => (None, error.to_string()),
        Unphrased::Late => (None, "there was not time enough to ask the language model".to_owned()),
        Unphrased::Changed(model) => {
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
