//! Speech: the twelve languages, the five voices, the five formats, and the requests and results of `/tts/*`.

mod format;
mod unknown;
mod voices;

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use format::SpeechFormat;
pub use unknown::Unknown;
pub use voices::{OPENAI_VOICES, Voice};

/// One of the twelve languages that can be spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the variants are the languages' own names")]
pub enum Language {
    English,
    Hindi,
    Spanish,
    French,
    German,
    Italian,
    Portuguese,
    Russian,
    Japanese,
    Chinese,
    Korean,
    Arabic,
}

impl Language {
    /// All languages, in the order of the contract's table.
    pub const ALL: [Language; 12] = [
        Language::English,
        Language::Hindi,
        Language::Spanish,
        Language::French,
        Language::German,
        Language::Italian,
        Language::Portuguese,
        Language::Russian,
        Language::Japanese,
        Language::Chinese,
        Language::Korean,
        Language::Arabic,
    ];

    /// The ISO 639-1 code, as requests carry it.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Hindi => "hi",
            Language::Spanish => "es",
            Language::French => "fr",
            Language::German => "de",
            Language::Italian => "it",
            Language::Portuguese => "pt",
            Language::Russian => "ru",
            Language::Japanese => "ja",
            Language::Chinese => "zh",
            Language::Korean => "ko",
            Language::Arabic => "ar",
        }
    }

    /// The English name, as results carry it.
    pub const fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Hindi => "Hindi",
            Language::Spanish => "Spanish",
            Language::French => "French",
            Language::German => "German",
            Language::Italian => "Italian",
            Language::Portuguese => "Portuguese",
            Language::Russian => "Russian",
            Language::Japanese => "Japanese",
            Language::Chinese => "Chinese",
            Language::Korean => "Korean",
            Language::Arabic => "Arabic",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Language {
    type Err = Unknown;

    /// Takes a code in any letter case, with a region behind it or not (`en-US`, `pt_BR`), or the English name.
    fn from_str(text: &str) -> Result<Self, Unknown> {
        let code = text.split(['-', '_']).next().unwrap_or_default();
        let is_named = |language: &Language| {
            language.code().eq_ignore_ascii_case(code) || language.name().eq_ignore_ascii_case(text)
        };
        Self::ALL.into_iter().find(is_named).ok_or(Unknown)
    }
}

/// Maker of the speech.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Engine {
    /// Natural where it is understood better, is there and has the time; otherwise fast. The default.
    #[default]
    Auto,
    /// A neural voice.
    Natural,
    /// Formant synthesis.
    Fast,
}

impl Engine {
    /// All values, as they are listed in messages.
    pub const ALL: [Engine; 3] = [Engine::Auto, Engine::Natural, Engine::Fast];

    /// The name, as requests and results carry it.
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Natural => "natural",
            Engine::Fast => "fast",
        }
    }
}

impl FromStr for Engine {
    type Err = Unknown;

    /// Takes a name in any letter case.
    fn from_str(name: &str) -> Result<Self, Unknown> {
        Self::ALL
            .into_iter()
            .find(|engine| engine.name().eq_ignore_ascii_case(name))
            .ok_or(Unknown)
    }
}

/// The header of a stream that names its engine.
pub const ENGINE_HEADER: &str = "x-speech-engine";

/// The header of a stream that has its [`SpeechResult::warnings`], one behind the other.
pub const WARNINGS_HEADER: &str = "x-speech-warnings";

/// The slowest and the fastest speech that a request may ask for, as factors on a voice's own speed.
pub const SPEED: RangeInclusive<f64> = 0.5..=2.0;

/// The body of `/tts/generate` and `/tts/stream`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SpeechRequest {
    /// Text to speak; any length.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub text: String,
    /// A language's code, in any letter case and with a region or without, or its English name; where absent, the text's
    /// language is detected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Language>"))]
    pub language: Option<String>,
    /// A voice's name, in any letter case, or one of OpenAI's or Kokoro's for it; where absent, [`Voice::default`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Voice>"))]
    pub voice: Option<String>,
    /// The name of an [`Engine`], in any letter case; where absent, [`Engine::Auto`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Engine>"))]
    pub engine: Option<String>,
    /// A factor on the voice's speed, within [`SPEED`]; where absent, 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = *SPEED.start(), max = *SPEED.end())))]
    pub speed: Option<f64>,
    /// The name of a [`SpeechFormat`], in any letter case; where absent, WAV.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<SpeechFormat>"))]
    pub format: Option<String>,
    /// True to be told when each word is said; where absent, false. A stream tells it in WAV only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timings: Option<bool>,
}

