//! What a version of the component of conversations must answer. The language model and the web are not asked for: they may
//! be missing, and then the operations say so.

use quartet_api::Code;
use quartet_api::chat::{ChatAnswer, ChatInfo, Mode};
use quartet_api::operations::{CHAT, CHAT_FORGET, CHAT_INFO};

use super::Probe;

/// Has it compute something, names a conversation that nobody had, for which it must look into what is kept, and asks what
/// there is.
pub(super) async fn run(probe: &Probe<'_>) -> Result<(), String> {
    let info: ChatInfo = probe.data(&CHAT_INFO, None).await?;
    if info.default_mode != Mode::default().name() {
        return Err(format!("{}: `defaultMode` is {:?}", CHAT_INFO.path, info.default_mode));
    }
    let sum = r#"{"message":"What is 12 times 12?","messages":[]}"#;
    let answer: ChatAnswer = probe.data(&CHAT, Some(sum.into())).await?;
    if !answer.answer.ends_with("144") {
        return Err(format!("{}: 12 times 12 is not {:?}", CHAT.path, answer.answer));
    }
    probe.refused(&CHAT, "{}", Code::MissingField).await?;
    let unknown = format!(r#"{{"conversationId":"{}"}}"#, "0".repeat(32));
    probe.refused(&CHAT_FORGET, &unknown, Code::UnknownUpload).await
}
