//! The memory of conversations: their last turns, kept as uploads are (`quartet_component_sdk::uploads`).

use quartet_api::chat::ChatTurn;
use quartet_api::{Code, limits};
use quartet_component_sdk::{Failure, Session};
use serde::{Deserialize, Serialize};

use crate::answer::{Question, truncate};
use crate::context::Context;

/// Limit in characters for a remembered turn.
const MAX_TURN_CHARS: usize = 2_000;

/// A conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Conversation {
    /// Oldest first.
    pub turns: Vec<ChatTurn>,
}

impl Conversation {
    /// The conversation after one more question and its answer.
    pub fn after(question: Question, answer: &str) -> Self {
        let mut turns = question.history;
        for (role, text) in [("user", question.message.as_str()), ("assistant", answer)] {
            let language = quartet_lang_detect::detect(text);
            turns.push(ChatTurn {
                role: role.to_owned(),
                content: truncate(text, MAX_TURN_CHARS, language).to_owned(),
            });
        }
        let most = usize::try_from(limits::CHAT_TURNS).unwrap_or(usize::MAX);
        turns.drain(..turns.len().saturating_sub(most));
        Self { turns }
    }
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
    /// The conversation that a request goes on with: the one that it names, else the session's last, else a new one.
    pub fn recall(mut session: Session, id: Option<&str>, context: &Context) -> Result<(Self, Vec<ChatTurn>), Failure> {
        match context.conversations().recall::<Conversation>(&session, id) {
            Ok((id, conversation)) => Ok((Memory::Known(session, id), conversation.turns)),
            Err(failure) if id.is_some() || failure.code == Code::Internal => Err(failure),
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

    /// Remembers a conversation; its id, where the service does.
    pub fn keep(self, conversation: &Conversation, context: &Context) -> Result<Option<String>, Failure> {
        let conversations = context.conversations();
        match self {
            Memory::Client => Ok(None),
            Memory::New(session) => conversations
                .remember(&session, (context.random)(), conversation)
                .map(Some),
            Memory::Known(session, id) => match conversations.go_on(&session, &id, conversation) {
                Ok(()) => Ok(Some(id)),
                // It was forgotten while its answer was made.
                Err(failure) if failure.code == Code::UnknownUpload => Ok(None),
                Err(failure) => Err(failure),
            },
        }
    }
}
