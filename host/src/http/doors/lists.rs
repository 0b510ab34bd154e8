//! Lists to choose from: models and voices.

use quartet_api::Code;
use quartet_api::tts::Voice;
use serde::Serialize;

use super::speech::{OPENAI_VOICES, SPEECH_MODEL};
use crate::door::Door;
use crate::failure::Failure;

/// The model that computes, and else has the language model answer.
pub const CHAT_MODEL: &str = "quartet";

/// The same, with a search of the web.
pub const SEARCH_MODEL: &str = "quartet-search";

/// The owner of all models.
const OWNER: &str = "quartet";

/// A list as OpenAI's API has it.
#[derive(Debug, Serialize)]
pub struct List<T> {
    object: &'static str,
    data: Vec<T>,
}

/// A model.
#[derive(Debug, Serialize)]
pub struct Model {
    id: String,
    object: &'static str,
    created: u64,
    owned_by: &'static str,
}

/// The models that can be chatted with, the language model by its own name behind the others.
pub fn models(language_model: Option<String>, created: u64) -> List<Model> {
    let own = [CHAT_MODEL, SEARCH_MODEL].map(str::to_owned);
    let data = own.into_iter().chain(language_model).map(|id| Model {
        id,
        object: "model",
        created,
        owned_by: OWNER,
    });
    List {
        object: "list",
        data: data.collect(),
    }
}

/// The model that a path names.
///
/// # Errors
/// When there is no such model.
pub fn model(path: &str, language_model: Option<String>, created: u64) -> Result<Model, Failure> {
    let id = Door::Model.id(path).unwrap_or_default();
    let all = models(language_model, created).data;
    let names: Vec<_> = all.iter().map(|model| model.id.clone()).collect();
    let found = all.into_iter().find(|model| model.id == id);
    found.ok_or_else(|| unknown_model(id, &names))
}

/// The failure of a request for a model that is not there.
pub fn unknown_model(id: &str, names: &[String]) -> Failure {
    let shown: String = id.chars().take(80).collect();
    Failure::new(
        Code::NotFound,
        format!("the model {shown:?} is not here; there are {}", names.join(", ")),
    )
    .of_field("model")
    .openai_code("model_not_found")
}

/// A voice, as Open WebUI and the servers that it knows have it.
#[derive(Debug, Clone, Serialize)]
pub struct VoiceEntry {
    id: String,
    name: String,
}

/// The voices, twice: Open WebUI reads one list, other clients the other.
#[derive(Debug, Serialize)]
pub struct VoiceLists {
    object: &'static str,
    voices: Vec<VoiceEntry>,
    data: Vec<VoiceEntry>,
}

/// Our voices, then OpenAI's names for them.
pub fn voices() -> VoiceLists {
    let own = Voice::ALL.into_iter().map(|voice| VoiceEntry {
        id: voice.name().to_owned(),
        name: format!("{} ({})", voice.name(), voice.character()),
    });
    let theirs = OPENAI_VOICES.iter().map(|(name, voice)| VoiceEntry {
        id: (*name).to_owned(),
        name: format!("{name} ({})", voice.name()),
    });
    let voices: Vec<_> = own.chain(theirs).collect();
    VoiceLists {
        object: "list",
        data: voices.clone(),
        voices,
    }
}

/// A model that speaks.
#[derive(Debug, Serialize)]
pub struct SpeechModel {
    id: &'static str,
    name: &'static str,
}

/// The models that speak.
#[derive(Debug, Serialize)]
pub struct SpeechModels {
    object: &'static str,
    models: [SpeechModel; 1],
}

/// The one model that speaks.
pub fn speech_models() -> SpeechModels {
    SpeechModels {
        object: "list",
        models: [SpeechModel {
            id: SPEECH_MODEL,
            name: SPEECH_MODEL,
        }],
    }
}