/// A word of the text, and when it is said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WordTiming {
    /// The word as it stands in the text; words come in the text's order.
    pub word: String,
    /// Its beginning, in seconds from that of the audio.
    pub start: f64,
    /// Its end, in seconds from the beginning of the audio.
    pub end: f64,
}

/// The result of `/tts/generate`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SpeechResult {
    /// A confirmation for a person.
    pub message: String,
    /// The text that was spoken, as it was sent.
    pub text: String,
    /// The language's English name, not its code.
    pub language: String,
    /// The voice's name.
    pub voice: String,
    /// The engine that spoke, `natural` or `fast`; absent where a component has no choice of engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// [`SpeechFormat::title`] of the audio's format.
    pub audio_format: String,
    /// The audio's media type, where the request names a `format`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Size of the decoded audio in bytes, header included. Of Opus and FLAC it is known when all is made, and so it stands
    /// behind the audio.
    pub audio_size: u64,
    /// The words with their times, where the request asks for `timings`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timings: Option<Vec<WordTiming>>,
    /// Warnings about text that could not be read well; absent where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The audio as standard Base64 with padding. Behind the other fields, so that it can be written as it is made. Empty in
    /// the event `done` of an answer that is streamed as events: there it comes before, in events `audio`.
    pub audio_base64: String,
}

/// A piece of the audio of `/tts/generate` that is streamed as soon as it is made: the data of the event `audio`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StreamedAudio {
    /// The bytes as standard Base64. Only the last piece may be padded, so that the texts, put together, are the Base64 text of
    /// the file.
    pub audio_base64: String,
}

/// The default format, as results name it.
pub const WAV: &str = "WAV";

/// Samples a second.
pub const SAMPLE_RATE: u32 = 24_000;

/// The result of `/tts/languages`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LanguageList {
    /// The languages, in the contract's order.
    pub languages: Vec<LanguageEntry>,
    /// Number of entries.
    pub total: usize,
}

/// One language of a [`LanguageList`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LanguageEntry {
    /// ISO 639-1.
    pub code: String,
    /// English name.
    pub name: String,
}

impl LanguageList {
    /// All languages.
    pub fn all() -> Self {
        let languages: Vec<_> = Language::ALL
            .iter()
            .map(|language| LanguageEntry {
                code: language.code().to_owned(),
                name: language.name().to_owned(),
            })
            .collect();
        Self {
            total: languages.len(),
            languages,
        }
    }
}

/// The result of `/tts/voices`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VoiceList {
    /// The voices, in the contract's order.
    pub voices: Vec<VoiceEntry>,
    /// Number of entries.
    pub total: usize,
}

/// One voice of a [`VoiceList`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VoiceEntry {
    /// Name that requests use.
    pub name: String,
    /// Its character in a word.
    pub character: String,
    /// Recommended use.
    pub suited_for: String,
    /// True for the default voice.
    pub default: bool,
}

impl VoiceList {
    /// All voices.
    pub fn all() -> Self {
        let voices: Vec<_> = Voice::ALL
            .iter()
            .map(|voice| VoiceEntry {
                name: voice.name().to_owned(),
                character: voice.character().to_owned(),
                suited_for: voice.suited_for().to_owned(),
                default: *voice == Voice::default(),
            })
            .collect();
        Self {
            total: voices.len(),
            voices,
        }
    }
}

/// The result of `/tts/info`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SpeechInfo {
    /// Synthesis engine that is always there, with its version.
    pub engine: String,
    /// The engines that a request may name.
    pub engines: Vec<EngineEntry>,
    /// The component's version.
    pub version: String,
    /// The formats of the audio.
    pub formats: Vec<AudioFormat>,
    /// Values used where a request gives none.
    pub defaults: SpeechDefaults,
    /// Limits of a request.
    pub limits: SpeechLimits,
    /// The licences of what is inside the component.
    pub licences: Vec<Licence>,
    /// Number of languages.
    pub languages: usize,
    /// Number of voices.
    pub voices: usize,
}

