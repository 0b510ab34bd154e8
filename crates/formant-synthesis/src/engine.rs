//! The engine's state: one translator a language, and the sounds that all languages share. Loaded once.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use espeak_ng::{PhonemeData, Translator, translate, voices};
use quartet_api::Language;

use super::{data, files};

/// The engine's settings of a language.
pub struct Settings {
    /// The translator from text to phoneme codes.
    pub translator: Translator,
    /// The language's phoneme table, as an index into [`PhonemeData::tables`].
    table: usize,
    /// The language's row of the engine's table of tunes (`intonation`).
    pub tunes: usize,
    /// A factor on all lengths of sounds.
    pub pace: f32,
    /// A factor on the widths of formants.
    pub width: f32,
}

struct Engine {
    settings: Vec<Settings>,
    /// A mutex, because the engine keeps the table that is in use inside the data.
    sounds: Mutex<PhonemeData>,
}

/// The engine's tunes where a language's file names none.
const DEFAULT_TUNES: usize = 1;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let sounds = PhonemeData::load(&files::sounds()).expect("the engine's own data are whole");
    let settings = Language::ALL
        .into_iter()
        .map(|language| settings(language, &sounds))
        .collect();
    Engine {
        settings,
        sounds: Mutex::new(sounds),
    }
});

/// Loads everything now: neither environment, nor time, nor randomness is asked for, so that the result can be part
/// of a snapshot.
pub fn init() {
    LazyLock::force(&ENGINE);
}

/// The settings of a language.
pub fn settings_of(language: Language) -> &'static Settings {
    // `Language::ALL` is in the order of the variants.
    &ENGINE.settings[language as usize]
}

/// The sounds, with a language's phoneme table in use, until the guard is dropped.
pub fn sounds_of(language: Language) -> MutexGuard<'static, PhonemeData> {
    // Data that a panic left half selected are made good by the selection below.
    let mut sounds = ENGINE.sounds.lock().unwrap_or_else(PoisonError::into_inner);
    sounds
        .select_table(settings_of(language).table)
        .expect("the table was found in the same data");
    sounds
}

fn settings(language: Language, sounds: &PhonemeData) -> Settings {
    let folder = files::folder(language);
    let code = data::engine_code(language);
    let table = translate::resolve_phoneme_table(&folder, code);
    Settings {
        translator: Translator::new(code, Some(&folder)).expect("a folder that is given is not looked for"),
        table: [table.as_str(), language.code()]
            .into_iter()
            .find_map(|name| sounds.find_table(name).ok())
            .expect("every language has a phoneme table"),
        tunes: voices::voice_intonation(&folder, code).map_or(DEFAULT_TUNES, usize::from),
        pace: pace(language),
        width: width(language),
    }
}

/// A factor on the lengths that the data give, which are those of eSpeak NG. Chinese and Japanese are set to the speed
/// of people.
const fn pace(language: Language) -> f32 {
    match language {
        Language::Chinese => 0.9,
        _ => 1.0,
    }
}

/// A factor on the widths of formants: narrower than in the data where a recogniser understands that better. Errors
/// in characters of twelve Russian sentences in the voice Kore: at width 1 62.1 %, at 0.6 44.0, at 0.5 40.0, at 0.4
/// 40.5. But below 0.6 formants of low voices are narrower than their partials are apart, and the pitch seems to
/// jump up an octave.
const fn width(language: Language) -> f32 {
    match language {
        Language::Chinese => 0.75,
        Language::Russian => 0.6,
        _ => 1.0,
    }
}
