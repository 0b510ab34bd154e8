//! `POST /tts/generate`: the WAV file as Base64 in the success envelope, made while it is sent.

use std::time::Duration;

use quartet_api::limits::{GENERATE_AUDIO_SECONDS, NATURAL_GENERATE_SECONDS};
use quartet_api::tts::{SAMPLE_RATE, SpeechResult, WAV, WordTiming};
use quartet_api::{Code, Success};
use quartet_component_sdk::{Failure, Request, Response};
use quartet_formant_synthesis as speech;
use quartet_text_normalization::alignment::Timing;

use super::synthesis_request::{Limits, SynthesisRequest};
use crate::{encode, wav};

/// The whole answer has to be there in 30 seconds, so natural speech is for about 20 seconds of sound, and is made before
/// anything is sent: where that takes too long, the time is enough for fast speech.
const LIMITS: Limits = Limits {
    samples: GENERATE_AUDIO_SECONDS * SAMPLE_RATE as u64,
    natural_samples: NATURAL_GENERATE_SECONDS * SAMPLE_RATE as u64,
    automatic_tokens: 300,
    making: Some(Duration::from_secs(14)),
    advice: "use /api/v1/tts/stream, which has no such limit",
};

pub(super) fn answer(request: &mut Request) -> Result<Response, Failure> {
    let planned = SynthesisRequest::read(request, &LIMITS)?;
    let audio_size = wav::file_bytes(planned.samples());
    let (before, after) = envelope(&planned, audio_size)
        .ok_or_else(|| Failure::new(Code::Internal, "the result could not be written"))?;
    let length = before.len() as u64 + encode::encoded_length(audio_size) + after.len() as u64;
    let file = planned
        .into_file(&[])
        .ok_or_else(|| Failure::new(Code::Internal, "the speech is longer than its file can say"))?;
    let chunks = std::iter::once(before)
        .chain(encode::base64(file))
        .chain(std::iter::once(after));
    Ok(Response::json_stream(Some(length), chunks))
}

/// The words with their times in seconds, to the millisecond.
fn timings(planned: &SynthesisRequest) -> Option<Vec<WordTiming>> {
    let seconds = |samples| (speech::seconds(samples) * 1_000.0).round() / 1_000.0;
    let word = |timing: &Timing| WordTiming {
        word: planned.text[timing.written.clone()].to_owned(),
        start: seconds(timing.start),
        end: seconds(timing.end),
    };
    planned
        .timings
        .as_ref()
        .map(|timings| timings.iter().map(word).collect())
}

/// The result in its envelope, without its audio: what comes before it and what comes after.
fn envelope(planned: &SynthesisRequest, audio_size: u64) -> Option<(Vec<u8>, Vec<u8>)> {
    let (language, voice) = (planned.language.name(), planned.voice.name());
    let seconds = speech::seconds(planned.samples());
    let mut before = serde_json::to_vec(&Success::new(SpeechResult {
        message: format!("Speech generated: {seconds:.1} seconds of {language}, spoken by {voice}."),
        text: planned.text.to_owned(),
        language: language.to_owned(),
        voice: voice.to_owned(),
        engine: Some(planned.engine().name().to_owned()),
        audio_format: WAV.to_owned(),
        audio_size,
        timings: timings(planned),
        audio_base64: String::new(),
    }))
    .ok()?;
    // The audio is the last string in the document, empty so far: it goes between its two quotes.
    let quote = before.iter().rposition(|byte| *byte == b'"')?;
    let after = before.split_off(quote);
    Some((before, after))
}