/// One engine of a [`SpeechInfo`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EngineEntry {
    /// Its name in requests.
    pub name: String,
    /// True if it can speak here and now.
    pub available: bool,
    /// A description for a person.
    pub description: String,
    /// Codes of the languages that it speaks.
    pub languages: Vec<String>,
    /// Codes of the languages for which `auto` takes it, where it is there and has the time.
    pub automatic: Vec<String>,
    /// The longest audio that `/tts/generate` answers with, in seconds.
    pub generate_audio_seconds: u64,
    /// The longest audio that `/tts/stream` answers with, in seconds.
    pub stream_audio_seconds: u64,
}

/// A format of audio.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AudioFormat {
    /// [`SpeechFormat::title`], which requests may name.
    pub format: String,
    /// The content type of `/tts/stream`.
    pub mime_type: String,
    /// Samples a second.
    pub sample_rate: u32,
    /// Bits a sample, where every sample is kept as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits_per_sample: Option<u16>,
    /// Bits a second, about, where some of the sound is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bit_rate: Option<u32>,
    /// Channels.
    pub channels: u16,
}

/// Defaults of a speech request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SpeechDefaults {
    /// `"detected"`: among the twelve, from the text.
    pub language: String,
    /// A voice's name.
    pub voice: String,
    /// An engine's name.
    pub engine: String,
}

/// Limits of a speech request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SpeechLimits {
    /// The longest audio that `/tts/generate` answers with, in seconds.
    pub generate_audio_seconds: u64,
    /// The longest audio that `/tts/stream` answers with, in seconds: what a WAV header can say.
    pub stream_audio_seconds: u64,
    /// Characters of text: null, because there is no bound of its own.
    pub text_characters: Option<u64>,
}

/// The licence of a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Licence {
    /// The part.
    pub name: String,
    /// An SPDX expression.
    pub licence: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_found_in_any_case() {
        assert_eq!("ZH".parse(), Ok(Language::Chinese));
        assert_eq!("aoede".parse(), Ok(Voice::Aoede));
        assert_eq!("zho".parse::<Language>(), Err(Unknown));
        for (text, language) in [
            ("en-US", Language::English),
            ("PT_br", Language::Portuguese),
            ("zh-Hans-CN", Language::Chinese),
            ("german", Language::German),
        ] {
            assert_eq!(text.parse(), Ok(language), "{text}");
        }
        for text in ["", "-", "_US", "germ", "english-US"] {
            assert_eq!(text.parse::<Language>(), Err(Unknown), "{text}");
        }
        assert_eq!("Puck".parse::<Voice>(), Err(Unknown));
    }

    #[test]
    fn results_have_the_contracts_fields_in_order() {
        let result = SpeechResult {
            message: "m".into(),
            text: "t".into(),
            language: "English".into(),
            voice: "Kore".into(),
            engine: Some("fast".into()),
            audio_format: WAV.into(),
            mime_type: None,
            audio_size: 44,
            timings: None,
            warnings: Vec::new(),
            audio_base64: "UklGRg==".into(),
        };
        assert_eq!(
            serde_json::to_string(&result).unwrap(),
            concat!(
                r#"{"message":"m","text":"t","language":"English","voice":"Kore","#,
                r#""engine":"fast","audioFormat":"WAV","audioSize":44,"audioBase64":"UklGRg=="}"#
            )
        );
    }

    #[test]
    fn lists_are_the_contracts_tables() {
        let languages = LanguageList::all();
        assert_eq!(languages.total, 12);
        assert_eq!(
            languages.languages[3],
            LanguageEntry {
                code: "fr".into(),
                name: "French".into()
            }
        );
        let voices = VoiceList::all();
        assert_eq!(voices.total, 5);
        assert_eq!(voices.voices.iter().filter(|voice| voice.default).count(), 1);
    }
}
