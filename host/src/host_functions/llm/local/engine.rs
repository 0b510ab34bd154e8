//! The engine that runs, and the answers that it has.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use quartet_llm_engine::protocol::Command;
use tokio::sync::mpsc::UnboundedSender;

use super::ahead::Ahead;
use super::heartbeat::Heartbeat;
use super::line::Asker;
use super::process::Process;
use super::prompt_cache::PromptCache;
use super::suspects::Digest;
use crate::config::Gguf;
use crate::host_functions::fair_queue::User;
use crate::host_functions::llm::answer::AnswerEvent;

/// The engine that runs.
pub struct Engine {
    /// Its number among those that were started.
    pub number: u64,
    /// The model that it has loaded, or is loading.
    pub model: Gguf,
    /// Its process.
    pub process: Process,
    /// Answers that are written or wait, by their numbers.
    pub answers: HashMap<u64, Open>,
    /// Its signs of life.
    pub heartbeat: Heartbeat,
    /// The files of its prompt cache, until it has written.
    pub prompt_cache: Option<PromptCache>,
    /// True until it has read the beginnings that the host asks with for everybody.
    pub warming: bool,
    /// Answers that nobody wants any more and that the engine may not have left yet: each until it answers this ping.
    pub leaving: Vec<(u64, Digest)>,
    /// Beginnings that it reads when nobody waits.
    pub ahead: Ahead,
}

/// An answer that is written or waits for that.
pub struct Open {
    /// Hears what is written.
    pub sender: UnboundedSender<AnswerEvent>,
    /// The client that it is for.
    pub user: User,
    /// The request that asks.
    pub asker: Asker,
    /// When it was asked for.
    pub asked: Instant,
    /// True once the engine has it.
    pub sent: bool,
    /// Time that the engine has computed for it.
    pub used: Duration,
    /// Tokens that it may have.
    pub tokens: u32,
    /// Digest of its conversation.
    pub digest: Digest,
    /// True where an engine died while it wrote an answer to this conversation.
    pub suspect: bool,
}

impl Engine {
    /// Answers that the engine has, and those of them that are this user's.
    pub fn written(&self, user: &User) -> (usize, usize) {
        let all = || self.answers.values().filter(|answer| answer.sent);
        (all().count(), all().filter(|answer| answer.user == *user).count())
    }

    /// Places of so many that clients cannot have, because the host's own question for everybody comes next: who asked before it would
    /// have to read for himself what it reads for all.
    pub fn kept(&self, places: usize) -> usize {
        usize::from(self.warming && places > 1 && self.written(&None).1 == 0)
    }

    /// Returns true if the engine may have an answer of a user, where it writes so many at the same time. The last of these places
    /// is for a client that has none: an answer that is begun is not taken back, and whoever comes next must not wait for its end.
    pub fn may(&self, user: &User, places: usize) -> bool {
        let (all, own) = self.written(user);
        if user.is_none() {
            return all < places;
        }
        let all = all + self.kept(places);
        all + 1 < places || (all < places && (own == 0 || places == 1))
    }

    /// Has it write what it has read for everybody, the first time: before it hears anything of a client, or when all is read.
    pub fn write_prompt_cache(&mut self) {
        if self.prompt_cache.as_mut().is_some_and(PromptCache::ask) {
            self.process.send(Command::WritePromptCache);
        }
    }

    /// Asks for a sign of life; returns the number of the ping.
    pub fn ping(&mut self) -> u64 {
        let number = self.heartbeat.ping(Instant::now());
        self.process.send(Command::Ping { number });
        number
    }
}
