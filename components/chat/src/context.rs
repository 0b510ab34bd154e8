//! What operations work with. Given to them, so that they are tested natively.

use std::rc::Rc;

use jiff::civil::DateTime;
use quartet_api::operations::CHAT;
use quartet_component_sdk::{Store, Uploads};
use quartet_llm_client::LanguageModel;

use crate::search::Settings;
use crate::web::{Clock, Web};

/// What operations work with.
#[derive(Clone)]
pub struct Context {
    /// The model.
    pub model: Rc<dyn LanguageModel>,
    /// What is remembered.
    pub store: Rc<dyn Store>,
    /// The web.
    pub web: Rc<dyn Web>,
    /// How long the request has run.
    pub clock: Rc<dyn Clock>,
    /// The date and time in UTC, where there is a clock.
    pub now: Option<DateTime>,
    /// Random bytes that nobody can guess.
    pub random: fn() -> [u8; 16],
    /// Where to search.
    pub search: Settings,
}

impl Context {
    /// What is remembered of conversations.
    pub(crate) fn conversations(&self) -> Uploads<'_> {
        Uploads {
            store: &*self.store,
            kind: "conversation",
            id_field: "conversationId",
            example: CHAT.path,
        }
    }
}
