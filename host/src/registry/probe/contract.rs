//! The check of successes against the contract: what answers an operation of it has the form that clients read.

use quartet_api::Success;
use quartet_api::chat::{ChatAnswer, ChatInfo};
use quartet_api::image::TextResult;
use quartet_api::operations::{
    CHAT, CHAT_INFO, IMAGE_EXTRACT_TEXT, Operation, PDF_EXTRACT_TEXT, PDF_SUMMARIZE, TTS_GENERATE, TTS_LANGUAGES,
};
use quartet_api::pdf::{DocumentSummary, DocumentText};
use quartet_api::tts::{LanguageList, SpeechResult};
use serde::de::DeserializeOwned;

/// Checks the bytes of an answer.
type CheckForm = fn(&[u8]) -> Result<(), String>;

/// The operations that probes ask for successes in JSON.
const FORMS: &[(&Operation, CheckForm)] = &[
    (&TTS_LANGUAGES, form::<LanguageList>),
    (&TTS_GENERATE, form::<SpeechResult>),
    (&IMAGE_EXTRACT_TEXT, form::<TextResult>),
    (&PDF_EXTRACT_TEXT, form::<DocumentText>),
    (&PDF_SUMMARIZE, form::<DocumentSummary>),
    (&CHAT, form::<ChatAnswer>),
    (&CHAT_INFO, form::<ChatInfo>),
];

/// Checks a success of what has this path. A path that is not of the contract may answer with anything.
pub(super) fn check(path: &str, answer: &[u8]) -> Result<(), String> {
    match FORMS.iter().find(|(operation, _)| operation.path == path) {
        Some((_, form)) => form(answer),
        None => Ok(()),
    }
}

fn form<T: DeserializeOwned>(answer: &[u8]) -> Result<(), String> {
    let envelope: Success<T> =
        serde_json::from_slice(answer).map_err(|error| format!("the answer is not the contract's: {error}"))?;
    match envelope.success {
        true => Ok(()),
        false => Err("`success` is not true".to_owned()),
    }
}
