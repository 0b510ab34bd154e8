//! The memory of conversations: their last turns, kept as uploads are (`quartet_component_sdk::uploads`).

use quartet_api::chat::ChatTurn;
use quartet_api::{Code, limits};
use quartet_component_sdk::{Failure, Session};
use serde::{Deserialize, Serialize};

use crate::answer::{Question, truncate};
use crate::context::Context;

/// Limit in characters for a remembered turn of the last question and its answer, which most messages are about, and for any before.
const MAX_LAST_CHARS: usize = 8_000;
const MAX_TURN_CHARS: usize = 2_000;

/// A conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Conversation {
    /// Oldest first.
    pub turns: Vec<ChatTurn>,
}

impl Conversation {
    /// The conversation of one question and its answer.
    pub fn of(question: &Question, answer: &str) -> Self {
        let turn = |role: &str, text: &str| ChatTurn::new(role, cut(text, MAX_LAST_CHARS));
        Self {
            turns: vec![turn("user", &question.message), turn("assistant", answer)],
        }
    }

    /// The conversation with further turns, without the oldest where there are too many.
    fn and(mut self, new: &Self) -> Self {
        for turn in &mut self.turns {
            turn.content.truncate(cut(&turn.content, MAX_TURN_CHARS).len());
        }
        self.turns.extend(new.turns.iter().cloned());
        let most = usize::try_from(limits::CHAT_TURNS).unwrap_or(usize::MAX);
        self.turns.drain(..self.turns.len().saturating_sub(most));
        self
    }
}

/// The beginning of a text, up to the end of a sentence.
fn cut(text: &str, most: usize) -> &str {
    truncate(text, most, quartet_lang_detect::detect(text))
}

/// The keeper of a conversation.
pub(super) enum Memory {
    /// The client.
    Client,
    /// The service, under an id of a conversation that is there.
    Known(Session, String),
    /// The service; the conversation begins.
    New(Session),
}

impl Memory {
    /// The conversation that a request goes on with: the one that it names, else the last of the session that it names, else
    /// a new one. An address is enough to find an upload again, which a request must have asked about; all programs of a machine
    /// would talk into one conversation by it.
    pub fn recall(mut session: Session, id: Option<&str>, context: &Context) -> Result<(Self, Vec<ChatTurn>), Failure> {
        if id.is_none() && !session.is_named() {
            session.begin((context.random)());
            return Ok((Memory::New(session), Vec::new()));
        }
        match context.conversations().recall::<Conversation>(&session, id) {
            Ok((id, conversation)) => Ok((Memory::Known(session, id), conversation.turns)),
            Err(failure) if id.is_some() || matches!(failure.code, Code::Internal | Code::Unavailable) => Err(failure),
            Err(_) => {
                session.begin((context.random)());
                Ok((Memory::New(session), Vec::new()))
            }
        }
    }

    /// The session, where the service remembers.
    pub fn session(&self) -> Option<&Session> {
        match self {
            Memory::Client => None,
            Memory::Known(session, _) | Memory::New(session) => Some(session),
        }
    }

    /// Remembers new turns; the id of their conversation, where the service does. Turns that another request has added since
    /// the conversation was recalled stay.
    pub fn keep(self, new: &Conversation, context: &Context) -> Result<Option<String>, Failure> {
        let conversations = context.conversations();
        match self {
            Memory::Client => Ok(None),
            Memory::New(session) => conversations.remember(&session, (context.random)(), new).map(Some),
            Memory::Known(session, id) => {
                match conversations.go_on(&session, &id, |before: Conversation| before.and(new)) {
                    Ok(()) => Ok(Some(id)),
                    // It was forgotten while its answer was made, or cannot be reached any more: the answer is there.
                    Err(failure) if matches!(failure.code, Code::UnknownConversation | Code::Unavailable) => Ok(None),
                    Err(failure) => Err(failure),
                }
            }
        }
    }
}
