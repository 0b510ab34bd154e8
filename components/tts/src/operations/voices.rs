//! `GET /tts/voices`.

use quartet_api::speech::VoiceList;
use quartet_guest::{Failure, Request, Response};

pub(super) fn answer(_: &mut Request) -> Result<Response, Failure> {
    Ok(Response::success(&VoiceList::all()))
}
