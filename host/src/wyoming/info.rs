//! The answer to `describe`: the programs that there are behind this address, which is all that Home Assistant asks before it
//! uses them.

use quartet_api::operations::{CHAT, TTS_STREAM};
use quartet_api::{Language, Voice};
use serde::Serialize;

use super::voice;
use crate::http::app::App;

/// The name of the programs, which Home Assistant shows.
const NAME: &str = "Quartet";

/// Programs that there are, by domains. Nothing is heard here, so most of them are empty.
#[derive(Debug, Serialize)]
pub struct Info {
    asr: [Program; 0],
    tts: [Program; 1],
    handle: [Program; 1],
    intent: [Program; 0],
    wake: [Program; 0],
    mic: [Program; 0],
    snd: [Program; 0],
}

#[derive(Debug, Serialize)]
struct Program {
    #[serde(flatten)]
    artifact: Artifact,
    #[serde(flatten)]
    parts: Parts,
}

/// What a program has besides what all of them have.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Parts {
    Speech {
        voices: Vec<Part>,
        supports_synthesize_streaming: bool,
    },
    Conversation {
        models: Vec<Part>,
        supports_handled_streaming: bool,
        supports_home_control: bool,
    },
}

/// A voice or a model.
#[derive(Debug, Serialize)]
struct Part {
    #[serde(flatten)]
    artifact: Artifact,
    languages: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
struct Artifact {
    name: String,
    attribution: Attribution,
    installed: bool,
    description: String,
    version: &'static str,
}

#[derive(Debug, Serialize)]
struct Attribution {
    name: &'static str,
    /// The protocol wants one; a service of one's own has no page that all have.
    url: &'static str,
}

impl Info {
    /// Programs of an application as they are now. A capability whose component is missing is not installed.
    pub fn of(app: &App) -> Self {
        Self::new(app.serves(&TTS_STREAM), app.serves(&CHAT))
    }

    fn new(speaks: bool, converses: bool) -> Self {
        let voices = Language::ALL.into_iter().flat_map(|language| {
            Voice::ALL.map(|voice| Part {
                artifact: artifact(
                    voice::name(voice, language),
                    format!("{} ({})", voice.name(), voice.character()),
                    speaks,
                ),
                languages: vec![language.code()],
            })
        });
        let model = Part {
            artifact: artifact(
                "quartet".to_owned(),
                "Computes what can be computed, else the language model answers".to_owned(),
                converses,
            ),
            languages: Language::ALL.map(Language::code).to_vec(),
        };
        let speech = "Speech in twelve languages and five voices".to_owned();
        let chat = "Answers in a conversation".to_owned();
        Self {
            asr: [],
            tts: [Program {
                artifact: artifact(NAME.to_owned(), speech, speaks),
                parts: Parts::Speech {
                    voices: voices.collect(),
                    supports_synthesize_streaming: true,
                },
            }],
            handle: [Program {
                artifact: artifact(NAME.to_owned(), chat, converses),
                parts: Parts::Conversation {
                    models: vec![model],
                    supports_handled_streaming: true,
                    supports_home_control: false,
                },
            }],
            intent: [],
            wake: [],
            mic: [],
            snd: [],
        }
    }
}

fn artifact(name: String, description: String, installed: bool) -> Artifact {
    Artifact {
        name,
        attribution: Attribution { name: NAME, url: "" },
        installed,
        description,
        version: env!("CARGO_PKG_VERSION"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_the_fields_of_the_protocol() {
        let info = serde_json::to_value(Info::new(true, false)).unwrap();
        for empty in ["asr", "intent", "wake", "mic", "snd"] {
            assert_eq!(info[empty], serde_json::json!([]), "{empty}");
        }
        let (speech, chat) = (&info["tts"][0], &info["handle"][0]);
        assert_eq!(speech["installed"], true);
        assert_eq!(
            (&chat["installed"], &chat["models"][0]["installed"]),
            (&false.into(), &false.into())
        );
        assert_eq!(
            chat["models"][0]["languages"].as_array().unwrap().len(),
            Language::ALL.len()
        );
        let voices = speech["voices"].as_array().unwrap();
        assert_eq!(voices.len(), Language::ALL.len() * Voice::ALL.len());
        assert_eq!(
            (&voices[0]["name"], &voices[0]["languages"][0]),
            (&"en-Kore".into(), &"en".into())
        );
        assert_eq!(voices[0]["attribution"]["name"], NAME);
    }
}
