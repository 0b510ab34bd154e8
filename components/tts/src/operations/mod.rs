//! The operations of `/tts/*`, one module each.

mod generate;
mod info;
mod languages;
mod stream;
mod synthesis_request;
mod voices;

use quartet_api::operations;
use quartet_component_sdk::Route;

/// The routes of the component.
pub const ROUTES: &[Route] = &[
    Route {
        operation: &operations::TTS_GENERATE,
        handler: generate::answer,
    },
    Route {
        operation: &operations::TTS_STREAM,
        handler: stream::answer,
    },
    Route {
        operation: &operations::TTS_VOICES,
        handler: voices::answer,
    },
    Route {
        operation: &operations::TTS_LANGUAGES,
        handler: languages::answer,
    },
    Route {
        operation: &operations::TTS_INFO,
        handler: info::answer,
    },
];
