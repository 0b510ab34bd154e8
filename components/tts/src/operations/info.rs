//! `GET /tts/info`.

use quartet_api::limits::{GENERATE_AUDIO_SECONDS, NATURAL_GENERATE_SECONDS, NATURAL_STREAM_SECONDS};
use quartet_api::tts::{
    AudioFormat, Engine, EngineEntry, Licence, SAMPLE_RATE, SpeechDefaults, SpeechFormat, SpeechInfo, SpeechLimits,
};
use quartet_api::{Language, Voice};
use quartet_component_sdk::{Failure, Request, Response};
use quartet_neural_speech::Ahead;
use quartet_neural_speech::utterance::is_spoken;

use crate::speech::{Delivery, Speech};
use crate::surroundings::HostGraphs;
use crate::{file, wav};

/// The parts of the component with their licences as SPDX expressions.
const LICENCES: &[(&str, &str)] = &[
    ("quartet-tts", "GPL-3.0-or-later"),
    ("espeak-ng with its language data", "GPL-3.0-or-later"),
    ("NAIST Japanese Dictionary, Open JTalk edition", "BSD-3-Clause"),
    ("kanji readings of the Unihan database", "Unicode-3.0"),
    ("jpreprocess", "BSD-3-Clause"),
    ("pinyin", "MIT"),
    ("phrases of pypinyin", "MIT"),
    ("characters of OpenCC", "Apache-2.0"),
    ("Kokoro-82M, whose graphs the host has", "Apache-2.0"),
    ("vocabulary of text2tashkeel, whose graph the host has", "Apache-2.0"),
    ("whichlang", "MIT"),
    ("rusty_mp3", "Apache-2.0"),
    ("ropus", "BSD-3-Clause"),
    ("ogg", "BSD-3-Clause"),
    ("flac-codec", "MIT OR Apache-2.0"),
];

pub(super) fn answer(_: &mut Request) -> Result<Response, Failure> {
    Ok(Response::success(&SpeechInfo {
        engine: "formant synthesis with the rules and data of eSpeak NG (crate espeak-ng 0.2.0)".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        engines: vec![natural(), fast()],
        formats: SpeechFormat::ALL.map(format).to_vec(),
        defaults: SpeechDefaults {
            language: "detected".to_owned(),
            voice: Voice::default().name().to_owned(),
            engine: Engine::default().name().to_owned(),
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

fn format(format: SpeechFormat) -> AudioFormat {
    let bit_rate = file::bit_rate(format);
    AudioFormat {
        format: format.title().to_owned(),
        mime_type: format.media_type().to_owned(),
        sample_rate: SAMPLE_RATE,
        bits_per_sample: bit_rate.is_none().then_some(wav::BITS_PER_SAMPLE),
        bit_rate,
        channels: wav::CHANNELS,
    }
}

fn natural() -> EngineEntry {
    // The lengths of one letter are little work, and show whether the graphs can be computed.
    let says = |letter: &str, language| {
        let delivery = Delivery {
            language,
            voice: Voice::default(),
            speed: 100,
        };
        Speech::natural(letter, delivery, (Ahead::All, u64::MAX), &HostGraphs).is_ok()
    };
    let available = says("a", Language::English);
    // Arabic needs a graph of its own.
    let arabic = !available || says("ب", Language::Arabic);
    let spoken = || codes(|language| is_spoken(language) && (arabic || language != Language::Arabic));
    EngineEntry {
        name: Engine::Natural.name().to_owned(),
        available,
        description: "neural voices of Kokoro-82M".to_owned(),
        languages: spoken(),
        automatic: spoken(),
        generate_audio_seconds: NATURAL_GENERATE_SECONDS,
        stream_audio_seconds: NATURAL_STREAM_SECONDS,
    }
}

fn fast() -> EngineEntry {
    EngineEntry {
        name: Engine::Fast.name().to_owned(),
        available: true,
        description: "formant synthesis with the rules and data of eSpeak NG".to_owned(),
        languages: codes(|_| true),
        automatic: codes(|_| true),
        generate_audio_seconds: GENERATE_AUDIO_SECONDS,
        stream_audio_seconds: wav::MAX_SAMPLES / u64::from(SAMPLE_RATE),
    }
}

fn codes(which: impl Fn(Language) -> bool) -> Vec<String> {
    let languages = Language::ALL.into_iter().filter(|language| which(*language));
    languages.map(|language| language.code().to_owned()).collect()
}
