//! `POST /tts/stream`: the file, made while it is sent. Words with their times are cue points of a WAV file.

use quartet_api::limits::{NATURAL_STREAM_SECONDS, NATURAL_TIMED_SECONDS};
use quartet_api::tts::{ENGINE_HEADER, SAMPLE_RATE, WARNINGS_HEADER};
use quartet_component_sdk::{Failure, Request, Response};

use super::synthesis_request::{Limits, SynthesisRequest};
use crate::{cues, wav};

/// Natural speech that nobody has asked for is about ten minutes: it keeps two processors busy for three of them.
pub(super) const LIMITS: Limits = Limits {
    samples: |_| wav::MAX_SAMPLES,
    natural_samples: NATURAL_STREAM_SECONDS * SAMPLE_RATE as u64,
    timed_samples: NATURAL_TIMED_SECONDS * SAMPLE_RATE as u64,
    automatic_tokens: 9_000,
    // Three minutes, whose lengths take two seconds.
    timed_automatic_tokens: 2_700,
    making: None,
    times_in_file: true,
    advice: "send it in parts",
};

pub(super) fn answer(request: &mut Request) -> Result<Response, Failure> {
    let planned = SynthesisRequest::read(request, &LIMITS)?;
    let timings = planned.timings.as_deref().unwrap_or_default();
    let cues = cues::chunks(planned.text, timings);
    let length = planned.file_size(&cues);
    let (language, engine, format) = (planned.language.code(), planned.engine().name(), planned.format);
    let warnings = planned.warnings.join(" ");
    let file = planned.into_file(&cues, |_| {})?;
    let name = format!("speech.{}", format.name());
    let mut response = Response::attachment(format.media_type(), &name, length, file);
    response.headers.push(("content-language", language.to_owned()));
    response.headers.push((ENGINE_HEADER, engine.to_owned()));
    if !warnings.is_empty() {
        response.headers.push((WARNINGS_HEADER, warnings));
    }
    Ok(response)
}
