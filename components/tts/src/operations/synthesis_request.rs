//! The synthesis request that `/tts/generate` and `/tts/stream` share: checked, with its speech planned.

use std::time::Duration;

use quartet_api::tts::{Engine, SAMPLE_RATE, SPEED, SpeechFormat, SpeechRequest};
use quartet_api::{Code, Language, Voice};
use quartet_component_sdk::failure::quoted;
use quartet_component_sdk::{Failure, Request, json};
use quartet_inference::GraphError;
use quartet_neural_speech::{Ahead, PlanError, utterance};
use quartet_text_normalization::alignment::Timing;
use quartet_text_normalization::{self as text, Detected, Unread};

use crate::file::{self, FilePieces};
use crate::speech::{Automatic, Delivery, Pieces, Speech};
use crate::surroundings::{HostGraphs, Stopwatch};

/// Limits of an operation.
pub(super) struct Limits {
    /// Samples of an answer in a format.
    pub samples: fn(SpeechFormat) -> u64,
    /// Samples of an answer in natural speech.
    pub natural_samples: u64,
    /// The same where words have their times, so that all lengths are computed beforehand.
    pub timed_samples: u64,
    /// Symbols of a text that is spoken naturally without being asked to.
    pub automatic_tokens: usize,
    /// The same where words have their times.
    pub timed_automatic_tokens: usize,
    /// Time after which natural speech that nobody has asked for is given up, where all of it is made beforehand.
    pub making: Option<Duration>,
    /// True if words with their times go into the file, which only WAV has room for.
    pub times_in_file: bool,
    /// Words for a client whose speech is too long.
    pub advice: &'static str,
}

/// Time to plan natural speech that nobody has asked for, beside a part of its length. Where it takes longer, others keep the
/// graphs busy, or the machine is slow: all of the work is about thirty times as long.
const PLANNING: Duration = Duration::from_millis(120);
/// The same for a request that opens graphs.
const OPENING: Duration = Duration::from_millis(800);
/// Time to make natural speech that nobody has asked for, beside its own length, in whole answers: nobody waits longer for
/// a better voice.
const MAKING: Duration = Duration::from_secs(4);

/// A valid request, and its speech.
pub(super) struct SynthesisRequest {
    /// The text, as it was sent.
    pub text: &'static str,
    /// The language asked for, or the detected one.
    pub language: Language,
    /// The voice asked for, or the default one.
    pub voice: Voice,
    /// Sentences about what could not be read well, in ASCII.
    pub warnings: Vec<String>,
    /// The words with their times, where they are asked for.
    pub timings: Option<Vec<Timing>>,
    /// The format asked for, or the default one.
    pub format: SpeechFormat,
    /// True if the request names its format.
    pub names_format: bool,
    speech: Speech,
}

impl SynthesisRequest {
    /// Reads a request and plans its speech; speech beyond the limits is refused.
    pub fn read(request: &mut Request, limits: &Limits) -> Result<Self, Failure> {
        let clock = Stopwatch::start();
        let SpeechRequest {
            text,
            language,
            voice,
            engine,
            speed,
            format,
            timings,
        } = json::read(request)?;
        let timings = timings.unwrap_or_default();
        let unread = text::unread(&text);
        if let Some(unread) = unread.as_ref().filter(|unread| unread.is_all) {
            return Err(Failure::new(Code::NothingToSpeak, no_voice_for(unread)));
        }
        let mut warnings: Vec<_> = unread.iter().map(romanised).collect();
        let language = match language {
            Some(code) => code.parse().map_err(|_| {
                let allowed: Vec<_> = Language::ALL.iter().map(|language| language.code()).collect();
                unknown("language", &code, &allowed)
            })?,
            None => {
                let Detected {
                    language,
                    is_in_another,
                } = text::detected(&text);
                // Letters that no voice reads have said so already.
                if is_in_another && unread.is_none() {
                    warnings.push(read_as_another(language));
                }
                language
            }
        };
        let voice = match voice {
            Some(name) => name.parse().map_err(|_| {
                let allowed: Vec<_> = Voice::ALL.iter().map(|voice| voice.name()).collect();
                unknown("voice", &name, &allowed)
            })?,
            None => Voice::default(),
        };
        let engine = match engine {
            Some(name) => name
                .parse()
                .map_err(|_| unknown("engine", &name, &Engine::ALL.map(Engine::name)))?,
            None => Engine::default(),
        };
        let names_format = format.is_some();
        let format = match format {
            Some(name) => name
                .parse()
                .map_err(|_| unknown("format", &name, &SpeechFormat::ALL.map(SpeechFormat::name)))?,
            None => SpeechFormat::default(),
        };
        if timings && limits.times_in_file && format != SpeechFormat::Wav {
            return Err(times_have_no_place(format));
        }
        let delivery = Delivery {
            language,
            voice,
            speed: percent(speed)?,
        };
        // The speech is made while it is sent, after this function has returned. An instance serves one request, so
        // what the text occupies is given back when the request is over.
        let text: &'static str = text.leak();
        let speech = match engine {
            Engine::Fast => None,
            Engine::Natural => Some(natural(text, delivery, timings, limits)?),
            Engine::Auto => automatic(text, delivery, timings, limits, &clock),
        };
        let speech = speech.unwrap_or_else(|| Speech::fast(text, delivery));
        let most = (limits.samples)(format);
        match speech.samples() {
            0 => Err(Failure::new(Code::NothingToSpeak, nothing_in(text))),
            samples if samples > most => Err(too_long(minutes(samples), minutes(most), limits.advice)),
            _ => Ok(Self {
                text,
                language,
                voice,
                warnings,
                timings: timings.then(|| speech.timings(text, language)),
                format,
                names_format,
                speech,
            }),
        }
    }

