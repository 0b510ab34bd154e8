//! `GET /chat/info`: the model, the search, the modes and limits.

use quartet_api::chat::{ChatInfo, ChatLimits, Mode, ModelInfo};
use quartet_api::{Language, limits};
use quartet_component_sdk::{Failure, Request, Response};

use crate::context::Context;

/// Answers a request.
///
/// # Errors
/// Never.
pub fn answer(_: &mut Request, context: &Context) -> Result<Response, Failure> {
    let (model, model_problem) = match context.model.info() {
        Ok(model) => (
            Some(ModelInfo {
                name: model.name,
                context: model.context,
                remote: model.remote,
            }),
            None,
        ),
        Err(error) => (None, Some(error.to_string())),
    };
    Ok(Response::success(&ChatInfo {
        model,
        model_problem,
        modes: Mode::ALL.iter().map(|mode| mode.name().to_owned()).collect(),
        default_mode: Mode::default().name().to_owned(),
        search: context.search.provider().unwrap_or("off").to_owned(),
        computes: ["arithmetic", "conversion", "date"].map(str::to_owned).to_vec(),
        languages: Language::ALL
            .iter()
            .map(|language| language.code().to_owned())
            .collect(),
        limits: ChatLimits {
            message_characters: limits::CHAT_MESSAGE_CHARACTERS,
            turns: limits::CHAT_TURNS,
            search_seconds: limits::SEARCH_SECONDS,
            search_pages: limits::SEARCH_PAGES,
        },
    }))
}
