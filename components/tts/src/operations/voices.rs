//! `GET /tts/voices`.

use quartet_api::tts::VoiceList;
use quartet_component_sdk::{Failure, Request, Response};

pub(super) fn answer(_: &mut Request) -> Result<Response, Failure> {
    Ok(Response::success(&VoiceList::all()))
}
