//! `GET /tts/languages`.

use quartet_api::speech::LanguageList;
use quartet_guest::{Failure, Request, Response};

pub(super) fn answer(_: &mut Request) -> Result<Response, Failure> {
    Ok(Response::success(&LanguageList::all()))
}
