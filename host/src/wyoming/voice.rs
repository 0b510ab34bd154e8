//! Voices as Home Assistant knows them: by a name that says the language, too.
//!
//! Home Assistant has its users choose a language and then one of the voices that have it, and sends the voice's name alone.
//! So a language has voices of its own, `de-Kore` and so on: what is short or mixed is spoken in the language that was chosen,
//! and not in the one that it looks like.

use quartet_api::{Language, Voice};

use super::event::VoiceFields;
use crate::failure::Failure;

/// A voice that was asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Chosen {
    /// The voice.
    pub voice: Voice,
    /// The language; where there is none, that of the text.
    pub language: Option<Language>,
}

/// The name of a voice in a language.
pub fn name(voice: Voice, language: Language) -> String {
    format!("{}-{}", language.code(), voice.name())
}

/// The voice that a client asks for. A name says everything, also one without a language.
///
/// # Errors
/// When there is no such voice or language; the sentence says which there are.
pub fn choose(asked: Option<&VoiceFields>) -> Result<Chosen, Failure> {
    let Some(asked) = asked else {
        return Ok(Chosen::default());
    };
    if let Some(name) = &asked.name {
        return of_name(name).ok_or_else(|| {
            let voices = Voice::ALL.map(Voice::name).join(", ");
            let problem = format!(
                "is {}; allowed: {voices}, alone or with a language before it, as in {}; languages: {}",
                quoted(name),
                self::name(Voice::default(), Language::German),
                codes()
            );
            Failure::field("voice.name", problem)
        });
    }
    let language =
        match &asked.language {
            Some(code) => Some(of_code(code).ok_or_else(|| {
                Failure::field("voice.language", format!("is {}; allowed: {}", quoted(code), codes()))
            })?),
            None => None,
        };
    Ok(Chosen {
        voice: Voice::default(),
        language,
    })
}

fn of_name(name: &str) -> Option<Chosen> {
    let (language, voice) = match name.split_once('-') {
        Some((code, voice)) => (Some(code.parse().ok()?), voice),
        None => (None, name),
    };
    let voice = voice.parse().ok()?;
    Some(Chosen { voice, language })
}

/// A language with or without a region, `de` or `de_AT`.
fn of_code(code: &str) -> Option<Language> {
    code.split(['-', '_']).next()?.parse().ok()
}

fn codes() -> String {
    Language::ALL.map(Language::code).join(", ")
}

fn quoted(text: &str) -> String {
    let shown: String = text.chars().take(80).collect();
    format!("{shown:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: Option<&str>, language: Option<&str>) -> Result<Chosen, Failure> {
        choose(Some(&VoiceFields {
            name: name.map(str::to_owned),
            language: language.map(str::to_owned),
        }))
    }

    #[test]
    fn every_name_that_is_told_is_understood() {
        for voice in Voice::ALL {
            for language in Language::ALL {
                let chosen = of(Some(&name(voice, language)), None).unwrap();
                assert_eq!((chosen.voice, chosen.language), (voice, Some(language)));
            }
            assert_eq!(
                of(Some(voice.name()), Some("de")).unwrap(),
                Chosen { voice, language: None }
            );
        }
        assert_eq!(choose(None).unwrap(), Chosen::default());
        for code in ["de", "de-AT", "de_DE", "DE"] {
            assert_eq!(of(None, Some(code)).unwrap().language, Some(Language::German));
        }
    }

    #[test]
    fn others_are_refused_with_those_that_there_are() {
        for (name, language) in [
            (Some("Puck"), None),
            (Some("xx-Kore"), None),
            (Some("de-"), None),
            (Some(""), None),
            (None, Some("tlh")),
            (None, Some("")),
        ] {
            let failure = of(name, language).unwrap_err();
            let field = if name.is_some() { "voice.name" } else { "voice.language" };
            assert_eq!(failure.wrong_field(), Some(field));
            assert!(failure.message.contains("en, hi, es"), "{}", failure.message);
            assert_eq!(failure.message.contains("Phoebe"), name.is_some());
        }
    }
}
