//! `GET /tts/info`.

use quartet_api::limits::GENERATE_AUDIO_SECONDS;
use quartet_api::tts::{AudioFormat, Licence, SAMPLE_RATE, SpeechDefaults, SpeechInfo, SpeechLimits, WAV};
use quartet_api::{Language, Voice};
use quartet_component_sdk::{Failure, Request, Response};

use crate::wav;

/// The parts of the component with their licences as SPDX expressions.
const LICENCES: &[(&str, &str)] = &[
    ("quartet-tts", "GPL-3.0-or-later"),
    ("espeak-ng with its language data", "GPL-3.0-or-later"),
    ("NAIST Japanese Dictionary, Open JTalk edition", "BSD-3-Clause"),
    ("kanji readings of the Unihan database", "Unicode-3.0"),
    ("jpreprocess", "BSD-3-Clause"),
    ("whichlang", "MIT"),
];

pub(super) fn answer(_: &mut Request) -> Result<Response, Failure> {
    Ok(Response::success(&SpeechInfo {
        engine: "formant synthesis with the rules and data of eSpeak NG (crate espeak-ng 0.2.0)".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        formats: vec![AudioFormat {
            format: WAV.to_owned(),
            mime_type: wav::MEDIA_TYPE.to_owned(),
            sample_rate: SAMPLE_RATE,
            bits_per_sample: wav::BITS_PER_SAMPLE,
            channels: wav::CHANNELS,
        }],
        defaults: SpeechDefaults {
            language: "detected".to_owned(),
            voice: Voice::default().name().to_owned(),
        },
        limits: SpeechLimits {
            generate_audio_seconds: GENERATE_AUDIO_SECONDS,
            stream_audio_seconds: wav::MAX_SAMPLES / u64::from(SAMPLE_RATE),
            text_characters: None,
        },
        licences: LICENCES
            .iter()
            .map(|(name, licence)| Licence {
                name: (*name).to_owned(),
                licence: (*licence).to_owned(),
            })
            .collect(),
        languages: Language::ALL.len(),
        voices: Voice::ALL.len(),
    }))
}
