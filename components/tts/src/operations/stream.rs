//! `POST /tts/stream`: the WAV file, made while it is sent.

use quartet_api::Code;
use quartet_component_sdk::{Failure, Request, Response};

use super::synthesis_request::SynthesisRequest;
use crate::wav;

pub(super) fn answer(request: &mut Request) -> Result<Response, Failure> {
    let planned = SynthesisRequest::read(request, wav::MAX_SAMPLES, "send it in parts")?;
    let length = wav::file_bytes(planned.samples());
    let language = planned.language.code();
    let file = planned
        .into_file()
        .ok_or_else(|| Failure::new(Code::Internal, "the speech is longer than its file can say"))?;
    let mut response = Response::attachment(wav::MEDIA_TYPE, "speech.wav", length, file);
    response.headers.push(("content-language", language.to_owned()));
    Ok(response)
}
