//! `POST /tts/stream`: the WAV file, made while it is sent. Words with their times are cue points of the file.

use quartet_api::Code;
use quartet_api::limits::NATURAL_STREAM_SECONDS;
use quartet_api::tts::{ENGINE_HEADER, SAMPLE_RATE};
use quartet_component_sdk::{Failure, Request, Response};

use super::synthesis_request::{Limits, SynthesisRequest};
use crate::{cues, wav};

/// All lengths are computed before the first sound: so natural speech that nobody has asked for is about a minute.
const LIMITS: Limits = Limits {
    samples: wav::MAX_SAMPLES,
    natural_samples: NATURAL_STREAM_SECONDS * SAMPLE_RATE as u64,
    automatic_tokens: 900,
    making: None,
    advice: "send it in parts",
};

pub(super) fn answer(request: &mut Request) -> Result<Response, Failure> {
    let planned = SynthesisRequest::read(request, &LIMITS)?;
    let timings = planned.timings.as_deref().unwrap_or_default();
    let cues = cues::chunks(planned.text, timings);
    let length = wav::file_bytes(planned.samples()) + cues.len() as u64;
    let (language, engine) = (planned.language.code(), planned.engine().name());
    let file = planned
        .into_file(&cues)
        .ok_or_else(|| Failure::new(Code::Internal, "the speech is longer than its file can say"))?;
    let mut response = Response::attachment(wav::MEDIA_TYPE, "speech.wav", length, file);
    response.headers.push(("content-language", language.to_owned()));
    response.headers.push((ENGINE_HEADER, engine.to_owned()));
    Ok(response)
}
