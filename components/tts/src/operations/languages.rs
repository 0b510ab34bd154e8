//! `GET /tts/languages`.

use quartet_api::tts::LanguageList;
use quartet_component_sdk::{Failure, Request, Response};

pub(super) fn answer(_: &mut Request) -> Result<Response, Failure> {
    Ok(Response::success(&LanguageList::all()))
}
