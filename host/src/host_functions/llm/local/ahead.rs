//! Reading ahead: the engine reads beginnings of prompts when nobody waits, and says how much of them it knows.

use std::collections::HashMap;
use std::time::Duration;

use quartet_llm_engine::protocol::{self, Command, Prepare};
use tokio::sync::oneshot;

use super::suspects::{self, Digest};
use super::{Local, State};
use crate::host_functions::fair_queue::User;
use crate::host_functions::llm::types::{PromptSize, Turn};

/// Time in which an engine that has nothing else to do says how much it knows: a step of reading ahead on a slow machine. One that
/// writes for others may take longer, and is not waited for.
const ANSWER_TIME: Duration = Duration::from_millis(2_500);

/// What the engine was told to read ahead and has not read, or given up, yet.
pub type Ahead = HashMap<u64, Unread>;

/// A beginning of prompts.
pub struct Unread {
    /// Is told its size.
    size: Option<oneshot::Sender<PromptSize>>,
    digest: Digest,
}

impl Local {
    /// Has the engine read turns ahead, and tells the size of the prompt; none where no engine has its model loaded, or it has no
    /// time to tell. What the host itself asks is read by all and needs no reading ahead.
    pub async fn prepare(&self, turns: Vec<Turn>, user: User) -> Option<PromptSize> {
        let size = self.tell(turns, user)?;
        tokio::time::timeout(ANSWER_TIME, size).await.ok()?.ok()
    }

    fn tell(&self, turns: Vec<Turn>, user: User) -> Option<oneshot::Receiver<PromptSize>> {
        let client = self.number(user?);
        let turns: Vec<_> = turns.into_iter().map(protocol::Turn::from).collect();
        let digest = suspects::digest(&turns, None);
        let mut state = self.state();
        let State {
            engine,
            suspects,
            begun,
            ..
        } = &mut *state;
        let engine = engine.as_mut().filter(|engine| engine.heartbeat.is_loaded())?;
        // Nobody waits for it, so nothing is lost where it is not tried again.
        if suspects.deaths(&digest) > 0 {
            return None;
        }
        *begun += 1;
        let (sender, receiver) = oneshot::channel();
        let unread = Unread {
            size: Some(sender),
            digest,
        };
        engine.ahead.insert(*begun, unread);
        engine.process.send(Command::Prepare(Box::new(Prepare {
            id: *begun,
            client: Some(client),
            turns,
        })));
        Some(receiver)
    }
}

/// Passes on what the engine knows of a beginning.
pub fn told(ahead: &mut Ahead, id: u64, tokens: u32, cached_tokens: u32) {
    let size = ahead.get_mut(&id).and_then(|unread| unread.size.take());
    if let Some(size) = size {
        // Whoever asked may have gone.
        let _ = size.send(PromptSize { tokens, cached_tokens });
    }
}

/// Digests of what the engine may be reading.
pub fn digests(ahead: &Ahead) -> impl Iterator<Item = Digest> {
    ahead.values().map(|unread| unread.digest)
}
