//! The voices, and the names that other services have for voices, each with the voice of ours that speaks for it.

use std::fmt;
use std::str::FromStr;

use super::unknown::Unknown;

/// One of the five voices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Voice {
    /// Standard: ordinary everyday use. The default.
    #[default]
    Kore,
    /// Light: soft, pleasant delivery.
    Phoebe,
    /// Deep: serious, professional delivery.
    Charon,
    /// Strong: bold, forceful delivery.
    Fenrir,
    /// Calm: relaxed, gentle delivery.
    Aoede,
}

impl Voice {
    /// All voices, in the order of the contract's table.
    pub const ALL: [Voice; 5] = [Voice::Kore, Voice::Phoebe, Voice::Charon, Voice::Fenrir, Voice::Aoede];

    /// The name, as requests and results carry it.
    pub const fn name(self) -> &'static str {
        match self {
            Voice::Kore => "Kore",
            Voice::Phoebe => "Phoebe",
            Voice::Charon => "Charon",
            Voice::Fenrir => "Fenrir",
            Voice::Aoede => "Aoede",
        }
    }

    /// The character in a word, from the contract's table.
    pub const fn character(self) -> &'static str {
        match self {
            Voice::Kore => "standard",
            Voice::Phoebe => "light",
            Voice::Charon => "deep",
            Voice::Fenrir => "strong",
            Voice::Aoede => "calm",
        }
    }

    /// Recommended use, from the contract's table.
    pub const fn suited_for(self) -> &'static str {
        match self {
            Voice::Kore => "ordinary everyday use",
            Voice::Phoebe => "soft, pleasant delivery",
            Voice::Charon => "serious, professional delivery",
            Voice::Fenrir => "bold, forceful delivery",
            Voice::Aoede => "relaxed, gentle delivery",
        }
    }
}

impl fmt::Display for Voice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Voice {
    type Err = Unknown;

    /// Takes a name in any letter case: one of these, or one of OpenAI's or Kokoro's.
    fn from_str(name: &str) -> Result<Self, Unknown> {
        voice(name).ok_or(Unknown)
    }
}

/// OpenAI's names of voices: deep for deep, light for light.
pub const OPENAI_VOICES: &[(&str, Voice)] = &[
    ("alloy", Voice::Kore),
    ("ash", Voice::Fenrir),
    ("ballad", Voice::Aoede),
    ("cedar", Voice::Charon),
    ("coral", Voice::Phoebe),
    ("echo", Voice::Charon),
    ("fable", Voice::Fenrir),
    ("marin", Voice::Kore),
    ("nova", Voice::Phoebe),
    ("onyx", Voice::Charon),
    ("sage", Voice::Aoede),
    ("shimmer", Voice::Phoebe),
    ("verse", Voice::Fenrir),
];

/// First letters of Kokoro's names, one for each of its languages.
const KOKORO_LANGUAGES: &[u8] = b"abefhijpz";

/// The voice with a name, in any letter case: ours, OpenAI's or Kokoro's.
fn voice(name: &str) -> Option<Voice> {
    named(name).or_else(|| kokoro(name))
}

fn named(name: &str) -> Option<Voice> {
    let ours = Voice::ALL
        .into_iter()
        .find(|voice| voice.name().eq_ignore_ascii_case(name));
    ours.or_else(|| {
        let theirs = OPENAI_VOICES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        theirs.map(|(_, voice)| *voice)
    })
}

/// A name such as `af_bella`: the language, `f` or `m`, and a name that may be known here.
fn kokoro(name: &str) -> Option<Voice> {
    let (kind, given) = name.split_once('_')?;
    let &[language, gender] = kind.as_bytes() else {
        return None;
    };
    let is_one = KOKORO_LANGUAGES.contains(&language.to_ascii_lowercase())
        && !given.is_empty()
        && given.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let by_gender = match gender.to_ascii_lowercase() {
        b'f' => Voice::Kore,
        b'm' => Voice::Charon,
        _ => return None,
    };
    is_one.then(|| named(given).unwrap_or(by_gender))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_services_have_a_voice() {
        for (name, expected) in OPENAI_VOICES {
            assert_eq!(voice(&name.to_uppercase()), Some(*expected));
        }
        for (name, expected) in [
            ("kore", Some(Voice::Kore)),
            ("af_bella", Some(Voice::Kore)),
            ("am_adam", Some(Voice::Charon)),
            ("BF_emma", Some(Voice::Kore)),
            ("am_fenrir", Some(Voice::Fenrir)),
            ("af_nova", Some(Voice::Phoebe)),
            ("jm_kumo", Some(Voice::Charon)),
            ("af_", None),
            ("xf_bella", None),
            ("an_bella", None),
            ("af_bella+af_sky", None),
            ("bella", None),
        ] {
            assert_eq!(voice(name), expected, "{name}");
        }
    }
}
