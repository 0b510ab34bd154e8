//! The context of operations: model, store, web and clock, given to them so that they are tested natively.

use std::rc::Rc;

use jiff::civil::DateTime;
use quartet_api::Code;
use quartet_api::operations::CHAT;
use quartet_component_sdk::{ResponseTime, Store, Uploads};
use quartet_llm_client::LanguageModel;

use crate::search::Settings;
use crate::web::{Clock, Web};

/// The context of an operation.
#[derive(Clone)]
pub struct Context {
    /// The language model.
    pub model: Rc<dyn LanguageModel>,
    /// The key-value store.
    pub store: Rc<dyn Store>,
    /// The web.
    pub web: Rc<dyn Web>,
    /// The clock of the request.
    pub clock: Rc<dyn Clock>,
    /// The date and time in UTC, where there is a clock.
    pub now: Option<DateTime>,
    /// Random bytes that nobody can guess.
    pub random: fn() -> [u8; 16],
    /// The search provider.
    pub search: Settings,
    /// The time until an answer is complete.
    pub response_time: ResponseTime,
}

impl Context {
    /// The store of conversations.
    pub(crate) fn conversations(&self) -> Uploads<'_> {
        Uploads {
            store: &*self.store,
            kind: "conversation",
            id_field: "conversationId",
            example: CHAT.path,
            unknown: Code::UnknownConversation,
            again: "leave it out to begin a new one",
        }
    }
}
