//! Requests for speech.

#[path = "../../../../../host/src/http/doors/speech/request.rs"]
pub mod request;

pub use self::request::{OPENAI_VOICES, SPEECH_MODEL};
