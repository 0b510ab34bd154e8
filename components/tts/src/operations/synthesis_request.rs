//! The synthesis request that `/tts/generate` and `/tts/stream` share: checked, with its speech planned.

use quartet_api::tts::{SAMPLE_RATE, SpeechRequest};
use quartet_api::{Code, Language, Voice};
use quartet_component_sdk::failure::quoted;
use quartet_component_sdk::{Failure, Request, json};
use quartet_formant_synthesis::Plan;
use quartet_text_normalization as text;

use crate::wav;

/// A valid request, and the plan of its speech.
pub(super) struct SynthesisRequest {
    /// The text, as it was sent.
    pub text: &'static str,
    /// The language asked for, or the detected one.
    pub language: Language,
    /// The voice asked for, or the default one.
    pub voice: Voice,
    plan: Plan,
}

impl SynthesisRequest {
    /// Reads a request and plans its speech; speech longer than `max_samples` is refused with the words of `advice`.
    pub fn read(request: &mut Request, max_samples: u64, advice: &str) -> Result<Self, Failure> {
        let SpeechRequest { text, language, voice } = json::read(request)?;
        let language = match language {
            Some(code) => code.parse().map_err(|_| {
                let allowed: Vec<_> = Language::ALL.iter().map(|language| language.code()).collect();
                unknown("language", &code, &allowed)
            })?,
            None => text::detect(&text),
        };
        let voice = match voice {
            Some(name) => name.parse().map_err(|_| {
                let allowed: Vec<_> = Voice::ALL.iter().map(|voice| voice.name()).collect();
                unknown("voice", &name, &allowed)
            })?,
            None => Voice::default(),
        };
        // The speech is made while it is sent, after this function has returned. An instance serves one request, so
        // what the text occupies is given back when the request is over.
        let text: &'static str = text.leak();
        let plan = Plan::new(text::clauses(text, language), voice);
        match plan.samples() {
            0 => Err(Failure::new(Code::NothingToSpeak, nothing_in(text))),
            samples if samples > max_samples => {
                let (minutes, most) = (minutes(samples), minutes(max_samples));
                Err(Failure::new(
                    Code::TextTooLong,
                    format!(
                        "field `text` makes about {minutes} minutes of speech; this operation answers with {most} at most: {advice}"
                    ),
                ))
            }
            _ => Ok(Self {
                text,
                language,
                voice,
                plan,
            }),
        }
    }

    /// The exact number of samples.
    pub fn samples(&self) -> u64 {
        self.plan.samples()
    }

    /// The whole WAV file, in pieces; none where its header could not say its size.
    pub fn into_file(self) -> Option<impl Iterator<Item = Vec<u8>>> {
        let header = wav::header(self.samples())?;
        let speech = self.plan.synthesise(text::clauses(self.text, self.language));
        Some(std::iter::once(header).chain(speech.map(|samples| wav::bytes(&samples))))
    }
}

fn unknown(field: &str, value: &str, allowed: &[&str]) -> Failure {
    Failure::field(
        field,
        format_args!("is {}; allowed: {}", quoted(value), allowed.join(", ")),
    )
}

fn nothing_in(text: &str) -> &'static str {
    if text.trim().is_empty() {
        "field `text` is empty; it takes the text to speak"
    } else {
        "field `text` has nothing in it that can be spoken: no letter, digit or sign that has a reading"
    }
}

fn minutes(samples: u64) -> u64 {
    samples.div_ceil(u64::from(SAMPLE_RATE) * 60)
}