    /// The engine that speaks: natural or fast.
    pub const fn engine(&self) -> Engine {
        self.speech.engine()
    }

    /// The exact number of samples.
    pub fn samples(&self) -> u64 {
        self.speech.samples()
    }

    /// Size of the file in bytes, with `cues` where it is WAV; none where it is known when all is made.
    pub fn file_size(&self, cues: &[u8]) -> Option<u64> {
        file::size(self.format, self.samples(), cues)
    }

    /// The whole file, in pieces, with `cues` between header and samples where it is WAV; `made` is told of the samples that
    /// are made each time.
    pub fn into_file(self, cues: &[u8], made: impl Fn(usize) + 'static) -> Result<FilePieces, Failure> {
        let samples = self.samples();
        let speech = self.speech.pieces(self.text, self.language, HostGraphs);
        let speech: Pieces = Box::new(speech.inspect(move |piece| made(piece.len())));
        match file::pieces(self.format, samples, cues, speech) {
            Ok(Some(pieces)) => Ok(pieces),
            Ok(None) => Err(Failure::new(
                Code::Internal,
                "the speech is longer than its file can say",
            )),
            Err(error) => Err(Failure::new(
                Code::Internal,
                format!("the speech cannot be encoded: {error}"),
            )),
        }
    }
}

impl Limits {
    /// The lengths that are computed beforehand, and the samples of natural speech at most. `timings` is true where words have times.
    const fn natural(&self, timings: bool) -> (Ahead, u64) {
        match (self.making, timings) {
            (None, false) => (Ahead::Beginning, self.natural_samples),
            _ => (Ahead::All, self.timed_samples),
        }
    }

    /// Bounds of natural speech that nobody has asked for.
    const fn automatic(&self, timings: bool) -> Automatic {
        let (ahead, samples) = self.natural(timings);
        Automatic {
            tokens: if timings {
                self.timed_automatic_tokens
            } else {
                self.automatic_tokens
            },
            samples,
            ahead,
            planning: PLANNING,
            opening: OPENING,
        }
    }
}

