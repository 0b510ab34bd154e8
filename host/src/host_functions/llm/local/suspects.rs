//! Conversations that an engine died of. The first time may be chance, or another answer's fault; then it is tried once
//! more, alone, and the second time it is refused from then on: nobody can keep the engine down by asking again.

use std::collections::VecDeque;

use quartet_llm_engine::protocol::Turn;
use sha2::{Digest as _, Sha256};

/// Deaths after which a conversation is refused.
pub const MAX_DEATHS: u32 = 2;

/// Conversations that are remembered; of more, the one that came longest ago is forgotten.
const MAX_SUSPECTS: usize = 256;

/// Digest of a conversation.
pub type Digest = [u8; 32];

/// The digest of what the engine is given of a conversation: nothing that can be read is remembered.
pub fn digest(turns: &[Turn], schema: Option<&str>) -> Digest {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update(text.len().to_le_bytes());
        hash.update(text);
    };
    for turn in turns {
        add(turn.role.name());
        add(&turn.text);
    }
    schema.into_iter().for_each(add);
    hash.finalize().into()
}

/// The conversations, each with the engines that died of it, maybe.
#[derive(Debug, Default)]
pub struct Suspects(VecDeque<(Digest, u32)>);

impl Suspects {
    /// Notes that an engine died while it wrote an answer to this one.
    pub fn blame(&mut self, digest: Digest) {
        let deaths = self.deaths(&digest);
        self.clear(&digest);
        if self.0.len() >= MAX_SUSPECTS {
            self.0.pop_front();
        }
        self.0.push_back((digest, deaths.saturating_add(1)));
    }

    /// Notes that it was answered, so that it was not its fault.
    pub fn clear(&mut self, digest: &Digest) {
        self.0.retain(|(other, _)| other != digest);
    }

    /// Engines that died while they wrote an answer to it.
    pub fn deaths(&self, digest: &Digest) -> u32 {
        let known = self.0.iter().find(|(other, _)| other == digest);
        known.map_or(0, |(_, deaths)| *deaths)
    }
}

#[cfg(test)]
mod tests {
    use quartet_llm_engine::protocol::Role;

    use super::*;

    fn conversation(text: &str, schema: Option<&str>) -> Digest {
        let turn = Turn {
            role: Role::User,
            text: text.to_owned(),
        };
        digest(&[turn], schema)
    }

    #[test]
    fn deaths_are_counted_until_an_answer() {
        let mut suspects = Suspects::default();
        let (one, other) = (conversation("a", None), conversation("a", Some("{}")));
        suspects.blame(one);
        suspects.blame(one);
        assert_eq!((suspects.deaths(&one), suspects.deaths(&other)), (2, 0));
        suspects.clear(&one);
        assert_eq!(suspects.deaths(&one), 0);
    }

    #[test]
    fn as_many_are_remembered_as_may_be() {
        let mut suspects = Suspects::default();
        let number = |number: usize| conversation(&number.to_string(), None);
        for index in 0..=MAX_SUSPECTS {
            suspects.blame(number(index));
        }
        assert_eq!(suspects.0.len(), MAX_SUSPECTS);
        assert_eq!((suspects.deaths(&number(0)), suspects.deaths(&number(1))), (0, 1));
    }
}
