//! The body of a request for speech.

use quartet_api::tts::{SPEED, SpeechFormat, Voice};
use serde_json::{Map, Value};

pub use quartet_api::tts::OPENAI_VOICES;

use crate::failure::Failure;
use crate::http::doors::object;

/// The name of the model. Any other is taken, too: clients send the one that they were made for, `tts-1` or `kokoro`.
pub const SPEECH_MODEL: &str = "quartet-tts";

/// The formats. OpenAI's default stands first.
const FORMATS: [SpeechFormat; 5] = [
    SpeechFormat::Mp3,
    SpeechFormat::Opus,
    SpeechFormat::Flac,
    SpeechFormat::Wav,
    SpeechFormat::Pcm,
];

/// The form in which the audio is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamFormat {
    /// As it is.
    Audio,
    /// As server-sent events with pieces in Base64.
    Events,
}

/// A request that is right.
#[derive(Debug, PartialEq)]
pub struct Asked {
    /// The text to speak.
    pub text: String,
    /// The voice.
    pub voice: Voice,
    /// The language's code, where the client knows it.
    pub language: Option<String>,
    /// The format.
    pub format: SpeechFormat,
    /// The form in which it is sent.
    pub stream_format: StreamFormat,
    /// The engine, where the client names one. OpenAI's API has none; the component says which there are.
    pub engine: Option<String>,
    /// The factor on the voice's speed, where the client wants another one.
    pub speed: Option<f64>,
}

/// Reads a request. Fields that are not known are passed over, as OpenAI's clients add new ones.
///
/// # Errors
/// With the field that is wrong.
pub fn read(body: &[u8]) -> Result<Asked, Failure> {
    let mut fields = object::read(body)?;
    let text = match fields.remove("input") {
        Some(Value::String(text)) => text,
        Some(_) => return Err(Failure::field("input", "takes a string, the text to speak")),
        None => return Err(Failure::missing_field("input", "the text to speak")),
    };
    Ok(Asked {
        text,
        voice: voice(fields.get("voice"))?,
        language: language(&fields)?,
        format: format(fields.get("response_format"))?,
        stream_format: stream_format(fields.get("stream_format"))?,
        engine: engine(fields.get("engine"))?,
        speed: speed(fields.get("speed"))?,
    })
}

fn voice(value: Option<&Value>) -> Result<Voice, Failure> {
    let named = match value {
        None | Some(Value::Null) => return Ok(Voice::default()),
        Some(Value::Object(voice)) => voice.get("id"),
        named => named,
    };
    let Some(Value::String(name)) = named else {
        return Err(Failure::field(
            "voice",
            "takes a name, or an object with the name as `id`",
        ));
    };
    name.parse().map_err(|_| {
        let ours = Voice::ALL.map(Voice::name).join(", ");
        let theirs: Vec<_> = OPENAI_VOICES.iter().map(|(name, _)| *name).collect();
        let problem = format!("is {}; allowed: {ours}, {}", quoted(name), theirs.join(", "));
        Failure::field("voice", problem)
    })
}

/// The letters that Kokoro's servers take for languages: the first ones of their voices' names.
const KOKORO_LANGUAGES: [(&str, &str); 9] = [
    ("a", "en"),
    ("b", "en"),
    ("e", "es"),
    ("f", "fr"),
    ("h", "hi"),
    ("i", "it"),
    ("j", "ja"),
    ("p", "pt"),
    ("z", "zh"),
];

/// `language`, or `lang_code`, which Kokoro's servers take.
fn language(fields: &Map<String, Value>) -> Result<Option<String>, Failure> {
    for name in ["language", "lang_code"] {
        match fields.get(name) {
            None | Some(Value::Null) => {}
            Some(Value::String(code)) => {
                let known = KOKORO_LANGUAGES.iter().find(|(letter, _)| letter == code);
                return Ok(Some(
                    known.map_or_else(|| code.clone(), |(_, language)| (*language).to_owned()),
                ));
            }
            Some(_) => return Err(Failure::field(name, "takes a language's code, such as \"de\"")),
        }
    }
    Ok(None)
}

fn engine(value: Option<&Value>) -> Result<Option<String>, Failure> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) => Ok(Some(name.clone())),
        Some(_) => Err(Failure::field("engine", "takes an engine's name, such as \"fast\"")),
    }
}