/// Natural speech that was asked for, with its samples where the operation wants them beforehand.
fn natural(text: &str, delivery: Delivery, timings: bool, limits: &Limits) -> Result<Speech, Failure> {
    if !utterance::is_spoken(delivery.language) {
        let spoken = Language::ALL.iter().filter(|language| utterance::is_spoken(**language));
        let codes: Vec<_> = spoken.map(|language| language.code()).collect();
        return Err(Failure::field(
            "engine",
            format_args!(
                "is \"natural\", which does not speak {}; it speaks: {}",
                delivery.language,
                codes.join(", ")
            ),
        ));
    }
    let planned = Speech::natural(text, delivery, limits.natural(timings), &HostGraphs);
    let planned = planned.map_err(|error| match error {
        PlanError::TooLong(most) => {
            let seconds = |samples: u64| samples / u64::from(SAMPLE_RATE);
            let (_, untimed) = limits.natural(false);
            let without_times = if untimed > most {
                format!(", leave `timings` out (up to {} seconds are answered then)", seconds(untimed))
            } else {
                String::new()
            };
            Failure::new(
                Code::TextTooLong,
                format!(
                    "field `text` makes more than the {} seconds of natural speech that this operation answers with: send it \
                     in parts{without_times}, or use `engine` \"fast\"",
                    seconds(most)
                ),
            )
        }
        PlanError::Graph(GraphError::TooLarge(what)) => Failure::new(
            Code::TextTooLong,
            format!(
                "field `text` has {what} in Arabic, whose vowels natural speech needs: send it in parts, or use `engine` \"fast\""
            ),
        ),
        PlanError::Graph(_) => unavailable(delivery.language),
    })?;
    match limits.making {
        None => Ok(planned),
        Some(_) => match planned.made((text, delivery.language), None, &HostGraphs) {
            Ok(Some(speech)) => Ok(speech),
            Ok(None) | Err(_) => Err(unavailable(delivery.language)),
        },
    }
}

/// Natural speech that was not asked for, if it is better and in time.
fn automatic(text: &str, delivery: Delivery, timings: bool, limits: &Limits, clock: &Stopwatch) -> Option<Speech> {
    let planned = Speech::automatic(text, delivery, limits.automatic(timings), &HostGraphs)?;
    match limits.making {
        None => Some(planned),
        Some(most) => {
            let length = planned.samples() as f64 / f64::from(SAMPLE_RATE);
            let time = most.min(MAKING + Duration::from_secs_f64(length));
            planned
                .made((text, delivery.language), Some((clock, time)), &HostGraphs)
                .ok()
                .flatten()
        }
    }
}

fn unavailable(language: Language) -> Failure {
    Failure::new(
        Code::Unavailable,
        format!(
            "field `engine` is \"natural\", and this server cannot compute natural speech in {language}; it has \"fast\", and \
             \"auto\""
        ),
    )
}

/// A factor on the speed in percent.
fn percent(speed: Option<f64>) -> Result<u16, Failure> {
    match speed {
        None => Ok(100),
        Some(speed) if SPEED.contains(&speed) => Ok((speed * 100.0).round() as u16),
        Some(speed) => Err(Failure::field(
            "speed",
            format_args!(
                "is {speed}; it takes a number from {} to {}",
                SPEED.start(),
                SPEED.end()
            ),
        )),
    }
}

fn times_have_no_place(format: SpeechFormat) -> Failure {
    Failure::field(
        "timings",
        format_args!(
            "is true, and `format` is \"{}\": a stream has the times in \"{}\" only; /api/v1/tts/generate answers with them \
             for every format",
            format.name(),
            SpeechFormat::Wav.name()
        ),
    )
}

fn unknown(field: &str, value: &str, allowed: &[&str]) -> Failure {
    Failure::field(
        field,
        format_args!("is {}; allowed: {}", quoted(value), allowed.join(", ")),
    )
}

fn too_long(minutes: u64, most: u64, advice: &str) -> Failure {
    Failure::new(
        Code::TextTooLong,
        format!(
            "field `text` makes about {minutes} minutes of speech; this operation answers with {most} at most: {advice}"
        ),
    )
}

fn nothing_in(text: &str) -> &'static str {
    if text.trim().is_empty() {
        "field `text` is empty; it takes the text to speak"
    } else {
        "field `text` has nothing in it that can be spoken: no letter, digit or sign that has a reading"
    }
}

fn no_voice_for(unread: &Unread) -> String {
    format!(
        "field `text` has no other letters than those of {}, which no voice reads; spoken are {}",
        unread.scripts.join(", "),
        spoken_languages()
    )
}

fn romanised(unread: &Unread) -> String {
    format!(
        "No voice reads the letters of {}: the nearest Latin letters are said in their place.",
        unread.scripts.join(", ")
    )
}

fn read_as_another(language: Language) -> String {
    format!(
        "The text seems to be in none of the languages that are spoken ({}), and is read as {language}.",
        spoken_languages()
    )
}

fn spoken_languages() -> String {
    Language::ALL.map(Language::name).join(", ")
}

fn minutes(samples: u64) -> u64 {
    samples.div_ceil(u64::from(SAMPLE_RATE) * 60)
}