fn format(value: Option<&Value>) -> Result<SpeechFormat, Failure> {
    let name = match value {
        None | Some(Value::Null) => return Ok(FORMATS[0]),
        Some(Value::String(name)) => name.as_str(),
        Some(_) => "",
    };
    name.parse().map_err(|_| {
        let all = FORMATS.map(SpeechFormat::name);
        Failure::field(
            "response_format",
            format!("is {}; allowed: {}", quoted(name), all.join(", ")),
        )
    })
}

fn stream_format(value: Option<&Value>) -> Result<StreamFormat, Failure> {
    match value {
        None | Some(Value::Null) => Ok(StreamFormat::Audio),
        Some(Value::String(name)) if name == "audio" => Ok(StreamFormat::Audio),
        Some(Value::String(name)) if name == "sse" => Ok(StreamFormat::Events),
        Some(_) => Err(Failure::field("stream_format", "takes \"audio\" or \"sse\"")),
    }
}

/// OpenAI takes 0.25 to 4; what the voices cannot speak at gets a clear answer instead of another speed.
fn speed(value: Option<&Value>) -> Result<Option<f64>, Failure> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_f64().filter(|speed| SPEED.contains(speed)) {
            Some(speed) => Ok(Some(speed)),
            None => Err(Failure::field(
                "speed",
                format!("takes a number from {} to {}", SPEED.start(), SPEED.end()),
            )),
        },
    }
}

fn quoted(text: &str) -> String {
    let shown: String = text.chars().take(80).collect();
    format!("{shown:?}")
}

#[cfg(test)]
mod tests {
    use quartet_api::Code;
    use serde_json::json;

    use super::*;

    fn asked(body: &Value) -> Result<Asked, Failure> {
        read(body.to_string().as_bytes())
    }

    #[test]
    fn defaults_are_openais() {
        let asked = asked(&json!({"model": "tts-1", "input": "Hello", "voice": "onyx", "novelty": [1]})).unwrap();
        assert_eq!(asked.text, "Hello");
        assert_eq!(asked.voice, Voice::Charon);
        assert_eq!(asked.format.media_type(), "audio/mpeg");
        assert_eq!(asked.stream_format, StreamFormat::Audio);
        assert_eq!(asked.language, None);
    }

    #[test]
    fn all_names_are_taken() {
        let voice = |voice: Value| asked(&json!({"input": "x", "voice": voice})).map(|asked| asked.voice);
        for (name, ours) in OPENAI_VOICES {
            assert_eq!(voice(json!(name)), Ok(*ours));
        }
        for ours in Voice::ALL {
            assert_eq!(voice(json!({"id": ours.name()})), Ok(ours));
        }
        assert_eq!(voice(json!("am_adam")), Ok(Voice::Charon));
        let format = |name: &str| asked(&json!({"input": "x", "response_format": name})).unwrap().format;
        for known in FORMATS {
            assert_eq!(format(known.name()), known);
        }
        assert_eq!(format("ogg"), SpeechFormat::Opus);
        let language = asked(&json!({"input": "x", "lang_code": "de", "speed": 1.0}))
            .unwrap()
            .language;
        assert_eq!(language.as_deref(), Some("de"));
        let language = asked(&json!({"input": "x", "lang_code": "p"})).unwrap().language;
        assert_eq!(language.as_deref(), Some("pt"));
        let speed = |speed: Value| asked(&json!({"input": "x", "speed": speed})).unwrap().speed;
        assert_eq!((speed(json!(1.5)), speed(Value::Null)), (Some(1.5), None));
    }

    #[test]
    fn every_wrong_field_is_named() {
        for (body, field, part) in [
            (json!({}), "input", "missing"),
            (json!({"input": 5}), "input", "a string"),
            (json!({"input": "x", "voice": "Puck"}), "voice", "alloy"),
            (json!({"input": "x", "voice": {"name": "x"}}), "voice", "`id`"),
            (
                json!({"input": "x", "response_format": "aac"}),
                "response_format",
                "mp3, opus, flac, wav, pcm",
            ),
            (json!({"input": "x", "stream_format": "ws"}), "stream_format", "sse"),
            (json!({"input": "x", "speed": 4}), "speed", "from 0.5 to 2"),
            (json!({"input": "x", "speed": "fast"}), "speed", "from 0.5 to 2"),
            (json!({"input": "x", "language": 5}), "language", "code"),
        ] {
            let failure = asked(&body).unwrap_err();
            assert_eq!(failure.wrong_field(), Some(field), "{body}");
            assert!(failure.message.contains(part), "{body}: {}", failure.message);
        }
        assert_eq!(read(b"[").unwrap_err().code, Code::InvalidJson);
        assert_eq!(read(b"[]").unwrap_err().code, Code::InvalidJson);
    }
}
